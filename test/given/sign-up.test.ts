// Registration, verification, sessions and mails, as decided where the contract leaves them open.
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forgetStale } from "../../src/accounts/forget.ts";
import { startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { SIGNUPS_PER_HOUR: "10000" } });
});
afterAll(() => service.stop());

const logIn = (email: string, password: string, headers = {}) =>
  service.call("POST", "/login", { form: { email, password }, headers });
const dashboard = (cookie: string) => service.call("GET", "/dashboard", { headers: { cookie } });
const withoutSecrets = (text: string) =>
  text.replace(/ext_live_\w+|whsec_[\w+/=]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|"ext_live\w*"/g, "…");

test("The sign-up answers the same whether or not the address is known; addresses are unique among verified accounts", async () => {
  const { email, password, apiKey } = await service.verified();
  const [known, unknown] = await Promise.all([
    service.call("POST", "/register", { json: { email, password: "another password" } }),
    service.call("POST", "/register", { json: { email: `x${email}`, password: "another password" } }),
  ]);
  expect(known.status).toBe(201);
  expect(withoutSecrets(known.text)).toBe(withoutSecrets(unknown.text).replace(`x${email}`, email));
  const second = await service.mail(email, 2);
  expect(second.subject).toBe("You already have an account");
  expect(second.token).toBeNull();
  expect((await service.call("GET", "/api/v1/account", { key: known.json.api_key })).json.code).toBe(
    "email_not_verified",
  );
  expect((await service.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(200);
  expect((await logIn(email, password)).status).toBe(303);
});

test("of two sign-ups with one address the first to verify gets it, in any spelling", async () => {
  const first = await service.signUp({ email: "Twice@Example.com" });
  const { token: firstToken } = await service.mail("Twice@Example.com");
  await service.signUp({ email: "twice@example.com" });
  const { token: secondToken } = await service.mail("twice@example.com");
  expect((await service.call("POST", "/verify", { json: { token: secondToken } })).status).toBe(200);
  const late = await service.call("POST", "/verify", { json: { token: firstToken } });
  expect([late.status, late.json.code]).toEqual([422, "invalid_token"]);
  expect((await service.call("GET", "/api/v1/account", { key: first.apiKey })).status).toBe(403);
});

test("Verification links: 256-bit, single use, hashed at rest, 24 h, consumed by a POST so that mail scanners cannot", async () => {
  const { email, apiKey } = await service.signUp();
  const { token, link } = await service.mail(email);
  expect(Buffer.from(token!, "base64url")).toHaveLength(32);
  const stored = await service.database.query<{ row: string }>("SELECT t::text AS row FROM tokens t");
  expect(stored.map(({ row }) => row).join()).not.toContain(token);
  expect(service.logs.join()).not.toContain(token);
  for (const method of ["GET", "HEAD", "GET"]) await service.call(method, link!);
  expect((await service.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(403);
  expect((await service.call("POST", "/verify", { json: { token } })).status).toBe(200);
  expect((await service.call("POST", "/verify", { json: { token } })).json.code).toBe("invalid_token");
});

test("a link is dead after 24 hours, and a new one can be had", async () => {
  const { email, apiKey } = await service.signUp();
  const { token } = await service.mail(email);
  service.clock.advance(24 * HOUR_MS);
  expect((await service.call("POST", "/verify", { json: { token } })).json.code).toBe("invalid_token");
  expect((await service.call("POST", "/verify/resend", { json: { email } })).status).toBe(202);
  const again = await service.mail(email, 2);
  expect((await service.call("POST", "/verify", { json: { token: again.token } })).status).toBe(200);
  expect((await service.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(200);
});

test("asking for a mail answers the same for addresses nobody has, and sends none", async () => {
  const { email } = await service.verified();
  const pages = await Promise.all(
    [email, `no${email}`].map((to) => service.call("POST", "/forgot", { form: { email: to } })),
  );
  expect(pages[0]!.status).toBe(200);
  expect(pages[0]!.text.replaceAll(email, "…")).toBe(pages[1]!.text.replaceAll(`no${email}`, "…"));
  await service.mail(email, 2);
  expect(await service.mails(`no${email}`)).toEqual([]);
});

test("a mailbox gets at most 5 mails an hour from us, however often strangers ask", async () => {
  const { email } = await service.signUp();
  for (let i = 0; i < 8; i++) await service.call("POST", "/verify/resend", { json: { email } });
  await until("all mails are done with", async () => {
    const [row] = await service.database.query<{ open: number }>(
      "SELECT count(*)::int AS open FROM mails JOIN accounts a ON a.id = account_id WHERE a.email = $1 AND sent_at IS NULL",
      [email],
    );
    return row!.open === 0;
  });
  expect(await service.mails(email)).toHaveLength(5);
});

test("a forgotten password is replaced by a link, which ends every session", async () => {
  const { email, password } = await service.verified();
  const cookie = await service.session({ email, password });
  expect((await dashboard(cookie)).status).toBe(200);
  await service.call("POST", "/forgot", { form: { email } });
  const { link, token, subject } = await service.mail(email, 2);
  expect(subject).toBe("Set a new password");
  expect(link).toBe(`${service.baseUrl}/reset?token=${token}`);
  expect((await service.call("POST", "/reset", { form: { token: token!, password: "short" } })).status).toBe(422);
  const reset = await service.call("POST", "/reset", { form: { token: token!, password: "another password" } });
  expect(reset.status).toBe(200);
  expect((await dashboard(cookie)).headers.get("location")).toBe("/login");
  expect((await logIn(email, password)).status).toBe(401);
  expect((await logIn(email, "another password")).status).toBe(303);
  const again = await service.call("POST", "/reset", { json: { token, password: "a third password" } });
  expect(again.json.code).toBe("invalid_token");
});

test("a verification link does not set a password, nor the other way round", async () => {
  const { email } = await service.signUp();
  const { token } = await service.mail(email);
  const reset = await service.call("POST", "/reset", { json: { token, password: "a long password" } });
  expect(reset.json.code).toBe("invalid_token");
  expect((await service.call("POST", "/verify", { json: { token } })).status).toBe(200);
});

test("Sessions: HttpOnly, SameSite=Lax, revocable, and over after 14 days", async () => {
  const { email, password } = await service.verified();
  const { headers } = await logIn(email, password);
  const [cookie = "", ...attributes] = headers.getSetCookie()[0]!.split("; ");
  expect(attributes).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Path=/"]));
  const stored = await service.database.query<{ row: string }>("SELECT t::text AS row FROM sessions t");
  expect(stored.map(({ row }) => row).join()).not.toContain(cookie.split("=")[1]);
  expect((await dashboard(cookie)).status).toBe(200);
  await service.call("POST", "/logout", { headers: { cookie } });
  expect((await dashboard(cookie)).headers.get("location")).toBe("/login");
  const later = await service.session({ email, password });
  service.clock.advance(14 * 24 * HOUR_MS);
  expect((await dashboard(later)).headers.get("location")).toBe("/login");
});

test("CSRF by Origin check: another site's form does nothing for a signed-in visitor", async () => {
  const { apiKey, ...credentials } = await service.verified();
  const cookie = await service.session(credentials);
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: service.baseUrl },
  ];
  for (const headers of foreign)
    expect((await service.call("POST", "/dashboard/key", { headers: { cookie, ...headers } })).json.code).toBe(
      "cross_origin_refused",
    );
  expect((await service.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(200);
  const own = { cookie, origin: service.baseUrl, "sec-fetch-site": "same-origin" };
  expect((await service.call("POST", "/dashboard/key", { headers: own })).status).toBe(200);
});

test("log-in is throttled: the eleventh wrong password in a quarter of an hour is not even tried", async () => {
  const { email, password } = await service.verified();
  for (let i = 0; i < 10; i++) expect((await logIn(email, "a wrong password")).status).toBe(401);
  const refused = await logIn(email, password);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("900");
  service.clock.advance(15 * MINUTE_MS);
  expect((await logIn(email, password)).status).toBe(303);
});

test("what was done to an account is on record, with the address it came from", async () => {
  const { id, apiKey, ...credentials } = await service.verified();
  await logIn(credentials.email, "a wrong password");
  const cookie = await service.session(credentials);
  await service.call("POST", "/dashboard/webhook-secret", { headers: { cookie } });
  await service.call("POST", "/api/v1/account/rotate-key", { key: apiKey });
  await service.call("POST", "/logout", { headers: { cookie } });
  const rows = await service.database.query("SELECT action, address FROM audit WHERE account_id = $1 ORDER BY id", [
    id,
  ]);
  expect(rows).toEqual(
    [
      "registered", "email_verified", "sign_in_failed", "signed_in", "webhook_secret_rotated", "api_key_rotated", "signed_out",
    ].map((action) => ({ action, address: "127.0.0.1" })),
  ); // biome-ignore format: a list of words
});

test("sign-ups from one network address are throttled", async () => {
  const strict = await startTestService({ env: { SIGNUPS_PER_HOUR: "2" } });
  const tries = [];
  for (let i = 0; i < 3; i++)
    tries.push(
      await strict.call("POST", "/register", { json: { email: `a${i}@example.com`, password: "a password of ours" } }),
    );
  expect(tries.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(tries[2]!.headers.get("retry-after")).toBe("3600");
  await strict.stop();
});

test("Mail: SMTP where configured, tried again when the server does not take it", async () => {
  const taken: { from: string; to: string; text: string }[] = [];
  let refuse = true;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk) => chunks.push(chunk));
      stream.on("end", () => {
        if (refuse) {
          refuse = false;
          return done(Object.assign(new Error("busy"), { responseCode: 451 }));
        }
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address).join(),
          text: Buffer.concat(chunks).toString().replace(/=\r\n/g, "").replaceAll("=3D", "="),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  const sending = await startTestService({
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Us <us@example.org>" },
  });
  const { apiKey } = await sending.signUp({ email: "smtp@example.com" });
  await until("the refused mail waits for its next attempt", async () => {
    const rows = await sending.database.query("SELECT FROM mails WHERE last_error LIKE '%busy%' AND sent_at IS NULL");
    return rows.length === 1;
  });
  expect(taken).toEqual([]);
  sending.clock.advance(10_000);
  await until("the mail is taken", () => taken.length === 1);
  expect(taken[0]).toMatchObject({ from: "us@example.org", to: "smtp@example.com" });
  const token = /verify\?token=([\w-]+)/.exec(taken[0]!.text)?.[1];
  expect((await sending.call("POST", "/verify", { json: { token } })).status).toBe(200);
  expect((await sending.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(200);
  await sending.stop();
  await new Promise<void>((resolve) => server.close(resolve));
});

test("what nobody needs any more is swept: links, sessions, sign-ups never verified", async () => {
  const alone = await startTestService();
  const kept = await alone.verified();
  await alone.session(kept);
  const dropped = await alone.signUp();
  await alone.mail(dropped.email);
  alone.clock.advance(31 * 24 * HOUR_MS);
  await forgetStale(alone.service.app);
  const ids = (await alone.database.query("SELECT id FROM accounts")).map(({ id }) => id);
  expect(ids).toEqual([kept.id]);
  for (const table of ["tokens", "sessions", "mails", "rate_limits"])
    expect(await alone.database.query(`SELECT FROM ${table}`), table).toEqual([]);
  await alone.stop();
});
