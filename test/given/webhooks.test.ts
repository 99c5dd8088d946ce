// Parts 1, 2, 4, 5, 6 and 8 of the given specification, as far as they speak of extraction webhooks. The names quote it.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReceivedRequest } from "../https-server.ts";
import { until } from "../until.ts";
import { answer, type Events, startEvents } from "../webhooks/events.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
let events: Events;
let key: string;
beforeAll(async () => {
  events = await startEvents();
  key = events.account.apiKey;
});
afterAll(() => events.stop());

const arrival = (path: string, count = 1): Promise<ReceivedRequest> =>
  until(`${count} requests arrive at ${path}`, () => events.at(path).length >= count && events.at(path).at(-1));
const postForm = (form: Record<string, string>) => events.call("POST", "/api/v1/extract", { key, form });

/** A program: the pipeline fails on it. */
async function sendBroken(path: string): Promise<string> {
  const query = new URLSearchParams({ "options[async]": "true", webhook_url: events.to(path) });
  const { status, json } = await events.call("POST", `/api/v1/extract?${query}`, {
    key,
    body: Buffer.concat([Buffer.from("7f454c46020101", "hex"), Buffer.alloc(57)]),
    headers: { "content-type": "application/octet-stream" },
  });
  expect(status).toBe(202);
  return json.id;
}

describe("1. What the service does", () => {
  test("Asynchronous: the request carries `options[async]=true` and `webhook_url`. When the job completes, the service delivers the result by HTTPS POST to `webhook_url`", async () => {
    const { status, json } = await postForm({
      text: "some text",
      "options[async]": "true",
      webhook_url: events.to("/post?a=b"),
    });
    expect(status).toBe(202);
    const request = await arrival("/post?a=b");
    expect(request.method).toBe("POST");
    expect(JSON.parse(request.body.toString())).toMatchObject({
      id: json.id,
      status: "completed",
      document: { text: "some text" },
    });
  });
});

describe("2. Resources and their fields", () => {
  test("The sync 200 response and the webhook body have the same schema", async () => {
    const said = { text: "# A title\n\nand a paragraph", metadata: { order: 7 } };
    const sync = await events.call("POST", "/api/v1/extract", { key, json: said });
    expect(sync.status).toBe(200);
    const id = await events.send(events.to("/same"), said);
    const { body } = await arrival("/same");
    const own = { id: 0, created_at: 0, started_at: 0, completed_at: 0, expires_at: 0, duration_ms: 0 };
    expect({ ...JSON.parse(body.toString()), ...own }).toEqual({ ...sync.json, ...own });
    const got = await events.call("GET", `/api/v1/extractions/${id}`, { key });
    expect(got.text).toBe(body.toString());
  });

  test("It is identified by a request id in UUID format, carried in the `X-Extract-Request-Id` header of webhook deliveries", async () => {
    const id = await events.send(events.to("/request-id"));
    const { headers } = await arrival("/request-id");
    expect(headers["x-extract-request-id"]).toBe(id);
    expect(id).toMatch(UUID);
  });
});

describe("4. Endpoint implemented by the client: webhook receiver", () => {
  test("Content-Type: `application/json`. The body is the full extraction JSON", async () => {
    await events.send(events.to("/full"));
    const { headers, body } = await arrival("/full");
    expect(headers["content-type"]).toBe("application/json");
    expect(Object.keys(JSON.parse(body.toString())).sort()).toEqual(
      [
        "id", "object", "status", "created_at", "started_at", "completed_at", "expires_at", "source", "document", "data", "evidence",
        "warnings", "usage", "metadata", "engine", "duration_ms",
      ].sort(),
    ); // biome-ignore format: a list of words
  });

  test("`webhook_url`: string, HTTPS URL", async () => {
    for (const url of [
      "http://example.com/hook",
      "ftp://example.com/",
      "example.com/hook",
      "https://user:pw@example.com/",
      "",
    ]) {
      const { status, json } = await postForm({ text: "x", "options[async]": "true", webhook_url: url });
      expect(`${url} ${status} ${json.code}`).toBe(`${url} 422 invalid_webhook_url`);
      expect(json.errors[0].pointer).toBe("/webhook_url");
    }
  });
});

