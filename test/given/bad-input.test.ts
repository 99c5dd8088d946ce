// Bad input is the caller's fault and said so: problem+json each time, never a 5xx.
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { errors } from "../../src/errors.ts";
import type { Answer, Call } from "../caller.ts";
import { startTestService, type TestService } from "../service.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: "10000", SIGNUPS_PER_HOUR: "10000" } });
  key = (await service.verified()).apiKey;
});
afterAll(() => service.stop());

function expectProblem(answer: Answer, code: keyof typeof errors): void {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.json).toMatchObject({
    type: `${service.baseUrl}/docs/errors/${code}`,
    title: errors[code].title,
    status: errors[code].status,
    code,
    retryable: errors[code].retryable,
    request_id: answer.headers.get("x-extract-request-id"),
  });
  expect(answer.status).toBe(errors[code].status);
}

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const good = { email: "someone@example.com", password: "a password of ours" };

const cases: [what: string, method: string, path: string, call: Call, code: keyof typeof errors][] = [
  ["an unknown path", "GET", "/nothing", {}, "not_found"],
  ["an unknown path of the API", "GET", "/api/v1/nothing", {}, "not_found"],
  ["an unknown error page", "GET", "/docs/errors/nothing", {}, "not_found"],
  ["an unknown error page with a long name", "GET", `/docs/errors/${"x".repeat(500)}`, {}, "not_found"],
  ["an object's own property as a page", "GET", "/docs/errors/constructor", {}, "not_found"],
  ["an object's own property as a file", "GET", "/assets/__proto__", {}, "not_found"],
  ["a file outside of the folder", "GET", "/assets/..%2fserver.ts", {}, "not_found"],
  ["a slash too many", "GET", "/health/", {}, "not_found"],
  ["a percent sign that means nothing", "GET", "/health%", {}, "malformed_request"],
  ["NUL in the path", "GET", "/docs/errors/%00", {}, "not_found"],
  ["a method that is not taken", "DELETE", "/health", {}, "method_not_allowed"],
  ["a method of the web that is not taken", "PATCH", "/register", {}, "method_not_allowed"],
  ["a rotation by GET", "GET", "/api/v1/account/rotate-key", {}, "method_not_allowed"],
  ["malformed JSON", "POST", "/register", { body: '{"email":', headers: json }, "malformed_request"],
  ["an empty JSON body", "POST", "/register", { body: "", headers: json }, "invalid_request"],
  ["JSON that is no object", "POST", "/register", { json: [1] }, "invalid_request"],
  ["null", "POST", "/register", { json: null }, "invalid_request"],
  ["deep JSON", "POST", "/register", { body: "[".repeat(400_000), headers: json }, "malformed_request"],
  ["wrong types", "POST", "/register", { json: { email: 1, password: {} } }, "invalid_request"],
  ["a missing field", "POST", "/register", { json: { email: good.email } }, "invalid_request"],
  ["a body of another kind", "POST", "/register", { body: "<a/>", headers: { "content-type": "text/xml" } }, "unsupported_media_type"],
  ["a content type that is none", "POST", "/register", { body: "x", headers: { "content-type": "jibberish" } }, "unsupported_media_type"],
  ["a body above the limit", "POST", "/register", { body: `"${"x".repeat(1_000_001)}"`, headers: json }, "file_too_large"],
  ["invalid UTF-8 as JSON", "POST", "/register", { body: Buffer.from('{"email":"\xff\xfe@x.org","password":"0123456789"}', "latin1"), headers: json }, "malformed_request"],
  ["invalid UTF-8 as a form", "POST", "/verify", { body: Buffer.from("token=\xff", "latin1"), headers: form }, "malformed_request"],
  ["NUL in an address", "POST", "/register", { json: { ...good, email: "a\0b@example.com" } }, "invalid_request"],
  ["NUL in an address that logs in", "POST", "/login", { json: { ...good, email: "a\0b@example.com" } }, "invalid_request"],
  ["NUL in a forgotten address", "POST", "/forgot", { json: { email: "\0@example.com" } }, "invalid_request"],
  ["NUL in a token", "POST", "/verify", { json: { token: "\0" } }, "invalid_token"],
  ["a lone surrogate in a token", "POST", "/verify", { body: '{"token":"\\ud800"}', headers: json }, "invalid_token"],
  ["a line break in an address", "POST", "/register", { json: { ...good, email: "a@example.com\r\nBcc: b@example.com" } }, "invalid_request"],
  ["a 10,000-character e-mail", "POST", "/register", { json: { ...good, email: `${"a".repeat(9_988)}@example.com` } }, "invalid_request"],
  ["a 10,000-character e-mail that logs in", "POST", "/login", { json: { ...good, email: `${"a".repeat(9_988)}@example.com` } }, "invalid_request"],
  ["a short password", "POST", "/register", { json: { ...good, password: "short" } }, "invalid_request"],
  ["a password of a megabyte", "POST", "/register", { json: { ...good, password: "x".repeat(900_000) } }, "invalid_request"],
  ["an unknown token", "POST", "/verify", { json: { token: "x" } }, "invalid_token"],
  ["a token that is too long", "POST", "/verify", { json: { token: "x".repeat(101) } }, "invalid_request"],
  ["a form from another site", "POST", "/register", { json: good, headers: { origin: "https://evil.example" } }, "cross_origin_refused"],
  ["a form from a site with our name in it", "POST", "/register", { json: good, headers: { origin: "http://127.0.0.1.evil.example" } }, "cross_origin_refused"],
  ["a form from nowhere", "POST", "/register", { json: good, headers: { origin: "null" } }, "cross_origin_refused"],
  ["metrics without a token", "GET", "/metrics", {}, "not_found"],
]; // biome-ignore format: a table

