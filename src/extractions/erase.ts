// Nothing of a document outlives its time: deletion by the owner, expiry, and the accounts that keep nothing at all.
// The row stays as a tombstone (410 instead of 404), without name, address, options, schema, metadata or result.
import type { App } from "../app.ts";
import type { Pump } from "../platform/queue/pump.ts";
import { startSweeping } from "../platform/queue/sweep.ts";
import { end } from "./end.ts";
import { type Extraction, isTerminal } from "./extractions.ts";
import { forgetOldKeys } from "./submit.ts";

const SWEEP_MS = 300_000;
const PURGE_BATCH = 200;
/** A blob without a row belongs to a request that is still being written, or to a process that died writing it. */
const ORPHAN_AGE_MS = 3_600_000;
/** How long an erased id answers 410: longer than anyone keeps one around, and not for ever. */
const TOMBSTONE_MS = 400 * 86_400_000;

/** Erases input and result at once; one that runs is canceled first. */
export async function erase(app: App, extraction: Extraction): Promise<void> {
  if (!isTerminal(extraction.status)) await end(app, extraction, null, { status: "canceled" });
  await app.db.transaction().execute(async (trx) => {
    await trx.deleteFrom("results").where("extraction_id", "=", extraction.id).execute();
    await trx
      .updateTable("extractions")
      .set({
        erased_at: app.clock.now(),
        request: null,
        metadata: null,
        error: null,
        password: null,
        webhook_url: null,
        sha256: null,
      })
      .where("id", "=", extraction.id)
      .execute();
  });
  await app.blobs.remove(extraction.id);
}

export async function eraseExpired(app: App): Promise<number> {
  let erased = 0;
  for (;;) {
    const rows = await app.db
      .selectFrom("extractions")
      .selectAll()
      .where("erased_at", "is", null)
      .where("expires_at", "<=", app.clock.now())
      .orderBy("expires_at")
      .limit(PURGE_BATCH)
      .execute();
    for (const row of rows) await erase(app, row as Extraction);
    erased += rows.length;
    if (rows.length < PURGE_BATCH) return erased;
  }
}

const keepsNothing = ({ retention_days: days }: Extraction) => days === 0;

/** For accounts that keep nothing: the input goes when the extraction ends. */
export async function eraseEphemeralInput(app: App, extraction: Extraction): Promise<void> {
  if (keepsNothing(extraction)) await app.blobs.remove(extraction.id);
}

/** For accounts that keep nothing: the result goes once it was fetched, unless its event is still on the way. */
export async function eraseEphemeralResult(app: App, extraction: Extraction): Promise<void> {
  if (!keepsNothing(extraction)) return;
  const pending = await app.db
    .selectFrom("deliveries")
    .select("id")
    .where("extraction_id", "=", extraction.id)
    .where("status", "=", "pending")
    .executeTakeFirst();
  if (!pending) await erase(app, extraction);
}

/** The same for an event that a receiver has taken. */
export async function eraseDelivered(app: App, id: string): Promise<void> {
  const row = await app.db.selectFrom("extractions").selectAll().where("id", "=", id).executeTakeFirst();
  if (row) await eraseEphemeralResult(app, row as Extraction);
}

/** Removes the input of an extraction that is erased or gone, which someone has stored all the same. */
export async function eraseOrphan(app: App, id: string): Promise<boolean> {
  const row = await app.db
    .selectFrom("extractions")
    .select("id")
    .where("id", "=", id)
    .where("erased_at", "is", null)
    .executeTakeFirst();
  if (!row) await app.blobs.remove(id);
  return !row;
}

/** Blobs that no living row knows: their process died between storing and writing the row, or between erasing and removing. */
export async function sweepBlobs(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - ORPHAN_AGE_MS);
  let swept = await app.blobs.discardUnfinished(before);
  for await (const id of app.blobs.list(before)) if (await eraseOrphan(app, id)) swept++;
  return swept;
}

/** Their ids answer 404 from then on. The usage ledger does not need them. */
export async function forgetTombstones(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - TOMBSTONE_MS);
  await app.db.deleteFrom("extractions").where("erased_at", "<", before).execute();
}

export const startErasing = (app: App): Pump =>
  startSweeping({
    name: "extractions",
    everyMs: SWEEP_MS,
    log: app.log,
    async sweep() {
      await eraseExpired(app);
      await sweepBlobs(app);
      await forgetOldKeys(app);
      await forgetTombstones(app);
    },
  });
