// A delivery: one event on its way to one address, with every attempt it took. The row is the job: `run_at` says when the
// next attempt is due, or until when the one under way is believed to be alive.
import { randomUUIDv7 } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { announce } from "../platform/db/database.ts";
import type { AttemptTable, DeliveryTable } from "../platform/db/schema.ts";

export type Delivery = Selectable<DeliveryTable>;
export type Attempt = Selectable<AttemptTable>;

/** An attempt and what it takes to record it. */
const LEASE_SLACK_MS = 15_000;
/** Rows looked at to find some whose receivers have room. */
const LOOK_AHEAD = 500;

export interface Room {
  places: number;
  /** Attempts one receiver gets at the same time. */
  perHost: number;
  /** Attempts under way here, by receiver. */
  busy: Map<string, number>;
}

/** Due deliveries, oldest first, at most as many to one receiver as it has room for: a dead one holds up nobody else. */
export async function claimDue(app: App, { places, perHost, busy }: Room): Promise<Delivery[]> {
  const now = app.clock.now();
  const lease = new Date(now.getTime() + app.config.webhookTimeoutMs + LEASE_SLACK_MS);
  const hosts = [...busy.keys()];
  const full = hosts.filter((host) => busy.get(host)! >= perHost);
  const { rows } = await sql<Delivery>`
    WITH due AS (
      SELECT id, host FROM deliveries WHERE status = 'pending' AND run_at <= ${now} AND host <> ALL (${full}::text[])
      ORDER BY run_at LIMIT ${LOOK_AHEAD}),
    turn AS (SELECT id, host, row_number() OVER (PARTITION BY host) AS place FROM due),
    chosen AS (
      SELECT turn.id FROM turn LEFT JOIN unnest(${hosts}::text[], ${hosts.map((host) => busy.get(host)!)}::int[]) AS b (host, count) USING (host)
      WHERE place <= ${perHost} - coalesce(b.count, 0) LIMIT ${places})
    UPDATE deliveries SET run_at = ${lease}, claims = claims + 1
    WHERE id IN (
      SELECT id FROM deliveries WHERE id IN (SELECT id FROM chosen) AND status = 'pending' AND run_at <= ${now} FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(app.db);
  return rows;
}

export interface Outcome {
  startedAt: Date;
  durationMs: number;
  status: number | null;
  answer: Buffer | null;
  error: string | null;
}

/** The attempt and what follows from it, in one transaction. An attempt that was given up for dead and comes back late is dropped. */
export async function record(app: App, delivery: Delivery, outcome: Outcome): Promise<Delivery["status"] | null> {
  const now = app.clock.now();
  const isDelivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
  const attempts = delivery.attempts + (delivery.by_hand ? 0 : 1);
  const mayTryAgain = !delivery.by_hand && attempts < app.config.webhookMaxAttempts && outcome.error !== ERASED;
  return app.db.transaction().execute(async (trx) => {
    const status = isDelivered ? "delivered" : mayTryAgain ? "pending" : await endState(app, delivery);
    const { numUpdatedRows } = await trx
      .updateTable("deliveries")
      .set({
        status,
        attempts,
        by_hand: false,
        run_at: new Date(now.getTime() + delayAfter(app, attempts)),
        ended_at: status === "pending" ? null : now,
      })
      .where("id", "=", delivery.id)
      .where("claims", "=", delivery.claims)
      .where("status", "=", "pending")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    await trx
      .insertInto("attempts")
      .values({
        id: randomUUIDv7(),
        delivery_id: delivery.id,
        by_hand: delivery.by_hand,
        started_at: outcome.startedAt,
        duration_ms: outcome.durationMs,
        status: outcome.status,
        answer: outcome.answer,
        error: outcome.error,
      })
      .execute();
    return status;
  });
}

/** Why an event whose result was deleted is not sent. */
export const ERASED = "The extraction was deleted before its event was delivered.";

/** What was delivered once stays delivered, also when sending it again by hand fails. */
async function endState(app: App, delivery: Delivery): Promise<"delivered" | "failed"> {
  if (!delivery.by_hand) return "failed";
  const success = await app.db
    .selectFrom("attempts")
    .select("id")
    .where("delivery_id", "=", delivery.id)
    .where("status", ">=", 200)
    .where("status", "<", 300)
    .executeTakeFirst();
  return success ? "delivered" : "failed";
}

/** 30 s after the first failure, 120 s after the second; past the list the last one repeats. */
function delayAfter(app: App, attempts: number): number {
  const delays = app.config.webhookRetryDelaysMs;
  return delays[Math.min(Math.max(attempts, 1), delays.length) - 1]!;
}

/** Due again at once, and not counted: this process ends, the delivery does not. */
export async function handBack(app: App, delivery: Delivery): Promise<void> {
  await app.db
    .updateTable("deliveries")
    .set({ run_at: app.clock.now() })
    .where("id", "=", delivery.id)
    .where("claims", "=", delivery.claims)
    .where("status", "=", "pending")
    .execute();
}

export async function listDeliveries(
  app: App,
  extractionId: string,
): Promise<{ delivery: Delivery; attempts: Attempt[] }[]> {
  const deliveries = await app.db
    .selectFrom("deliveries")
    .selectAll()
    .where("extraction_id", "=", extractionId)
    .orderBy("id")
    .execute();
  const ids = deliveries.map(({ id }) => id);
  const attempts = ids.length
    ? await app.db.selectFrom("attempts").selectAll().where("delivery_id", "in", ids).orderBy("id").execute()
    : [];
  return deliveries.map((delivery) => ({
    delivery,
    attempts: attempts.filter((attempt) => attempt.delivery_id === delivery.id),
  }));
}

/** The same event once more, by hand: one attempt, not counted among the automatic ones. */
export async function redeliver(app: App, extractionId: string): Promise<void> {
  const { rows } = await sql`
    UPDATE deliveries SET status = 'pending', by_hand = true, run_at = ${app.clock.now()}, ended_at = NULL
    WHERE extraction_id = ${extractionId} AND status <> 'pending' RETURNING id`.execute(app.db);
  if (rows.length) return announce(app.db, "deliveries");
  const some = await app.db
    .selectFrom("deliveries")
    .select("id")
    .where("extraction_id", "=", extractionId)
    .executeTakeFirst();
  throw some
    ? new Fault("delivery_pending")
    : new Fault("not_found", {
        detail: "This extraction sends no event: it was not asynchronous, or has not ended yet.",
      });
}

/** A sample event, to try a receiver with. */
export async function sendTestEvent(app: App, accountId: string, url: string): Promise<string> {
  const id = randomUUIDv7();
  const now = app.clock.now();
  await app.db
    .insertInto("deliveries")
    .values({
      id,
      account_id: accountId,
      extraction_id: null,
      event: "extraction.completed",
      url,
      host: new URL(url).host,
      body: sampleBody(now),
      status: "pending",
      created_at: now,
      run_at: now,
    })
    .execute();
  await announce(app.db, "deliveries");
  return id;
}

function sampleBody(now: Date): Buffer {
  const at = now.toISOString();
  return Buffer.from(
    JSON.stringify({
      id: randomUUIDv7(),
      object: "extraction",
      status: "completed",
      created_at: at,
      started_at: at,
      completed_at: at,
      expires_at: null,
      source: { kind: "text", mime_type: "text/plain", name: "test.txt", size: 5, sha256: null, url: null },
      document: {
        title: null,
        authors: [],
        language: null,
        published_at: null,
        metadata: {},
        page_count: 1,
        text: "Hello",
        markdown: "Hello",
        pages: [{ number: 1, width: null, height: null, unit: null, rotation: 0, ocr: false }],
        elements: [{ id: "e1", type: "paragraph", text: "Hello", page: 1, bbox: null }],
        tables: [],
      },
      data: null,
      evidence: null,
      warnings: [],
      usage: { pages: 0 },
      engine: { version: "test" },
      metadata: { test: true },
      duration_ms: 0,
    }),
  );
}
