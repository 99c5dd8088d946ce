// The README's endpoint table names what there is, and .ci/run runs what it tells contributors to run.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "./service.ts";

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test("the endpoints of the README are those of the OpenAPI document", async () => {
  const { paths } = (await service.call("GET", "/openapi.json")).json as { paths: Record<string, object> };
  const rows = [...read("README.md").matchAll(/^\| (GET|POST|DELETE) \| (`[^|]+`) \|/gm)];
  const named = rows.flatMap(([, method, list]) =>
    [...list!.matchAll(/`([^`]+)`/g)].map(([, path]) => `${method} ${path}`),
  );
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // The provider's name stands for a placeholder.
  const isThere = (each: string) => documented.includes(each.replace("/webhooks/stripe", "/webhooks/{provider}"));
  expect(named.filter((each) => !isThere(each))).toEqual([]);
  expect(named.length).toBeGreaterThan(12);
});

test(".ci/run runs the README's test command", () => {
  const command = /## Test it\n\n```sh\n(.+)\n```/.exec(read("README.md"))?.[1];
  expect(command).toBe("npm ci && npm test");
  expect(read(".ci/run").trim().split("\n").at(-1)).toBe(command);
});
