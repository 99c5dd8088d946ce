// What befalls a delivery besides its receiver: sending by hand, rotation, deletion, crashes, shutdown, time.
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Outbound, OutboundRequest } from "../../src/platform/net/outbound.ts";
import { startDelivering } from "../../src/webhooks/deliver.ts";
import { forgetOldDeliveries } from "../../src/webhooks/deliveries.ts";
import { signBody } from "../../src/webhooks/sign.ts";
import { until } from "../until.ts";
import { answer, type Events, startEvents } from "./events.ts";

const HOUR_MS = 3_600_000;
type Send = (request: OutboundRequest) => Promise<Answer>;
/** Stands between the service and the network while a test wants something to go wrong there. */
let meddle: ((request: OutboundRequest, send: Send) => Promise<Answer>) | null = null;
const meddling = (real: Outbound): Outbound => ({
  request: (request) => (meddle ? meddle(request, (each) => real.request(each)) : real.request(request)),
  download: (request) => real.download(request),
  close: () => real.close(),
});

let events: Events;
let key: string;
beforeAll(async () => {
  events = await startEvents({ around: meddling });
  key = events.account.apiKey;
});
afterAll(() => events.stop());
afterEach(() => {
  meddle = null;
});

const redeliver = (id: string) => events.call("POST", `/api/v1/extractions/${id}/redeliver`, { key });
const row = async (id: string) => {
  const [found] = await events.database.query<{ unrecorded: number; status: string; attempts: number; claims: number }>(
    "SELECT * FROM deliveries WHERE extraction_id = $1",
    [id],
  );
  return found!;
};

describe("sending again by hand", () => {
  it("sends the same event id and body, one attempt that is not counted", async () => {
    events.on("/again", answer(500));
    const id = await events.send(events.to("/again"));
    for (const [count, wait] of [
      [1, 30_000],
      [2, 120_000],
      [3, 0],
    ] as const) {
      await events.attempted(id, count);
      events.pass(wait);
    }
    const failing = await redeliver(id);
    expect(failing.status).toBe(202);
    expect(failing.json.data).toMatchObject([{ status: "pending", attempts: [{}, {}, {}] }]);
    const failed = await events.attempted(id, 4);
    expect(failed).toMatchObject({ status: "failed", next_attempt_at: null });

    events.on("/again", answer(200));
    await redeliver(id);
    const delivered = await events.attempted(id, 5);
    expect(delivered.status).toBe("delivered");
    expect(delivered.attempts.map(({ by_hand }) => by_hand)).toEqual([false, false, false, true, true]);
    const [first, ...later] = events.at("/again");
    expect(later).toHaveLength(4);
    for (const each of later) {
      expect(each.body).toEqual(first!.body);
      expect(each.headers["webhook-id"]).toBe(delivered.id);
      expect(each.headers["x-extract-signature"]).toBe(first!.headers["x-extract-signature"]);
    }
  });

  it("leaves a delivered event delivered when it fails", async () => {
    const id = await events.send(events.to("/once"));
    await events.attempted(id, 1);
    events.on("/once", answer(500));
    await redeliver(id);
    const shown = await events.attempted(id, 2);
    expect([shown.status, shown.attempts.map(({ status }) => status)]).toEqual(["delivered", [204, 500]]);
    expect((await row(id)).attempts).toBe(1);
  });

  it("is refused while the event is under way, without an event, to strangers, and once it is deleted", async () => {
    events.on("/waiting", answer(500));
    const id = await events.send(events.to("/waiting"));
    await events.attempted(id, 1);
    const pending = await redeliver(id);
    expect([pending.status, pending.json.code]).toEqual([409, "delivery_pending"]);
    const sync = await events.call("POST", "/api/v1/extract", { key, json: { text: "sync" } });
    expect((await redeliver(sync.json.id)).status).toBe(404);
    const other = (await events.verified()).apiKey;
    for (const [method, path] of [
      ["POST", `/api/v1/extractions/${id}/redeliver`],
      ["GET", `/api/v1/extractions/${id}/deliveries`],
      ["GET", `/api/v1/deliveries/${(await events.delivery(id)).id}`],
    ] as const)
      expect((await events.call(method, path, { key: other })).status).toBe(404);
    await events.call("DELETE", `/api/v1/extractions/${id}`, { key });
    expect((await redeliver(id)).status).toBe(410);
  });
});

