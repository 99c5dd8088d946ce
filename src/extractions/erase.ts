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

/** For accounts that keep nothing: the result goes once it was fetched or delivered. */
export async function eraseEphemeralResult(app: App, extraction: Extraction): Promise<void> {
  if (keepsNothing(extraction)) await erase(app, extraction);
}

export async function eraseDelivered(app: App, id: string): Promise<void> {
  const row = await app.db.selectFrom("extractions").selectAll().where("id", "=", id).executeTakeFirst();
  if (row) await eraseEphemeralResult(app, row as Extraction);
}

/** Blobs that no living row knows: their process died between storing and writing the row, or between erasing and removing. */
export async function sweepBlobs(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - ORPHAN_AGE_MS);
  let swept = await app.blobs.discardUnfinished(before);
  for await (const id of app.blobs.list(before)) {
    const row = await app.db
      .selectFrom("extractions")
      .select("id")
      .where("id", "=", id)
      .where("erased_at", "is", null)
      .executeTakeFirst();
    if (row) continue;
    await app.blobs.remove(id);
    swept++;
  }
  return swept;
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
    },
  });
