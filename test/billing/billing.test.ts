import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reconcile, reportUsage } from "../../src/billing/billing.ts";
import { startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";
import {
  type FakeSubscription,
  type StripeServer,
  signed,
  startStripeServer,
  stripeEvent,
  WEBHOOK_SECRET,
} from "./stripe-server.ts";

const DAY = 86_400;
let stripe: StripeServer;
let service: TestService;

beforeAll(async () => {
  stripe = await startStripeServer();
  service = await startTestService({
    env: {
      STRIPE_SECRET_KEY: "sk_test_x",
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICES: "starter=price_starter,pro=price_pro",
      STRIPE_METER_EVENT: "pages",
      STRIPE_API_BASE: stripe.url,
      RATE_LIMIT_PER_MINUTE: "1000",
    },
  });
});
afterAll(async () => {
  await service.stop();
  await stripe.close();
});

const send = (payload: string, signature: string | null, provider = "stripe") =>
  fetch(`${service.baseUrl}/api/v1/webhooks/${provider}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(signature !== null && { "stripe-signature": signature }) },
    body: payload,
  });

const db = () => service.service.app.db;
const eventCount = async () => (await db().selectFrom("payment_events").select("id").execute()).length;
const applied = () =>
  until("every event is applied", async () => {
    const open = await db().selectFrom("payment_events").select("id").where("applied_at", "is", null).execute();
    return open.length === 0;
  });
const accountRow = (id: string) =>
  db().selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

const period = () => {
  const now = Math.floor(service.clock.now().getTime() / 1000);
  return { periodStart: now - 10 * DAY, periodEnd: now + 20 * DAY };
};
const subscription = (change: Partial<FakeSubscription> = {}): FakeSubscription => ({
  status: "active",
  price: "price_pro",
  ...period(),
  ...change,
});

let serial = 0;
const customer = () => `cus_${++serial}`;

describe("the payment provider signs the request", () => {
  const payload = stripeEvent("evt_signature", "customer.created", { customer: "cus_x" });

  test("a good signature is taken, and the same event again counts once", async () => {
    const before = await eventCount();
    for (let i = 0; i < 3; i++) {
      const answer = await send(payload, signed(payload));
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ received: true });
    }
    expect(await eventCount()).toBe(before + 1);
  });

  test.each([
    ["bad", () => signed(payload, { secret: "whsec_of_another" })],
    ["old", () => signed(payload, { ageSeconds: 400 })],
    ["of another body", () => signed(`${payload} `)],
    ["garbage", () => "t=1,v1=00"],
    ["missing", () => null],
  ])("a signature that is %s is refused with 400", async (_name, sign) => {
    const before = await eventCount();
    const answer = await send(payload, sign());
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_payment_signature", status: 400 });
    expect(await eventCount()).toBe(before);
  });

  test("another provider's name is 404 payment_provider_not_configured", async () => {
    const answer = await send(payload, signed(payload), "paypal");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "payment_provider_not_configured" });
  });
});

describe("events in any order and any number", () => {
  const sequence = (customerId: string, accountId: string, run: number): string[] => {
    const carried = { customer: customerId, metadata: { account_id: accountId } };
    const object: [string, Record<string, unknown>][] = [
      ["checkout.session.completed", { customer: customerId, client_reference_id: accountId }],
      ["customer.subscription.created", carried],
      ["customer.subscription.updated", carried],
      ["customer.subscription.updated", carried],
      ["invoice.paid", { customer: customerId }],
      ["invoice.payment_failed", { customer: customerId }],
      ["customer.subscription.deleted", carried],
    ];
    return object.map(([type, each], at) => stripeEvent(`evt_${run}_${at}`, type, each));
  };
  const state = async (id: string) => {
    const { plan, subscription_status, period_start, period_end, cancel_at } = await accountRow(id);
    return { plan, subscription_status, period_start, period_end, cancel_at };
  };

  test("every order of a whole life, with repetitions, ends in the state that Stripe has", async () => {
    let run = 0;
    const ends: [FakeSubscription[], string][] = [
      [[subscription()], "pro"],
      [[subscription({ status: "canceled" })], "free"],
      [[subscription({ status: "canceled" }), subscription({ price: "price_starter" })], "starter"],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ends),
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 }),
        fc.array(fc.nat(6), { maxLength: 5 }),
        async ([truth, plan], order, again) => {
          const account = await service.verified();
          const customerId = customer();
          stripe.subscriptions.set(customerId, truth);
          const events = sequence(customerId, account.id, ++run);
          for (const at of [...order, ...again])
            expect((await send(events[at]!, signed(events[at]!))).status).toBe(200);
          await applied();
          const first = truth.find(({ status }) => status === "active");
          expect(await state(account.id)).toEqual({
            plan,
            subscription_status: first ? "active" : "ended",
            period_start: first ? new Date(first.periodStart * 1000) : null,
            period_end: first ? new Date(first.periodEnd * 1000) : null,
            cancel_at: null,
          });
        },
      ),
      { numRuns: 12 },
    );
  });

  test("unknown kinds are stored and change nothing", async () => {
    const account = await service.verified();
    const before = await accountRow(account.id);
    const payload = stripeEvent("evt_unknown", "customer.discount.created", {
      customer: customer(),
      metadata: { account_id: account.id },
    });
    expect((await send(payload, signed(payload))).status).toBe(200);
    const row = await db()
      .selectFrom("payment_events")
      .selectAll()
      .where("id", "=", "evt_unknown")
      .executeTakeFirstOrThrow();
    expect(row.applied_at).not.toBeNull();
    expect(await accountRow(account.id)).toEqual(before);
  });

  test("a failure of Stripe loses nothing: the event is tried again", async () => {
    const account = await service.verified();
    const customerId = customer();
    stripe.subscriptions.set(customerId, [subscription()]);
    stripe.failNext(3, 500);
    const payload = stripeEvent("evt_failure", "checkout.session.completed", {
      customer: customerId,
      client_reference_id: account.id,
    });
    expect((await send(payload, signed(payload))).status).toBe(200);
    await until("the failure is recorded", async () => {
      const row = await db()
        .selectFrom("payment_events")
        .select("last_error")
        .where("id", "=", "evt_failure")
        .executeTakeFirst();
      return row?.last_error !== null && row !== undefined;
    });
    expect((await accountRow(account.id)).plan).toBe("free");
    service.clock.advance(5_000);
    await applied();
    expect((await accountRow(account.id)).plan).toBe("pro");
  });
});

describe("arrears", () => {
  test("past_due keeps the plan for seven days with a mail, then falls back to free", async () => {
    const account = await service.verified();
    const customerId = customer();
    stripe.subscriptions.set(customerId, [subscription({ status: "past_due" })]);
    const payload = stripeEvent(`evt_late_${customerId}`, "invoice.payment_failed", {
      customer: customerId,
      metadata: { account_id: account.id },
    });
    expect((await send(payload, signed(payload))).status).toBe(200);
    await applied();
    expect((await accountRow(account.id)).plan).toBe("pro");
    await until("a mail says so", async () =>
      (await service.mails(account.email)).some((mail) => mail.subject === "Your payment failed"),
    );

    service.clock.advance(7 * DAY * 1000);
    await reconcile(service.service.app);
    expect((await accountRow(account.id)).plan).toBe("free");
    stripe.subscriptions.set(customerId, [subscription()]);
    service.clock.advance(DAY * 1000 + 1);
    await reconcile(service.service.app);
    expect(await accountRow(account.id)).toMatchObject({ plan: "pro", past_due_since: null });
  });

  test("a subscription that ends with its period keeps the plan until then", async () => {
    const account = await service.verified();
    const customerId = customer();
    stripe.subscriptions.set(customerId, [subscription({ cancelAtPeriodEnd: true })]);
    const payload = stripeEvent(`evt_cancel_${customerId}`, "customer.subscription.updated", {
      customer: customerId,
      metadata: { account_id: account.id },
    });
    await send(payload, signed(payload));
    await applied();
    const row = await accountRow(account.id);
    expect(row.plan).toBe("pro");
    expect(row.cancel_at).toEqual(row.period_end);
  });
});

describe("quota", () => {
  const extract = (key: string) => service.call("POST", "/api/v1/extract", { key, json: { text: "one page" } });

  test("fifty at once at the last ten pages: ten are taken, all others are 402 with the numbers", async () => {
    const account = await service.verified();
    const { apiKey } = account;
    expect((await extract(apiKey)).status).toBe(200);
    await db().updateTable("usage_periods").set({ pages: 490 }).where("account_id", "=", account.id).execute();
    const answers = await Promise.all(Array.from({ length: 50 }, () => extract(apiKey)));
    const taken = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 402);
    expect([taken.length, refused.length]).toEqual([10, 40]);
    expect(refused[0]!.json).toMatchObject({
      code: "quota_exceeded",
      detail: expect.stringContaining("of 500 pages of the Free plan"),
    });
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("only completed extractions count, and the counter is the sum of the ledger", async () => {
    const account = await service.verified();
    const { apiKey } = account;
    for (let i = 0; i < 3; i++) expect((await extract(apiKey)).status).toBe(200);
    const failed = await service.call("POST", "/api/v1/extract", {
      key: apiKey,
      json: { file: { name: "x.pdf", content: btoa("%PDF-1.7 nothing") } },
    });
    expect(failed.status).toBe(422);
    const ledger = await db().selectFrom("usage").select("pages").where("account_id", "=", account.id).execute();
    const { usage } = (await service.call("GET", "/api/v1/account", { key: apiKey })).json;
    expect(ledger.map(({ pages }) => pages)).toEqual([1, 1, 1]);
    expect(usage).toMatchObject({ pages: 3, quota: 500 });
    const load = await db()
      .selectFrom("usage_periods")
      .selectAll()
      .where("account_id", "=", account.id)
      .executeTakeFirstOrThrow();
    expect(load).toMatchObject({ pages: 3, reserved: 0 });
  });

  test("a new period begins with nothing used", async () => {
    const account = await service.verified();
    const { apiKey } = account;
    expect((await extract(apiKey)).status).toBe(200);
    await db().updateTable("usage_periods").set({ pages: 500 }).where("account_id", "=", account.id).execute();
    expect((await extract(apiKey)).status).toBe(402);
    service.clock.advance(31 * DAY * 1000);
    expect((await extract(apiKey)).status).toBe(200);
  });
});

describe("metered usage", () => {
  beforeEach(() => stripe.requests.splice(0));

  test("pages are reported under the extraction's id, again after a failure", async () => {
    const account = await service.verified();
    const { apiKey } = account;
    const customerId = customer();
    await db().updateTable("accounts").set({ customer_id: customerId }).where("id", "=", account.id).execute();
    const { id } = (await service.call("POST", "/api/v1/extract", { key: apiKey, json: { text: "one page" } })).json;
    stripe.failNext(3, 500);
    await expect(reportUsage(service.service.app)).rejects.toThrow();
    await reportUsage(service.service.app);
    await reportUsage(service.service.app);
    const sent = stripe.requests.filter(({ route, form }) => route.endsWith("/meter_events") && form.identifier === id);
    expect(sent.at(-1)!.form).toMatchObject({
      event_name: "pages",
      "payload[stripe_customer_id]": customerId,
      "payload[value]": "1",
    });
    const row = await db()
      .selectFrom("usage")
      .select("report_at")
      .where("extraction_id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row.report_at).toBeNull();
  });
});

describe("from the dashboard", () => {
  beforeEach(() => stripe.requests.splice(0));

  async function signIn() {
    const account = await service.verified();
    const { email, password } = account;
    const answer = await service.call("POST", "/login", { form: { email, password } });
    return { account, cookie: answer.headers.get("set-cookie")!.split(";")[0]! };
  }

  test("a plan is bought at Stripe's checkout, which carries our account along", async () => {
    const { account, cookie } = await signIn();
    const page = await service.call("GET", "/dashboard", { headers: { cookie } });
    expect(page.text).toContain("Pro: 50,000 pages a month");
    const answer = await service.call("POST", "/dashboard/checkout", { form: { plan: "pro" }, headers: { cookie } });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "https://checkout.stripe.test/cs_1"]);
    expect(stripe.requests[0]).toMatchObject({
      route: "POST /v1/checkout/sessions",
      form: {
        mode: "subscription",
        client_reference_id: account.id,
        customer_email: account.email,
        "line_items[0][price]": "price_pro",
        "subscription_data[metadata][account_id]": account.id,
      },
    });
  });

  test("a plan that is not on sale is refused, and a dropped connection is tried again", async () => {
    const { cookie } = await signIn();
    expect(
      (await service.call("POST", "/dashboard/checkout", { form: { plan: "free" }, headers: { cookie } })).status,
    ).toBe(422);
    stripe.failNext(1, 0);
    expect(
      (await service.call("POST", "/dashboard/checkout", { form: { plan: "pro" }, headers: { cookie } })).status,
    ).toBe(303);
  });

  test("invoices and cancelling are in Stripe's portal, for those who have a subscription", async () => {
    const { account, cookie } = await signIn();
    expect((await service.call("POST", "/dashboard/portal", { headers: { cookie } })).status).toBe(404);
    const customerId = customer();
    await db().updateTable("accounts").set({ customer_id: customerId }).where("id", "=", account.id).execute();
    const answer = await service.call("POST", "/dashboard/portal", { headers: { cookie } });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "https://portal.stripe.test/bps_1"]);
    expect(stripe.requests[0]?.form).toMatchObject({
      customer: customerId,
      return_url: `${service.baseUrl}/dashboard`,
    });
  });

  test("the ledger is there as CSV, one line an extraction", async () => {
    const { account, cookie } = await signIn();
    const { id } = (await service.call("POST", "/api/v1/extract", { key: account.apiKey, json: { text: "one page" } }))
      .json;
    const { text, headers } = await service.call("GET", "/dashboard/usage.csv", { headers: { cookie } });
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(text.split("\r\n").slice(0, 2)).toEqual([
      "extraction_id,completed_at,pages",
      `${id},${service.clock.now().toISOString()},1`,
    ]);
  });
});

test("without Stripe's keys the webhook answers 404 and no quota applies", async () => {
  const off = await startTestService();
  try {
    const answer = await fetch(`${off.baseUrl}/api/v1/webhooks/stripe`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "payment_provider_not_configured" });
    const { apiKey } = await off.verified();
    expect((await off.call("GET", "/api/v1/account", { key: apiKey })).json.usage).toMatchObject({
      pages: 0,
      quota: null,
    });
  } finally {
    await off.stop();
  }
});
