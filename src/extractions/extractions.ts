// The extraction: its row and the statements that find and claim it. What ends it is in end.ts, what erases it in erase.ts.
import { type Selectable, sql } from "kysely";
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

export const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

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

/** Takes what is due: queued ones whose turn it is, and those whose worker gave no sign of life for too long. */
export async function claimDue(app: App, room: number): Promise<Extraction[]> {
  const now = app.clock.now();
  const { rows } = await sql<Extraction>`
    UPDATE extractions SET
      status = 'processing',
      losses = losses + (status = 'processing')::int,
      runs = runs + 1,
      started_at = coalesce(started_at, ${now}),
      run_at = ${leaseFrom(now)}
    WHERE id IN (
      SELECT id FROM extractions WHERE status IN ('queued', 'processing') AND run_at <= ${now}
      ORDER BY run_at LIMIT ${room} FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(app.db);
  return rows;
}

export interface Beat {
  id: string;
  runs: number;
  progress: Progress | null;
}

/** Signs of life of everything that runs here, in one statement. */
export async function beat(app: App, beats: Beat[]): Promise<void> {
  const lease = leaseFrom(app.clock.now());
  await sql`
    UPDATE extractions e SET run_at = ${lease}, progress = coalesce(b.progress::json, e.progress)
    FROM unnest(
      ${beats.map((b) => b.id)}::uuid[],
      ${beats.map((b) => b.runs)}::int[],
      ${beats.map((b) => b.progress && JSON.stringify(b.progress))}::text[]
    ) AS b (id, runs, progress)
    WHERE e.id = b.id AND e.runs = b.runs AND e.status = 'processing'`.execute(app.db);
}

/** Gives back what cannot be finished here; whoever takes it up next is not its second victim. */
export async function handBack(app: App, { id, runs }: { id: string; runs: number }): Promise<void> {
  await app.db
    .updateTable("extractions")
    .set((eb) => ({ run_at: app.clock.now(), losses: eb("losses", "-", 1) }))
    .where("id", "=", id)
    .where("runs", "=", runs)
    .where("status", "=", "processing")
    .execute();
}
