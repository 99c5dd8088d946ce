import { rm } from "node:fs/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { toFault } from "../../src/http/problem.ts";
import { startEmbedded } from "../../src/platform/db/embedded.ts";
import { startTestService, temporaryFolder } from "../service.ts";

test("while the database is away every request is 503 with Retry-After, and the service goes on once it is back", async () => {
  const folder = await temporaryFolder();
  const server = await startEmbedded(folder);
  const { user, password, host } = server.connection;
  const databaseUrl = `postgres://${user}:${password}@localhost/postgres?host=${encodeURIComponent(host)}`;
  const service = await startTestService({ env: { DATABASE_URL: databaseUrl } });
  try {
    const { apiKey } = await service.verified();
    await server.stop();
    const away = await service.call("GET", "/api/v1/account", { key: apiKey });
    expect([away.status, away.json.code, away.headers.get("retry-after")]).toEqual([503, "not_ready", "2"]);
    expect((await service.call("GET", "/health")).status).toBe(200);
    expect((await service.call("GET", "/ready")).status).toBe(503);

    await startEmbedded(folder);
    expect((await service.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(200);
  } finally {
    await service.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test.each([
  [Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" }), "not_ready"],
  [Object.assign(new pg.DatabaseError("too many clients", 0, "error"), { code: "53300" }), "not_ready"],
  [new Error("timeout exceeded when trying to connect"), "not_ready"],
  [Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" }), "internal_error"],
  [Object.assign(new pg.DatabaseError("syntax error", 0, "error"), { code: "42601" }), "internal_error"],
])("%s is %s", (error, code) => {
  expect(toFault(error).code).toBe(code);
});