describe("a rotated secret", () => {
  it("signs at once, the old one beside it for 24 hours and no longer", async () => {
    const old = events.account.webhookSecret;
    const rotated = await events.call("POST", "/api/v1/account/webhook-secret/rotate", { key });
    const { webhook_secret: secret, previous_valid_until: until } = rotated.json;
    expect(Date.parse(until) - events.clock.now().getTime()).toBe(24 * HOUR_MS);

    const id = await events.send(events.to("/rotated"));
    await events.attempted(id, 1);
    events.pass(24 * HOUR_MS - 1);
    await redeliver(id);
    await events.attempted(id, 2);
    events.pass(1);
    await redeliver(id);
    await events.attempted(id, 3);
    const [first, second, third] = events.at("/rotated");
    for (const { headers, body } of [first!, second!]) {
      expect(headers["x-extract-signature"]).toBe(signBody(secret, body));
      expect(headers["x-extract-signature-previous"]).toBe(signBody(old, body));
      expect(String(headers["webhook-signature"]).split(" ")).toHaveLength(2);
    }
    expect(third!.headers["x-extract-signature"]).toBe(signBody(secret, third!.body));
    expect(third!.headers).not.toHaveProperty("x-extract-signature-previous");
    expect(String(third!.headers["webhook-signature"]).split(" ")).toHaveLength(1);

    const explain = (headers: object) =>
      events.call("POST", "/api/v1/account/explain-signature", {
        key,
        json: { body: third!.body.toString(), headers },
      });
    const stale = { ...third!.headers, "x-extract-signature": signBody(old, third!.body) };
    expect((await explain(stale)).json.mistakes).toMatchObject([{ code: "previous_secret" }]);
  });
});

describe("the explanation of a signature", () => {
  it("knows what was sent", async () => {
    const id = await events.send(events.to("/explained"));
    await events.attempted(id, 1);
    const { headers, body } = events.at("/explained")[0]!;
    const text = body.toString();
    const explain = async (changed: string) => {
      const json = { body: changed, headers };
      const answer = await events.call("POST", "/api/v1/account/explain-signature", { key, json });
      expect(answer.status).toBe(200);
      return answer.json;
    };
    expect(await explain(text)).toEqual({ matches: true, mistakes: [] });
    expect(await explain(JSON.stringify(JSON.parse(text), null, 2))).toMatchObject({
      matches: false,
      mistakes: [{ code: "whitespace", message: expect.stringContaining("Sign the raw bytes") }],
    });
    // Only what was sent can tell these two.
    expect(await explain(text.slice(0, -20))).toMatchObject({ mistakes: [{ code: "truncated" }] });
    expect(await explain(text.replace('"size":', '"size":1'))).toMatchObject({ mistakes: [{ code: "other_body" }] });
  });
});

describe("a test event", () => {
  const testEvent = (json: unknown) => events.call("POST", "/api/v1/account/test-event", { key, json });

  it("is signed and delivered like any other, has the shape of a real one, and is found by its id", async () => {
    const { status, json } = await testEvent({ webhook_url: events.to("/test-event") });
    expect(status).toBe(202);
    const shown = await until("it is delivered", async () => {
      const found = await events.call("GET", `/api/v1/deliveries/${json.event_id}`, { key });
      return found.json.status === "delivered" && found.json;
    });
    expect(shown).toMatchObject({ id: json.event_id, event: "extraction.completed", attempts: [{ status: 204 }] });
    const { headers, body } = events.at("/test-event")[0]!;
    const sample = JSON.parse(body.toString());
    expect(headers).toMatchObject({ "x-extract-request-id": sample.id, "webhook-id": json.event_id });
    expect(sample.metadata).toEqual({ test: true });
    const real = (await events.call("POST", "/api/v1/extract", { key, json: { text: "This is a test event." } })).json;
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape);
      if (value === null || typeof value !== "object") return value === null ? null : typeof value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]));
    };
    const named = { ...real, source: { ...real.source, name: "text" }, metadata: sample.metadata };
    expect(shape({ ...sample, document: { ...sample.document, language: real.document.language } })).toEqual(
      shape(named),
    );
  });

  it("needs an address that can work", async () => {
    expect((await testEvent({})).json.code).toBe("webhook_url_required");
    expect((await testEvent({ webhook_url: "http://example.com/" })).json.code).toBe("invalid_webhook_url");
  });
});