test.for(cases)("%s: %s %s", async ([, method, path, call, code]) => {
  expectProblem(await service.call(method, path, call), code);
});

test("an unknown field of a sign-up is ignored, as clients of later versions may send it", async () => {
  expect((await service.call("POST", "/register", { json: { ...good, later: true } })).status).toBe(201);
});

test("a byte order mark before JSON is not the caller's fault", async () => {
  const body = `\ufeff${JSON.stringify(good)}`;
  expect((await service.call("POST", "/register", { body, headers: json })).status).toBe(201);
});

test("each method that a path takes is named in Allow", async () => {
  const { headers } = await service.call("DELETE", "/register");
  expect(headers.get("allow")?.split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
});

/** What the text before the answer's head is, for requests that no client library would send. */
function sendRaw(bytes: string | Buffer): Promise<string> {
  const { port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });
}

const host = "Host: localhost\r\n";
const close = "Connection: close\r\n";

test.for<[what: string, bytes: string | Buffer, status: number]>([
  ["headers of 20 KB", `GET /health HTTP/1.1\r\n${host}X: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["thousands of headers", `GET /health HTTP/1.1\r\n${host}${"a: b\r\n".repeat(5_000)}\r\n`, 431],
  ["no HTTP at all", "HELLO\r\n\r\n", 400],
  ["a method nobody knows", `BREW /health HTTP/1.1\r\n${host}\r\n`, 400],
  ["NUL in a header", Buffer.from(`GET /health HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`), 400],
  ["two lengths", `POST /register HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
  ["a length that is none", `POST /register HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`, 400],
  [
    "a length and chunks",
    `POST /register HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ["no host", `GET /health HTTP/1.1\r\n${close}\r\n`, 400],
])("%s, as bytes", async ([, bytes, status]) => {
  const answer = await sendRaw(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head.toLowerCase()).toContain("content-type: application/problem+json");
  const problem = JSON.parse(body);
  expect(problem).toMatchObject({ status, code: status === 431 ? "headers_too_large" : "malformed_request" });
  expect(head.toLowerCase()).toContain(`x-extract-request-id: ${problem.request_id}`);
});

test.for([
  "", "Bearer", "Bearer ", "bearer x", "Basic eDp5", "Bearer ext_live_", `Bearer ext_live_${"x".repeat(33)}`, `Bearer ext_live_${"ä".repeat(32)}`,
  `Bearer ext_live_${"x".repeat(31)}\u00e9`, `Bearer ${"x".repeat(10_000)}`, `Bearer ext_live_${"'".repeat(32)}`, `Bearer ext_live_${"0".repeat(32)}`,
])("Authorization %j is refused with the one message there is", async (authorization) => {
  const encoded = Buffer.from(authorization).toString("latin1");
  const answer = await service.call("GET", "/api/v1/account", { headers: { authorization: encoded } });
  expectProblem(answer, "invalid_api_key");
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  expect(answer.json.detail).toBe(errors.invalid_api_key.title);
}); // biome-ignore format: a list

test("a browser gets a page where a program gets a problem", async () => {
  const answer = await service.call("GET", "/nothing", { headers: { accept: "text/html,*/*" } });
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.text).toContain("There is nothing here");
});

test("what was typed comes back as text, never as markup", async () => {
  const answer = await service.call("GET", `/verify?token=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(answer.text).not.toContain("<script>alert");
});

test("every code has the page that `type` points to", async () => {
  for (const [code, { title }] of Object.entries(errors)) {
    const page = await service.call("GET", `/docs/errors/${code}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(title.replaceAll("'", "&#39;"));
  }
});

test("none of it was logged as our own fault, and the key still works", async () => {
  expect(service.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect((await service.call("GET", "/api/v1/account", { key })).status).toBe(200);
});
