// Sends events: signs, posts, records. Many attempts are in flight at once, few to the same receiver, each bounded in time.

import { findAccount } from "../accounts/accounts.ts";
import { signingSecrets } from "../accounts/webhook-secret.ts";
import type { App } from "../app.ts";
import { OutboundError } from "../platform/net/outbound.ts";
import { type Pump, startPump } from "../platform/queue/pump.ts";
import { claimDue, type Delivery, ERASED, handBack, type Outcome, record } from "./deliveries.ts";
import { deliveryHeaders } from "./sign.ts";

const IN_FLIGHT = 200;
const PER_HOST = 20;
/** What is kept of a receiver's answer, for whoever looks for its mistake. */
const ANSWER_BYTES = 4096;
/** What is still in flight after this is handed to another process. */
const GRACE_MS = 3_000;

export function startDelivering(app: App, onDelivered: (extractionId: string) => Promise<void>): Pump {
  const busy = new Map<string, number>();
  const stopping = new AbortController();

  const run = async (delivery: Delivery) => {
    const outcome = await attempt(app, delivery, stopping.signal);
    if (!outcome) return handBack(app, delivery);
    const status = await record(app, delivery, outcome);
    app.metrics.deliveries.inc({ outcome: status === "delivered" ? "delivered" : "failed" });
    if (status === "delivered" && delivery.extraction_id) await onDelivered(delivery.extraction_id);
  };

  const pump = startPump<Delivery>({
    name: "deliveries",
    atOnce: IN_FLIGHT,
    log: app.log,
    async claim(places) {
      const claimed = await claimDue(app, { places, perHost: PER_HOST, busy });
      for (const { host } of claimed) busy.set(host, (busy.get(host) ?? 0) + 1);
      return claimed;
    },
    async run(delivery) {
      try {
        await run(delivery);
      } finally {
        const left = busy.get(delivery.host)! - 1;
        if (left) busy.set(delivery.host, left);
        else busy.delete(delivery.host);
      }
    },
  });
  app.database.listen("deliveries", () => pump.wake());
  return {
    wake: pump.wake,
    async stop() {
      const grace = setTimeout(() => stopping.abort(), GRACE_MS);
      await pump.stop();
      clearTimeout(grace);
    },
  };
}

/** Null when this process is ending: the attempt is somebody else's. */
async function attempt(app: App, delivery: Delivery, signal: AbortSignal): Promise<Outcome | null> {
  const startedAt = app.clock.now();
  const began = performance.now();
  const done = (result: Partial<Outcome>): Outcome => ({
    startedAt,
    durationMs: Math.round(performance.now() - began),
    status: null,
    answer: null,
    error: null,
    ...result,
  });
  const [body, account] = await Promise.all([readBody(app, delivery), findAccount(app, delivery.account_id)]);
  if (!body || !account) return done({ error: ERASED });
  const { current, previous } = signingSecrets(app, account);
  try {
    const answer = await app.outbound.request({
      url: delivery.url,
      method: "POST",
      body,
      headers: deliveryHeaders({
        body,
        event: delivery.event,
        requestId: delivery.extraction_id ?? JSON.parse(body.toString()).id,
        eventId: delivery.id,
        timestamp: startedAt,
        secret: current,
        previousSecret: previous,
      }),
      timeoutMs: app.config.webhookTimeoutMs,
      maxBytes: ANSWER_BYTES,
      onOverflow: "truncate",
      requireHttps: true,
      signal,
    });
    return done({ status: answer.status, answer: answer.body, error: complaint(answer.status) });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === "canceled") return null;
    return done({ error: error.message });
  }
}

function complaint(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed.`
    : `The receiver answered ${status}.`;
}

async function readBody(app: App, delivery: Delivery): Promise<Buffer | undefined> {
  if (delivery.body) return delivery.body;
  const row = await app.db
    .selectFrom("results")
    .select("body")
    .where("extraction_id", "=", delivery.extraction_id!)
    .executeTakeFirst();
  return row?.body;
}