describe("5. Webhook signing", () => {
  test("Each outgoing extraction webhook carries `X-Extract-Signature: sha256=<hex HMAC-SHA256 of the raw request body, keyed with webhook_secret>`", async () => {
    await events.send(events.to("/signed"));
    await sendBroken("/signed");
    await arrival("/signed", 2);
    for (const { headers, body } of events.at("/signed")) {
      const hex = createHmac("sha256", events.account.webhookSecret).update(body).digest("hex");
      expect(headers["x-extract-signature"]).toBe(`sha256=${hex}`);
    }
    expect(events.at("/signed")[0]!.body.toString()).toContain("Überblick: 日本");
  });
});

describe("6. Events", () => {
  test("the four headers, each once and exactly, and beside them only the Standard Webhooks trio and what HTTP needs", async () => {
    const id = await events.send(events.to("/headers"));
    const { headers, body } = await arrival("/headers");
    const { id: eventId } = await events.delivery(id);
    expect(headers).toEqual({
      host: `localhost:${events.receiver.port}`,
      connection: "close",
      "content-length": String(body.length),
      "user-agent": "extraction-service",
      "accept-encoding": "identity",
      "content-type": "application/json",
      "x-extract-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      "x-extract-event": "extraction.completed",
      "x-extract-request-id": id,
      "webhook-id": eventId,
      "webhook-timestamp": String(Math.floor(events.clock.now().getTime() / 1000)),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  test("extraction.completed: Successful extraction", async () => {
    await events.send(events.to("/completed"));
    const { headers, body } = await arrival("/completed");
    expect(headers["x-extract-event"]).toBe("extraction.completed");
    expect(JSON.parse(body.toString()).status).toBe("completed");
  });

  test("extraction.failed: Pipeline error, with the failed envelope", async () => {
    const id = await sendBroken("/failed");
    const { headers, body } = await arrival("/failed");
    expect(headers["x-extract-event"]).toBe("extraction.failed");
    expect(headers["x-extract-request-id"]).toBe(id);
    const sent = JSON.parse(body.toString());
    expect(sent).toMatchObject({
      id,
      object: "extraction",
      status: "failed",
      error: { code: "unsupported_kind", status: 415, request_id: id, retryable: false },
    });
    expect(sent).not.toHaveProperty("document");
    const got = await events.call("GET", `/api/v1/extractions/${id}`, { key });
    expect(got.text).toBe(body.toString());
  });

  test("Events are sent only for async jobs (`options[async]=true` with `webhook_url`)", async () => {
    const webhook_url = events.to("/never");
    const sync = await events.call("POST", "/api/v1/extract", { key, json: { text: "sync", webhook_url } });
    expect(sync.status).toBe(200);
    expect(sync.json.warnings).toMatchObject([{ code: "webhook_url_unused" }]);
    const preferred = await events.call("POST", "/api/v1/extract", {
      key,
      json: { text: "only polled", webhook_url },
      headers: { prefer: "respond-async" },
    });
    expect(preferred.status).toBe(202);
    const canceled = await events.send(webhook_url);
    await events.call("POST", `/api/v1/extractions/${canceled}/cancel`, { key });
    const without = await postForm({ text: "x", "options[async]": "true" });
    expect([without.status, without.json.code]).toEqual([422, "webhook_url_required"]);

    await events.caughtUp();
    for (const { id } of [sync.json, preferred.json]) {
      const { json } = await events.call("GET", `/api/v1/extractions/${id}/deliveries`, { key });
      expect(json).toEqual({ object: "list", data: [] });
    }
    expect(events.at("/never").filter(({ headers }) => headers["x-extract-request-id"] !== canceled)).toEqual([]);
  });

  test("Retry: a delivery that gets a non-2xx answer is retried with exponential backoff; the body is byte-identical on every attempt", async () => {
    events.on("/retry", answer(500));
    const id = await events.send(events.to("/retry"));
    await events.attempted(id, 1);
    events.pass(30_000);
    await events.attempted(id, 2);
    events.on("/retry", answer(200));
    events.pass(120_000);
    expect((await events.attempted(id, 3)).status).toBe("delivered");
    const [first, second, third] = events.at("/retry");
    expect([second!.body, third!.body]).toEqual([first!.body, first!.body]);
    const stable = ({ headers }: ReceivedRequest) =>
      ["webhook-id", "x-extract-signature", "x-extract-event", "x-extract-request-id"].map((name) => headers[name]);
    expect([stable(second!), stable(third!)]).toEqual([stable(first!), stable(first!)]);
    const seconds = events.at("/retry").map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect([seconds[1]! - seconds[0]!, seconds[2]! - seconds[1]!]).toEqual([30, 120]);
  });
});

describe("8. Limits", () => {
  test("Webhook delivery, max attempts: 3. Webhook retry backoff: 30 s, 120 s", async () => {
    events.on("/three", answer(503, "later"));
    const start = events.clock.now().getTime();
    const id = await events.send(events.to("/three"));
    const first = await events.attempted(id, 1);
    expect(first.status).toBe("pending");
    expect(Date.parse(first.next_attempt_at!) - start).toBe(30_000);
    events.pass(29_999);
    await events.caughtUp();
    expect(events.at("/three")).toHaveLength(1);
    events.pass(1);
    const second = await events.attempted(id, 2);
    expect(Date.parse(second.next_attempt_at!) - start).toBe(150_000);
    events.pass(119_999);
    await events.caughtUp();
    expect(events.at("/three")).toHaveLength(2);
    events.pass(1);
    const third = await events.attempted(id, 3);
    expect(third).toMatchObject({ status: "failed", next_attempt_at: null });
    expect(third.attempts.map((attempt) => Date.parse(attempt.started_at) - start)).toEqual([0, 30_000, 150_000]);
    expect(third.attempts.map(({ status, answer, by_hand }) => [status, answer, by_hand])).toEqual([
      [503, "later", false],
      [503, "later", false],
      [503, "later", false],
    ]);
    events.pass(24 * 3_600_000);
    await events.caughtUp();
    expect(events.at("/three")).toHaveLength(3);
  });

  test("Webhook timeout per attempt: 30 s", () => {
    // That it bounds name lookup, connect, TLS, headers and body together is held by test/webhooks/answers.test.ts, with 1 s.
    expect(events.service.app.config.webhookTimeoutMs).toBe(30_000);
  });
});

describe("8. Limits, where the operator raises the maximum", () => {
  let patient: Events;
  beforeAll(async () => {
    patient = await startEvents({ env: { WEBHOOK_MAX_ATTEMPTS: "6" } });
  });
  afterAll(() => patient.stop());

  test("Webhook retry backoff: 30 s, 120 s, 300 s; the last one repeats", async () => {
    patient.on("/", answer(500));
    const start = patient.clock.now().getTime();
    const id = await patient.send(patient.to("/"));
    for (const [made, seconds] of [30, 120, 300, 300, 300].entries()) {
      const shown = await patient.attempted(id, made + 1);
      expect(Date.parse(shown.next_attempt_at!) - patient.clock.now().getTime()).toBe(seconds * 1000);
      patient.pass(seconds * 1000);
    }
    const shown = await patient.attempted(id, 6);
    expect(shown.status).toBe("failed");
    expect(shown.attempts.map(({ started_at }) => (Date.parse(started_at) - start) / 1000)).toEqual([
      0, 30, 150, 450, 750, 1050,
    ]);
  });
});
