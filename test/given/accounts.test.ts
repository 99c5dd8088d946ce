// Parts 2 and 5 of the contract: accounts, keys, authentication. The names of the tests are its sentences.
import bcrypt from "bcrypt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../service.ts";

const KEY = /^ext_live_[0-9A-Za-z]{32}$/;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { SIGNUPS_PER_HOUR: "10000" } });
});
afterAll(() => service.stop());

const account = (key: string) => service.call("GET", "/api/v1/account", { key });
const rowOf = async (id: string) => (await service.database.query("SELECT * FROM accounts WHERE id = $1", [id]))[0]!;

/** Everything of the database as text, the way a thief of its files would read it. */
async function dump(): Promise<string> {
  const tables = await service.database.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const texts = await Promise.all(
    tables.map(({ name }) => service.database.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`)),
  );
  return texts
    .flat()
    .map(({ row }) => row)
    .join("\n");
}

describe("2. Account", () => {
  test("email_verified_at: While unset, the API is blocked for the account", async () => {
    const { id, apiKey } = await service.signUp();
    expect((await rowOf(id)).email_verified_at).toBeNull();
    const blocked = await account(apiKey);
    expect(blocked.status).toBe(403);
    expect(blocked.json.code).toBe("email_not_verified");
  });

  test("api_key: ext_live_ followed by 32 random characters. Shown in full only once (at registration or dashboard copy)", async () => {
    const { status, json } = await service.call("POST", "/register", {
      json: { email: "once@example.com", password: "a password of ours" },
    });
    expect(status).toBe(201);
    expect(json.api_key).toMatch(KEY);
    const { token } = await service.mail("once@example.com");
    await service.call("POST", "/verify", { json: { token } });
    const cookie = await service.session({ email: "once@example.com", password: "a password of ours" });
    const seen = await Promise.all([
      account(json.api_key),
      service.call("GET", "/dashboard", { headers: { cookie } }),
      service.call("GET", "/openapi.json"),
    ]);
    for (const { text } of seen) expect(text).not.toContain(json.api_key);
    expect((await service.mails("once@example.com")).map((mail) => mail.text).join()).not.toContain(json.api_key);
  });

  test("The service keeps only a bcrypt hash of it", async () => {
    const { id, apiKey } = await service.verified();
    const { api_key_hash: hash } = await rowOf(id);
    expect(hash).toMatch(/^\$2b\$1\d\$/);
    expect(await bcrypt.compare(apiKey, hash)).toBe(true);
    expect(await bcrypt.compare(`${apiKey.slice(0, -1)}!`, hash)).toBe(false);
    const stolen = await dump();
    expect(stolen).toContain(hash);
    expect(stolen).not.toContain(apiKey);
    expect(stolen).not.toContain(apiKey.slice(9));
    expect(service.logs.join()).not.toContain(apiKey);
  });

  test("api_key_prefix: the first 12 characters of the key", async () => {
    const { id, apiKey } = await service.verified();
    expect((await rowOf(id)).api_key_prefix).toBe(apiKey.slice(0, 12));
    expect((await account(apiKey)).json.api_key_prefix).toBe(apiKey.slice(0, 12));
  });

  test("webhook_secret: Issued at registration", async () => {
    const { webhookSecret } = await service.signUp();
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await dump()).not.toContain(webhookSecret);
  });

  test("webhook_secret: Can be rotated from the dashboard", async () => {
    const { email, password, webhookSecret, apiKey } = await service.verified();
    const cookie = await service.session({ email, password });
    const { status, text } = await service.call("POST", "/dashboard/webhook-secret", { headers: { cookie } });
    expect(status).toBe(200);
    const fresh = /whsec_[A-Za-z0-9+/]{43}=/.exec(text)?.[0];
    expect(fresh).toMatch(/^whsec_/);
    expect(fresh).not.toBe(webhookSecret);
    const byKey = await service.call("POST", "/api/v1/account/webhook-secret/rotate", { key: apiKey });
    expect(byKey.json.webhook_secret).toMatch(/^whsec_/);
    expect(byKey.json.webhook_secret).not.toBe(fresh);
    expect(byKey.json.previous_valid_until).toBe(new Date(service.clock.now().getTime() + 86_400_000).toISOString());
  });
});

describe("5. Authentication", () => {
  test("All endpoints require a Bearer token carrying the API key, except GET /health and the payment webhook endpoint", async () => {
    const { paths } = (await service.call("GET", "/openapi.json")).json as { paths: Record<string, object> };
    const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, "x") })),
    );
    const guarded = endpoints.filter(
      ({ path }) => path.startsWith("/api/v1/") && !path.startsWith("/api/v1/webhooks/"),
    );
    expect(guarded.length).toBeGreaterThan(3);
    for (const { method, path } of guarded) {
      const { status, json, headers } = await service.call(method, path);
      expect({ method, path, status, code: json.code }).toEqual({ method, path, status: 401, code: "invalid_api_key" });
      expect(headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await service.call("GET", "/health")).status).toBe(200);
  });

  test("Request header: Authorization: Bearer <API_KEY>", async () => {
    const { apiKey, email } = await service.verified();
    expect((await account(apiKey)).json.email).toBe(email);
    for (const [name, value] of [
      ["authorization", apiKey],
      ["authorization", `Basic ${apiKey}`],
      ["x-api-key", apiKey],
    ] as const)
      expect((await service.call("GET", "/api/v1/account", { headers: { [name]: value } })).status).toBe(401);
    expect((await service.call("GET", `/api/v1/account?api_key=${apiKey}`)).status).toBe(401);
    // The scheme's name has no case (RFC 9110).
    expect(
      (await service.call("GET", "/api/v1/account", { headers: { authorization: `bearer ${apiKey}` } })).status,
    ).toBe(200);
  });

  test("A key is obtained by signing up at {base_url}/register, verifying the email, then copying the key from the dashboard", async () => {
    const credentials = { email: "person@example.com", password: "a password of ours" };
    expect((await service.call("GET", "/register")).text).toContain(
      '<form class="stack" method="post" action="/register">',
    );
    const page = await service.call("POST", "/register", { form: credentials });
    expect(page.status).toBe(201);
    expect(page.text).not.toMatch(/ext_live_/);
    const { link, token } = await service.mail("person@example.com");
    expect(link).toBe(`${service.baseUrl}/verify?token=${token}`);
    expect((await service.call("GET", link!)).text).toContain("Verify my address");
    expect((await service.call("POST", "/verify", { form: { token: token! } })).status).toBe(200);
    const cookie = await service.session(credentials);
    const shown = await service.call("POST", "/dashboard/key", { headers: { cookie } });
    const key = /ext_live_[0-9A-Za-z]{32}/.exec(shown.text)?.[0];
    expect((await account(key!)).json.email).toBe("person@example.com");
  });

  test("Until email_verified_at is set on the account, the API is blocked for it", async () => {
    const { id, apiKey, email } = await service.signUp();
    const calls = ["GET /api/v1/account", "POST /api/v1/account/rotate-key", "POST /api/v1/extract"].map((c) =>
      c.split(" "),
    );
    for (const [method, path] of calls) {
      const { status, json } = await service.call(method!, path!, { key: apiKey });
      expect([status, json.code]).toEqual([403, "email_not_verified"]);
    }
    const { token } = await service.mail(email);
    await service.call("POST", "/verify", { json: { token } });
    expect((await rowOf(id)).email_verified_at).toEqual(service.clock.now());
    expect((await account(apiKey)).status).toBe(200);
  });

  test("A lost key is replaced by calling POST /api/v1/account/rotate-key", async () => {
    const { id, apiKey } = await service.verified();
    const { status, json } = await service.call("POST", "/api/v1/account/rotate-key", { key: apiKey });
    expect(status).toBe(200);
    expect(json.api_key).toMatch(KEY);
    expect(json).toEqual({ api_key: json.api_key, api_key_prefix: json.api_key.slice(0, 12) });
    expect((await account(apiKey)).status).toBe(401);
    expect((await account(json.api_key)).json.id).toBe(id);
  });

  test("… or by rotating it from the dashboard", async () => {
    const { apiKey, ...credentials } = await service.verified();
    const cookie = await service.session(credentials);
    const { text } = await service.call("POST", "/dashboard/key", { headers: { cookie } });
    const fresh = /ext_live_[0-9A-Za-z]{32}/.exec(text)![0];
    expect((await account(apiKey)).status).toBe(401);
    expect((await account(fresh)).status).toBe(200);
  });

  test("a suspended account is told so", async () => {
    const { id, apiKey } = await service.verified();
    await service.database.query("UPDATE accounts SET suspended_at = now() WHERE id = $1", [id]);
    const { status, json } = await account(apiKey);
    expect([status, json.code]).toEqual([403, "account_suspended"]);
  });

  test("two rotations at the same moment leave exactly one key that works", async () => {
    const { apiKey } = await service.verified();
    const rotate = () => service.call("POST", "/api/v1/account/rotate-key", { key: apiKey });
    const answers = await Promise.all([rotate(), rotate(), rotate()]);
    const keys = answers.filter(({ status }) => status === 200).map(({ json }) => json.api_key as string);
    expect(keys.length).toBeGreaterThan(0);
    const alive = await Promise.all([apiKey, ...keys].map(async (key) => (await account(key)).status === 200));
    expect(alive.filter(Boolean)).toHaveLength(1);
  });
});

describe("The old key is refused on every process with the very next request", () => {
  test("also by a process that knows the old key well", async () => {
    const other = await startTestService({ beside: service });
    const { apiKey } = await service.verified();
    const there = (key: string) => other.call("GET", "/api/v1/account", { key });
    expect((await there(apiKey)).status).toBe(200);
    const { json } = await service.call("POST", "/api/v1/account/rotate-key", { key: apiKey });
    expect((await there(apiKey)).status).toBe(401);
    expect((await there(json.api_key)).status).toBe(200);
    await other.stop();
  });
});
