// Sends events: signs, posts, records. Many attempts are in flight at once, few to the same receiver, each bounded in time.
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Account } from "../accounts/accounts.ts";
import { signingSecrets } from "../accounts/webhook-secret.ts";
import type { App } from "../app.ts";
import { OutboundError } from "../platform/net/outbound.ts";
import { type Pump, startPump } from "../platform/queue/pump.ts";
import { startSweeping } from "../platform/queue/sweep.ts";
import { claimDue, handBack, isHopeless, type Outcome, record } from "./claim.ts";
import { type Delivery, forgetOldDeliveries } from "./deliveries.ts";
import { IN_FLIGHT, openRoom, type Room } from "./room.ts";
import { deliveryHeaders } from "./sign.ts";

/** What is kept of a receiver's answer, for whoever looks for its mistake. */
const ANSWER_BYTES = 4096;
/** What is still in flight after this is handed to another process. */
const GRACE_MS = 3_000;
const SWEEP_MS = 600_000;
/** Attempts end by the hundred a second; a claim for each of them would cost the database more than all the rest. */
const CLAIM_EVERY_MS = 20;

const ERASED = "The extraction was deleted before its event was delivered.";
const HOPELESS = "The service was interrupted each time it sent this event.";

/** `onDelivered` comes after the record: a crash in between must not lose what an account wants kept no longer than that. */
export function startDelivering(app: App, onDelivered: (extractionId: string) => Promise<void>): Pump {
  const room = openRoom();
  const stopping = new AbortController();
  let claimedAt = Number.NEGATIVE_INFINITY;

  const run = async (delivery: Delivery) => {
    if (isHopeless(delivery)) {
      // Its body is not touched again: it may be what the processes died of.
      await record(app, delivery, { ...unsent(app), error: HOPELESS, final: true });
      return;
    }
    const payload = await readPayload(app, delivery);
    const outcome = await attempt(app, room, { delivery, payload, signal: stopping.signal });
    if (!outcome) return handBack(app, delivery);
    const status = await record(app, delivery, outcome);
    if (status) app.metrics.deliveries.inc({ outcome: status === "delivered" ? "delivered" : "failed" });
    if (status === "delivered" && delivery.extraction_id) await onDelivered(delivery.extraction_id);
  };

  const pump = startPump<Delivery>({
    name: "deliveries",
    atOnce: IN_FLIGHT,
    log: app.log,
    async claim(places) {
      const waitMs = claimedAt + CLAIM_EVERY_MS - performance.now();
      if (waitMs > 0) await delay(waitMs);
      claimedAt = performance.now();
      const claimed = await claimDue(app, places, room.free());
      for (const delivery of claimed) room.enter(delivery);
      return claimed;
    },
    async run(delivery) {
      try {
        await run(delivery);
      } finally {
        room.leave(delivery);
      }
    },
  });
  const sweep = startSweeping({
    name: "deliveries",
    everyMs: SWEEP_MS,
    sweep: () => forgetOldDeliveries(app),
    log: app.log,
  });
  app.database.listen("deliveries", () => pump.wake());
  return {
    wake: pump.wake,
    async stop() {
      const grace = setTimeout(() => stopping.abort(), GRACE_MS);
      await Promise.all([pump.stop(), sweep.stop()]);
      clearTimeout(grace);
    },
  };
}

type Payload = Account & { body: Buffer | null };

/** Undefined when the account is gone, without a body when the extraction was erased. */
async function readPayload(app: App, delivery: Delivery): Promise<Payload | undefined> {
  const { rows } = await sql<Payload>`
    SELECT a.*, r.body FROM accounts a LEFT JOIN results r ON r.extraction_id = ${delivery.extraction_id}::uuid
    WHERE a.id = ${delivery.account_id}`.execute(app.db);
  return rows[0];
}

interface Sending {
  delivery: Delivery;
  payload: Payload | undefined;
  signal: AbortSignal;
}

/** Null when this process is ending: the attempt is somebody else's. */
async function attempt(app: App, room: Room, { delivery, payload, signal }: Sending): Promise<Outcome | null> {
  const body = delivery.body ?? payload?.body;
  if (!payload || !body) return { ...unsent(app), error: ERASED, final: true };
  const { current, previous } = signingSecrets(app, payload);
  const blank = unsent(app);
  const began = performance.now();
  const done = (result: Partial<Outcome>): Outcome => ({
    ...blank,
    durationMs: Math.round(performance.now() - began),
    ...result,
  });
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
        timestamp: blank.startedAt,
        secret: current,
        previousSecret: previous,
      }),
      timeoutMs: app.config.webhookTimeoutMs,
      maxBytes: ANSWER_BYTES,
      onOverflow: "truncate",
      requireHttps: true,
      signal,
    });
    room.heard(delivery.host, true);
    return done({ status: answer.status, answer: answer.body, error: complaint(answer.status) });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === "canceled") return null;
    if (error.reason === "timeout") room.heard(delivery.host, false);
    return done({ error: error.message });
  }
}

const unsent = (app: App): Outcome => ({
  startedAt: app.clock.now(),
  durationMs: 0,
  status: null,
  answer: null,
  error: null,
});

function complaint(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed.`
    : `The receiver answered ${status}.`;
}
