// The document and the service cannot drift: every route is in it, and what the service answers is what it says.
import { readdirSync, readFileSync } from "node:fs";
import { validate } from "@scalar/openapi-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../caller.ts";
import { startTestService, type TestService } from "../service.ts";

/** For operators and machines that read documents: no part of the API. What stands in pages/ is for people. */
const HIDDEN = ["/metrics", "/openapi.json"];

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has a type of a thousand lines.
let document: any;
let ajv: Ajv2020;
beforeAll(async () => {
  service = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: "1000" } });
  document = (await service.call("GET", "/openapi.json")).json;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "http://doc/", components: document.components });
});
afterAll(() => service.stop());

/** Routes as the sources declare them. */
function declaredRoutes(): { method: string; path: string; file: string }[] {
  const folder = new URL("../../src/http/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.flatMap((file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    const prefix = file.startsWith("api/") && file !== "api/health.ts" ? "/api/v1" : "";
    return [...text.matchAll(/\b(?:server|api)\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*"([^"]+)"/g)].map(
      ([, method, path]) => ({ file, method: method!, path: prefix + path }),
    );
  });
}

test("the document is valid OpenAPI 3.1", async () => {
  expect(document.openapi).toBe("3.1.0");
  const { valid, errors } = await validate(document);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(document.servers).toEqual([{ url: service.baseUrl }]);
});

test("every route of the API is in the document", () => {
  const routes = declaredRoutes();
  expect(routes.length).toBeGreaterThan(20);
  const missing = routes.filter(({ method, path, file }) => {
    const documented = document.paths[path.replace(/:(\w+)/g, "{$1}")]?.[method];
    return !documented && !file.startsWith("pages/") && !HIDDEN.includes(path);
  });
  expect(missing).toEqual([]);
});

test("everything in the document is a route", () => {
  const routes = new Set(declaredRoutes().map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`));
  const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(documented.filter((each) => !routes.has(each))).toEqual([]);
});

test("every operation has a name of its own, a summary, a tag, and says what it answers", () => {
  const operations = Object.values<object>(document.paths).flatMap((methods) => Object.values(methods));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(operations.length);
  for (const { operationId, summary, tags, responses } of operations) {
    expect([operationId, summary, tags]).toEqual([expect.any(String), expect.any(String), [expect.any(String)]]);
    expect(document.tags.map(({ name }: { name: string }) => name)).toContain(tags[0]);
    expect(Object.keys(responses).some((status) => status.startsWith("2"))).toBe(true);
  }
});

test("the webhooks are in it, with the schema of the synchronous answer", () => {
  expect(Object.keys(document.webhooks)).toEqual(expect.arrayContaining(["extraction.completed", "extraction.failed"]));
  const body = document.webhooks["extraction.completed"].post.requestBody.content["application/json"].schema;
  expect(body).toEqual(document.paths["/api/v1/extract"].post.responses["200"].content["application/json"].schema);
});

function expectDocumented(method: string, path: string, answer: Answer): void {
  const response = document.paths[path]?.[method]?.responses[answer.status];
  expect(response, `${method} ${path} answers ${answer.status}`).toEqual(expect.any(Object));
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  expect(Object.keys(response.content ?? {}), `${method} ${path} ${answer.status}`).toContain(type);
  const pointer = ["paths", path, method, "responses", String(answer.status), "content", type, "schema"];
  const schema = pointer.reduce((node, key) => node[key], document);
  const inDocument = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"http://doc/#/components/'));
  const check = ajv.compile(inDocument);
  check(answer.json);
  expect(check.errors ?? []).toEqual([]);
}

test("what the service answers is what the document says", async () => {
  const { apiKey: key, email } = await service.verified();
  const unverified = await service.signUp();
  const id = "018f0000-0000-7000-8000-000000000000";
  const extraction = await service.call("POST", "/api/v1/extract", { key, json: { text: "Total: 9.00" } });
  const account = "/api/v1/account";
  const calls: [string, string, Answer][] = [
    ["get", "/health", await service.call("GET", "/health")],
    ["get", "/ready", await service.call("GET", "/ready")],
    ["post", "/register", await service.call("POST", "/register", { json: { email, password: "a password of ours" } })],
    ["post", "/register", await service.call("POST", "/register", { json: { email } })],
    ["post", "/register", await service.call("POST", "/register", { body: "{", headers: { "content-type": "application/json" } })],
    ["post", "/verify", await service.call("POST", "/verify", { json: { token: "x" } })],
    ["post", "/verify", await service.call("POST", "/verify", { json: { token: (await service.mail(unverified.email)).token } })],
    ["get", account, await service.call("GET", account, { key })],
    ["get", account, await service.call("GET", account)],
    ["post", "/api/v1/extract", extraction],
    ["post", "/api/v1/extract", await service.call("POST", "/api/v1/extract", { key, json: { nothing: 1 } })],
    ["get", "/api/v1/extractions/{id}", await service.call("GET", `/api/v1/extractions/${extraction.json.id}`, { key })],
    ["get", "/api/v1/extractions/{id}", await service.call("GET", `/api/v1/extractions/${id}`, { key })],
    ["get", "/api/v1/extractions", await service.call("GET", "/api/v1/extractions", { key })],
    ["post", `${account}/webhook-secret/rotate`, await service.call("POST", `${account}/webhook-secret/rotate`, { key })],
    ["post", `${account}/rotate-key`, await service.call("POST", `${account}/rotate-key`, { key })],
  ]; // biome-ignore format: a table
  expect(extraction.status).toBe(200);
  for (const [method, path, answer] of calls) expectDocumented(method, path, answer);
});
