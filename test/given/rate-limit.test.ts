// Parts 7 and 8 of the contract: the request rate.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const account = (key: string, at = service) => at.call("GET", "/api/v1/account", { key });
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);
const times = <T>(count: number, act: () => Promise<T>) => Promise.all(Array.from({ length: count }, act));

test("Request rate: 60 requests per minute per API key (default). Over the rate: 429 Too Many Requests", async () => {
  const { apiKey } = await service.verified();
  const answers = await times(70, () => account(apiKey));
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(60);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  for (const { json, headers } of refused) {
    expect(json).toMatchObject({ code: "rate_limited", title: "Too many requests", retryable: true });
    expect(headers.get("retry-after")).toBe("60");
  }
});

test("60 requests in any 60 seconds (sliding): room comes back one by one, as the old requests leave the window", async () => {
  const { apiKey } = await service.verified();
  await times(30, () => account(apiKey));
  service.clock.advance(40_000);
  await times(30, () => account(apiKey));
  expect((await account(apiKey)).headers.get("retry-after")).toBe("20");
  service.clock.advance(19_999);
  expect((await account(apiKey)).status).toBe(429);
  service.clock.advance(1);
  expect(statuses(await times(31, () => account(apiKey))).filter((status) => status === 200)).toHaveLength(30);
  service.clock.advance(39_999);
  expect((await account(apiKey)).status).toBe(429);
});

test("a refused request takes no place in the window", async () => {
  const { apiKey } = await service.verified();
  await times(60, () => account(apiKey));
  service.clock.advance(30_000);
  expect(statuses(await times(5, () => account(apiKey)))).toEqual([429, 429, 429, 429, 429]);
  service.clock.advance(30_000);
  expect((await account(apiKey)).headers.get("x-ratelimit-remaining")).toBe("59");
});

test("exact across processes", async () => {
  const other = await startTestService({ beside: service });
  const { apiKey } = await service.verified();
  const answers = await Promise.all([times(45, () => account(apiKey)), times(45, () => account(apiKey, other))]);
  expect(statuses(answers.flat()).filter((status) => status === 200)).toHaveLength(60);
  await other.stop();
});

test("every answer carries RateLimit-Policy, RateLimit and X-RateLimit-Limit/Remaining/Reset", async () => {
  const { apiKey } = await service.verified();
  const first = await account(apiKey);
  const reset = String(Math.ceil((service.clock.now().getTime() + 60_000) / 1000));
  const headersOf = ({ headers }: { headers: Headers }) =>
    ["ratelimit-policy", "ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map((name) =>
      headers.get(name),
    );
  expect(headersOf(first)).toEqual(['"requests";q=60;w=60', '"requests";r=59;t=60', "60", "59", reset]);
  const missing = await service.call("GET", "/api/v1/nothing", { key: apiKey });
  expect([missing.status, ...headersOf(missing)]).toEqual([
    404,
    '"requests";q=60;w=60',
    '"requests";r=58;t=60',
    "60",
    "58",
    reset,
  ]);
  await times(58, () => account(apiKey));
  expect(headersOf(await account(apiKey))).toEqual(['"requests";q=60;w=60', '"requests";r=0;t=60', "60", "0", reset]);
});

test("one key's requests do not count for another", async () => {
  const [one, two] = [await service.verified(), await service.verified()];
  await times(61, () => account(one.apiKey));
  expect((await account(two.apiKey)).headers.get("x-ratelimit-remaining")).toBe("59");
});

test("setting and per account", async () => {
  const tight = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: "2" } });
  const { id, apiKey } = await tight.verified();
  expect(statuses([await account(apiKey, tight), await account(apiKey, tight), await account(apiKey, tight)])).toEqual([
    200, 200, 429,
  ]);
  await tight.database.query("UPDATE accounts SET rate_limit_per_minute = 4 WHERE id = $1", [id]);
  const wider = await account(apiKey, tight);
  expect([wider.status, wider.headers.get("x-ratelimit-limit"), wider.json.limits.requests_per_minute]).toEqual([
    200,
    "4",
    4,
  ]);
  await tight.stop();
});

test("garbage keys are refused without bcrypt, and a good key from the same address still gets in", async () => {
  const checks = async () =>
    (await service.service.app.metrics.keyChecks.get()).values.find(({ labels }) => labels.outcome === "bcrypt")
      ?.value ?? 0;
  const other = await startTestService({ beside: service });
  const { apiKey } = await service.verified();
  const before = await checks();
  const garbage = () => `ext_live_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex")}`;
  const answers = await times(300, () => account(garbage()));
  expect(statuses(answers).filter((status) => status !== 401 && status !== 429)).toEqual([]);
  expect(statuses(answers).filter((status) => status === 401).length).toBeGreaterThanOrEqual(100);
  expect(await checks()).toBe(before);
  expect((await account(apiKey)).status).toBe(200);
  // A process that has not seen the key checks it while the flood goes on.
  await times(150, () => account(garbage(), other));
  expect((await account(apiKey, other)).status).toBe(200);
  await other.stop();
});