describe("a deletion", () => {
  it("before the delivery ends it without sending", async () => {
    events.on("/deleted", answer(500));
    const id = await events.send(events.to("/deleted"));
    await events.attempted(id, 1);
    await events.call("DELETE", `/api/v1/extractions/${id}`, { key });
    events.pass(30_000);
    await until("it has ended", async () => (await row(id)).status === "failed");
    const attempts = await events.database.query(
      "SELECT error FROM attempts JOIN deliveries d ON d.id = delivery_id WHERE extraction_id = $1 ORDER BY attempts.id",
      [id],
    );
    expect(attempts.at(-1)).toEqual({ error: "The extraction was deleted before its event was delivered." });
    expect(events.at("/deleted")).toHaveLength(1);
  });
});

describe("an account that keeps nothing", () => {
  it("has its result until it is delivered, and no longer", async () => {
    const account = await events.verified();
    await events.database.query("UPDATE accounts SET retention_days = 0 WHERE id = $1", [account.id]);
    events.on("/kept", answer(500));
    const call = (method: string, path: string, json?: unknown) =>
      events.call(method, path, { key: account.apiKey, json });
    const said = { text: "short-lived", options: { async: true }, webhook_url: events.to("/kept") };
    const { id } = (await call("POST", "/api/v1/extract", said)).json;
    const attempts = async () =>
      (await call("GET", `/api/v1/extractions/${id}/deliveries`)).json.data?.[0]?.attempts ?? [];
    await until("it was tried", async () => (await attempts()).length === 1);
    events.on("/kept", answer(204));
    events.pass(30_000);
    await until("it is gone", async () => (await call("GET", `/api/v1/extractions/${id}`)).status === 410);
    expect(events.at("/kept").map(({ body }) => JSON.parse(body.toString()).document.text)).toEqual([
      "short-lived",
      "short-lived",
    ]);
  });
});

describe("a crash", () => {
  it("between sending and recording sends the event again, not counted", async () => {
    meddle = async (request, send) => {
      await send(request);
      throw new Error("the process dies here");
    };
    const id = await events.send(events.to("/crashed"));
    await until("it was sent", () => events.at("/crashed").length === 1);
    meddle = null;
    events.pass(39_999);
    await events.caughtUp();
    expect(events.at("/crashed")).toHaveLength(1);
    events.pass(1);
    const shown = await events.attempted(id, 1);
    expect(shown.attempts).toHaveLength(1);
    expect(shown.status).toBe("delivered");
    const [first, second] = events.at("/crashed");
    expect(second!.body).toEqual(first!.body);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(await row(id)).toMatchObject({ attempts: 1, unrecorded: 0 });
  });

  it("at every attempt ends the event after ten, with longer and longer waits", async () => {
    const path = "/poison";
    meddle = async (request, send) => {
      if (!request.url.endsWith(path)) return send(request);
      await send(request);
      throw new Error("the process dies here");
    };
    const id = await events.send(events.to(path));
    const waits = [40, 40, 40, 80, 160, 320, 640, 1280, 2560, 5120];
    for (const [lost, seconds] of waits.entries()) {
      await until(`it was sent ${lost + 1} times`, () => events.at(path).length === lost + 1);
      expect((await events.delivery(id)).next_attempt_at).toBe(null);
      events.pass(seconds * 1000 - 1);
      await events.caughtUp();
      expect(events.at(path)).toHaveLength(lost + 1);
      events.pass(1);
    }
    const shown = await events.attempted(id, 1);
    expect(shown.status).toBe("failed");
    expect(shown.attempts.map(({ error }) => error)).toEqual([
      "The service was interrupted each time it sent this event.",
    ]);
    expect(events.at(path)).toHaveLength(10);

    meddle = null;
    await redeliver(id);
    expect((await events.attempted(id, 2)).status).toBe("delivered");
  });
});

