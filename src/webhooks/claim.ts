// Taking due deliveries, recording what came of them, giving back what this process cannot finish. Each is one statement;
// `claims` tells an attempt that was given up for dead and comes back late from the one that took its place.
import { randomUUIDv7 } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Delivery } from "./deliveries.ts";
import type { Free } from "./room.ts";

/** Beyond the attempt itself: reading the body, waiting for a connection, recording. */
const LEASE_SLACK_MS = 10_000;
/** Rows looked at to find some whose receivers have room. */
const LOOK_AHEAD = 500;
/** Lost this often in a row, each next lease is twice as long: what kills its process must not do so every minute. */
const PATIENCE = 3;
/** Then it is given up, after three hours or so; its owner can still send it by hand. */
const MAX_UNRECORDED = 10;

export const isHopeless = ({ unrecorded }: Delivery) => unrecorded > MAX_UNRECORDED;

/** Due deliveries, oldest first, as many as their receivers and accounts have room for: a dead one holds up nobody else. */
export async function claimDue(app: App, places: number, free: Free): Promise<Delivery[]> {
  if (free.bytes <= 0) return [];
  const now = app.clock.now();
  const leaseMs = app.config.webhookTimeoutMs + LEASE_SLACK_MS;
  const { hosts, accounts } = free;
  const fullHosts = hosts.filter(({ places }) => places <= 0).map(({ name }) => name);
  const fullAccounts = accounts.filter(({ places, bytes }) => places <= 0 || bytes <= 0).map(({ name }) => name);
  // The oldest of what is due has a place in every lane, so a claim never comes back empty while something fits.
  const { rows } = await sql<Delivery>`
    WITH due AS (
      SELECT id, host, account_id, bytes, run_at FROM deliveries
      WHERE status = 'pending' AND run_at <= ${now} AND host <> ALL (${fullHosts}::text[]) AND account_id <> ALL (${fullAccounts}::uuid[])
      ORDER BY run_at, id LIMIT ${LOOK_AHEAD}),
    turn AS (
      SELECT due.id, due.run_at,
        row_number() OVER of_host <= coalesce(h.places, ${free.placesPerHost})
        AND row_number() OVER of_account <= coalesce(a.places, ${free.placesPerAccount})
        AND sum(due.bytes) OVER of_account - due.bytes < coalesce(a.bytes, ${free.bytesPerAccount}::bigint)
        AND sum(due.bytes) OVER of_all - due.bytes < ${free.bytes}::bigint AS fits
      FROM due
      LEFT JOIN unnest(${hosts.map((lane) => lane.name)}::text[], ${hosts.map((lane) => lane.places)}::int[]) AS h (name, places) ON h.name = due.host
      LEFT JOIN unnest(${accounts.map((lane) => lane.name)}::uuid[], ${accounts.map((lane) => lane.places)}::int[],
        ${accounts.map((lane) => lane.bytes)}::bigint[]) AS a (name, places, bytes) ON a.name = due.account_id
      WINDOW of_host AS (PARTITION BY due.host ORDER BY due.run_at, due.id ROWS UNBOUNDED PRECEDING),
        of_account AS (PARTITION BY due.account_id ORDER BY due.run_at, due.id ROWS UNBOUNDED PRECEDING),
        of_all AS (ORDER BY due.run_at, due.id ROWS UNBOUNDED PRECEDING)),
    chosen AS (SELECT id FROM turn WHERE fits ORDER BY run_at, id LIMIT ${places})
    UPDATE deliveries SET claims = claims + 1, unrecorded = unrecorded + 1,
      run_at = ${now}::timestamptz + ${leaseMs}::int * power(2, greatest(unrecorded - ${PATIENCE - 1}::int, 0)) * interval '1 millisecond'
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
  /** No further attempt can help. */
  final?: boolean;
}

/** The attempt and what follows from it. Null when it came too late and another has taken its place. */
export async function record(app: App, delivery: Delivery, outcome: Outcome): Promise<Delivery["status"] | null> {
  const now = app.clock.now();
  const isDelivered = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
  const attempts = delivery.attempts + (delivery.by_hand ? 0 : 1);
  const mayTryAgain = !delivery.by_hand && attempts < app.config.webhookMaxAttempts && !outcome.final;
  const status = isDelivered ? "delivered" : mayTryAgain ? "pending" : "failed";
  const { rows } = await sql<Pick<Delivery, "status">>`
    WITH recorded AS (
      UPDATE deliveries d SET
        -- What was delivered once stays delivered, also when sending it again by hand fails.
        status = CASE WHEN by_hand AND EXISTS (SELECT FROM attempts a WHERE a.delivery_id = d.id AND a.status BETWEEN 200 AND 299)
          THEN 'delivered' ELSE ${status} END,
        attempts = ${attempts},
        by_hand = false,
        unrecorded = 0,
        run_at = ${new Date(now.getTime() + delayAfter(app, attempts))},
        ended_at = ${status === "pending" ? null : now}
      WHERE id = ${delivery.id} AND claims = ${delivery.claims} AND status = 'pending'
      RETURNING id, status),
    kept AS (
      INSERT INTO attempts (id, delivery_id, by_hand, started_at, duration_ms, status, answer, error)
      SELECT ${randomUUIDv7()}::uuid, id, ${delivery.by_hand}::boolean, ${outcome.startedAt}::timestamptz, ${outcome.durationMs}::int,
        ${outcome.status}::int, ${outcome.answer}::bytea, ${outcome.error}::text
      FROM recorded)
    SELECT status FROM recorded`.execute(app.db);
  return rows[0]?.status ?? null;
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
    .set((eb) => ({ run_at: app.clock.now(), unrecorded: eb("unrecorded", "-", 1) }))
    .where("id", "=", delivery.id)
    .where("claims", "=", delivery.claims)
    .where("status", "=", "pending")
    .execute();
}
