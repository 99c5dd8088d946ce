import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test("GET /health: no bearer token, no version prefix, no request body", async () => {
  const { status, headers, json } = await service.call("GET", "/health");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch("application/json");
  expect(json).toEqual({
    status: "ok",
    version: service.service.app.config.version,
    uptime_seconds: expect.any(Number),
  });
});

test("a verified account's key is let in", async () => {
  const account = await service.verified();
  const { status, json } = await service.call("GET", "/api/v1/account", { key: account.apiKey });
  expect(status).toBe(200);
  expect(json).toMatchObject({ email: account.email, status: "active" });
});
