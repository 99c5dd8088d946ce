// A delivery: one event on its way to one address, with every attempt it took. The row is the job: `run_at` says when the
// next attempt is due, or until when the one under way is believed to be alive.
import { type Selectable, sql } from "kysely";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { announce } from "../platform/db/database.ts";
import type { AttemptTable, DeliveryTable } from "../platform/db/schema.ts";

export type Delivery = Selectable<DeliveryTable>;
export type Attempt = Selectable<AttemptTable>;

/** Time after which nobody asks any more why an event did not come. */
const KEEP_MS = 30 * 86_400_000;
const FORGET_BATCH = 1_000;

export interface DeliveryLog {
  delivery: Delivery;
  attempts: Attempt[];
}

export async function listDeliveries(app: App, extractionId: string): Promise<DeliveryLog[]> {
  return withAttempts(
    app,
    await app.db.selectFrom("deliveries").selectAll().where("extraction_id", "=", extractionId).orderBy("id").execute(),
  );
}

/** By the event's id; also finds test events, which belong to no extraction. */
export async function findDelivery(app: App, accountId: string, id: string): Promise<DeliveryLog> {
  const row = await app.db
    .selectFrom("deliveries")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!row) throw new Fault("not_found", { detail: "There is no event with this id." });
  const [found] = await withAttempts(app, [row]);
  return found!;
}

async function withAttempts(app: App, deliveries: Delivery[]): Promise<DeliveryLog[]> {
  const ids = deliveries.map(({ id }) => id);
  const attempts = ids.length
    ? await app.db.selectFrom("attempts").selectAll().where("delivery_id", "in", ids).orderBy("id").execute()
    : [];
  return deliveries.map((delivery) => ({
    delivery,
    attempts: attempts.filter((attempt) => attempt.delivery_id === delivery.id),
  }));
}

/** The bytes that the event of this id was sent with, as long as they are there; only its owner's. */
export async function findSentBody(app: App, accountId: string, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ body: Buffer | null }>`
    SELECT coalesce(d.body, r.body) AS body FROM deliveries d LEFT JOIN results r USING (extraction_id)
    WHERE d.id = ${id}::uuid AND d.account_id = ${accountId}`.execute(app.db);
  return rows[0]?.body ?? undefined;
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

/** Those still under way stay, however old. */
export async function forgetOldDeliveries(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - KEEP_MS);
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM deliveries WHERE id IN (
        SELECT id FROM deliveries WHERE created_at < ${before} AND status <> 'pending' ORDER BY created_at LIMIT ${FORGET_BATCH})
        AND status <> 'pending'`.execute(app.db);
    if (numAffectedRows < BigInt(FORGET_BATCH)) return;
  }
}