describe("an attempt that was given up for dead", () => {
  it("is dropped when it comes back late", async () => {
    const held = Promise.withResolvers<void>();
    let stuck = 0;
    meddle = async (request, send) => {
      if (request.url.endsWith("/late") && stuck++ === 0) {
        await held.promise;
        return { status: 500, headers: {}, body: Buffer.from("late"), truncated: false, url: request.url };
      }
      return send(request);
    };
    const id = await events.send(events.to("/late"));
    await until("it is stuck", () => stuck === 1);
    events.on("/late", answer(503));
    events.pass(40_000);
    const before = await events.attempted(id, 1);
    expect([before.status, before.attempts.map(({ status }) => status)]).toEqual(["pending", [503]]);
    held.resolve();
    await events.caughtUp();
    expect(await events.delivery(id)).toEqual(before);
  });
});

describe("a shutdown", () => {
  let first: Events;
  beforeAll(async () => {
    first = await startEvents();
  });
  afterAll(() => first.stop());

  it("hands back what is in flight, for another process to send at once", async () => {
    first.on("/", () => {});
    const id = await first.send(first.to("/"));
    await until("it is in flight", () => first.at("/").length === 1);
    await Promise.all(first.service.pumps.map((pump) => pump.stop()));
    const now = first.clock.now().toISOString();
    expect(await first.delivery(id)).toMatchObject({ status: "pending", attempts: [], next_attempt_at: now });

    first.on("/", answer(204));
    // Another worker's, on the same database.
    const second = startDelivering(first.service.app, async () => {});
    expect((await first.attempted(id, 1)).attempts).toMatchObject([{ status: 204 }]);
    expect(first.at("/")).toHaveLength(2);
    await second.stop();
  });
});

describe("old deliveries", () => {
  it("are forgotten after 30 days, those under way never", async () => {
    events.on("/old", answer(500));
    const done = await events.send(events.to("/done"));
    const open = await events.send(events.to("/old"));
    await events.attempted(done, 1);
    await events.attempted(open, 1);
    // Without letting the workers look: the open one stays as it is.
    events.clock.advance(30 * 24 * HOUR_MS);
    await forgetOldDeliveries(events.service.app);
    expect(await row(done)).toMatchObject({ status: "delivered" });
    events.clock.advance(1);
    await forgetOldDeliveries(events.service.app);
    expect(await row(done)).toBe(undefined);
    const left = await events.database.query("SELECT status FROM deliveries WHERE extraction_id = $1", [open]);
    expect(left).toHaveLength(1);
  });
});

describe("the Standard Webhooks library", () => {
  it("verifies a delivery, with both secrets after a rotation", async () => {
    const account = await events.verified();
    const call = (path: string, json?: unknown) => events.call("POST", path, { key: account.apiKey, json });
    const { webhook_secret } = (await call("/api/v1/account/webhook-secret/rotate")).json;
    await call("/api/v1/extract", { text: "日本", options: { async: true }, webhook_url: events.to("/standard") });
    const { headers, body } = await until("it arrives", () => events.at("/standard")[0]);
    // The library compares with the machine's clock, which ours has long left behind.
    const now = Date.now;
    Date.now = () => events.clock.now().getTime();
    try {
      for (const secret of [webhook_secret, account.webhookSecret])
        expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
          status: "completed",
        });
      expect(() => new Webhook(webhook_secret).verify(`${body} `, headers as Record<string, string>)).toThrow(
        "No matching signature found",
      );
    } finally {
      Date.now = now;
    }
  });
});
