// The extraction: its row and the statements that find and claim it. What ends it is in end.ts, what erases it in erase.ts.
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Account } from "../accounts/accounts.ts";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import type { ExtractOptions } from "../extract/extract.ts";
import type { ExtractionStatus, ExtractionTable } from "../platform/db/schema.ts";

/** What the reader needs, kept with the row until it is erased. The password is kept apart, sealed. */
export interface StoredRequest {
  name: string | null;
  contentType: string | null;
  url: string | null;
  options: ExtractOptions;
  schema: unknown;
  warnings: { code: string; message: string }[];
}

export interface Progress {
  stage: string;
  pages_done: number;
  pages_total: number;
}

export type Extraction = Omit<Selectable<ExtractionTable>, "request" | "progress" | "error" | "metadata"> & {
  request: StoredRequest | null;
  progress: Progress | null;
  error: Record<string, unknown> | null;
  metadata: unknown;
};

/** Time without a sign of life after which another worker takes an extraction up. Signs are given every BEAT_MS. */
export const LEASE_MS = 15_000;
export const BEAT_MS = 1_000;
/** A document that kills whoever reads it is given up after this many. */
export const MAX_LOSSES = 3;

export const isTerminal = (status: ExtractionStatus) =>
  status === "completed" || status === "failed" || status === "canceled";

/** Behind others of its account: not due before one of them ends. The database says infinity, which is no Date. */
export const isWaiting = ({ run_at }: { run_at: Date }) => (run_at as unknown) === Number.POSITIVE_INFINITY;

/** Leases are compared across machines, so they run by the one clock all of them share. */
export const databaseNow = (app: App): RawBuilder<Date> =>
  sql<Date>`coalesce(${app.clock.inDatabase()}::timestamptz, clock_timestamp())`;

/** The end of a lease that begins now. */
export const lease = (app: App): RawBuilder<Date> =>
  sql<Date>`(${databaseNow(app)} + make_interval(secs => ${LEASE_MS / 1000}))`;

/** The account's own extraction; 404 for any other, 410 once it is erased. */
export async function findExtraction(app: App, account: Account, id: string): Promise<Extraction> {
  const row = await app.db
    .selectFrom("extractions")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", account.id)
    .executeTakeFirst();
  if (!row) throw new Fault("not_found", { detail: "There is no extraction with this id." });
  if (row.erased_at) throw new Fault("gone");
  return row as Extraction;
}

export async function readResult(app: App, id: string): Promise<Buffer> {
  const row = await app.db.selectFrom("results").select("body").where("extraction_id", "=", id).executeTakeFirst();
  if (!row) throw new Fault("gone");
  return row.body;
}

export interface ListRequest {
  limit: number;
  before?: string | undefined;
  status?: ExtractionStatus | undefined;
}

export async function listExtractions(
  app: App,
  account: Account,
  { limit, before, status }: ListRequest,
): Promise<Extraction[]> {
  let query = app.db
    .selectFrom("extractions")
    .selectAll()
    .where("account_id", "=", account.id)
    .where("erased_at", "is", null)
    .orderBy("id", "desc")
    .limit(limit);
  if (before) query = query.where("id", "<", before);
  if (status) query = query.where("status", "=", status);
  return (await query.execute()) as Extraction[];
}

/** Accounts looked at in one go; what is left comes with the next look. */
const ACCOUNTS_AT_ONCE = 100;

/**
 * Those who wait behind others of their account come due as far as it has places. Decided by the account's counters alone and
 * so never lost: whoever died after freeing a place, somebody comes by and fills it.
 */
export async function passTurns(app: App): Promise<void> {
  const cap = app.config.jobsPerAccount;
  await sql`
    WITH room AS (
      SELECT account_id, ${cap}::int - active AS places FROM account_loads WHERE waiting > 0 AND active < ${cap}::int
      LIMIT ${ACCOUNTS_AT_ONCE} FOR UPDATE SKIP LOCKED),
    next AS (
      SELECT e.id FROM room, LATERAL (
        SELECT id FROM extractions WHERE account_id = room.account_id AND status = 'queued' AND run_at = 'infinity'
        ORDER BY id LIMIT room.places) e),
    turned AS (
      UPDATE extractions e SET run_at = ${databaseNow(app)} FROM next
      WHERE e.id = next.id AND e.status = 'queued' AND e.run_at = 'infinity' RETURNING e.account_id)
    UPDATE account_loads l SET active = l.active + t.count, waiting = l.waiting - t.count
    FROM (SELECT account_id, count(*)::int AS count FROM turned GROUP BY account_id) t
    WHERE l.account_id = t.account_id`.execute(app.db);
}

/** Takes what is due: queued ones whose turn it is, and those whose worker gave no sign of life for too long. */
export async function claimDue(app: App, room: number): Promise<Extraction[]> {
  const { rows } = await sql<Extraction>`
    UPDATE extractions SET
      status = 'processing',
      losses = losses + (status = 'processing')::int,
      runs = runs + 1,
      started_at = coalesce(started_at, ${app.clock.now()}),
      run_at = ${lease(app)}
    WHERE id IN (
      SELECT id FROM extractions WHERE status IN ('queued', 'processing') AND run_at <= ${databaseNow(app)}
      ORDER BY run_at LIMIT ${room} FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(app.db);
  return rows;
}

export interface Beat {
  id: string;
  runs: number;
  progress: Progress | null;
}

/** Signs of life of everything that runs here, in one statement. Answers which of it is still ours to run. */
export async function beat(app: App, beats: Beat[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    UPDATE extractions e SET run_at = ${lease(app)}, progress = coalesce(b.progress::json, e.progress)
    FROM unnest(
      ${beats.map((b) => b.id)}::uuid[],
      ${beats.map((b) => b.runs)}::int[],
      ${beats.map((b) => b.progress && JSON.stringify(b.progress))}::text[]
    ) AS b (id, runs, progress)
    WHERE e.id = b.id AND e.runs = b.runs AND e.status = 'processing'
    RETURNING e.id`.execute(app.db);
  return new Set(rows.map(({ id }) => id));
}

/** Gives back what cannot be finished here, due again after the delay; whoever takes it up next is not its second victim. */
export async function handBack(
  app: App,
  { id, runs }: { id: string; runs: number },
  { delayMs = 0 }: { delayMs?: number } = {},
): Promise<void> {
  await sql`
    UPDATE extractions SET losses = losses - 1, run_at = ${databaseNow(app)} + make_interval(secs => ${delayMs / 1000})
    WHERE id = ${id} AND runs = ${runs} AND status = 'processing'`.execute(app.db);
}

/** Those of the ids that have ended, or are no longer there. */
export async function findEnded(app: App, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await app.db
    .selectFrom("extractions")
    .select("id")
    .where("id", "in", ids)
    .where("status", "in", ["queued", "processing"])
    .execute();
  const running = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !running.has(id));
}
