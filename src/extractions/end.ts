// The one way an extraction ends, and the one statement that holds all of it: state, result, usage, and the place its account
// gets back. A terminal state never changes: what comes late, or from a run that was given up, is dropped.
import { sql } from "kysely";
import type { App } from "../app.ts";
import { settleStatements } from "../billing/usage.ts";
import { Fault } from "../errors.ts";
import type { Db, Trx } from "../platform/db/database.ts";
import { announceEnd } from "../webhooks/announce.ts";
import { completedBody, type EndedStatus, failedBody, problemOf } from "./envelope.ts";
import type { Extraction } from "./extractions.ts";
import type { SandboxResult } from "./sandbox.ts";

const DAY_MS = 86_400_000;

export type Outcome =
  | { status: "completed"; result: SandboxResult; source: { size: number; sha256: string } }
  | { status: "failed"; fault: Fault }
  | { status: "canceled" };

/** How it ended, for whoever waits in the process that ended it. */
export interface Ended {
  status: EndedStatus;
  /** What is sent of it; a canceled one has nothing. */
  body: Buffer | null;
  error: Record<string, unknown> | null;
}

/** Null when this call did not end it. `runs` is null for those who may end it whoever works on it: its owner. */
export async function end(
  app: App,
  extraction: Extraction,
  runs: number | null,
  outcome: Outcome,
): Promise<Ended | null> {
  const { status } = outcome;
  const completedAt = app.clock.now();
  const times = { completedAt, expiresAt: expiry(extraction, completedAt) };
  const error = status === "failed" ? problemOf(app, extraction, outcome.fault) : null;
  const ended: Ended = { status, error, body: bodyOf(extraction, { status, ...times }, outcome, error) };
  const writing = { runs, outcome, ended, ...times };

  const sendsEvent = status !== "canceled" && extraction.is_async && extraction.webhook_url !== null;
  if (!sendsEvent) return (await write(app, app.db, extraction, writing)) ? ended : null;
  return app.db.transaction().execute(async (trx) => {
    if (!(await write(app, trx, extraction, writing))) return null;
    await announceEnd(app, trx, extraction, status);
    return ended;
  });
}

function bodyOf(
  extraction: Extraction,
  ending: { status: EndedStatus; completedAt: Date; expiresAt: Date },
  outcome: Outcome,
  error: Ended["error"],
): Buffer | null {
  if (error) return failedBody(extraction, ending, error);
  return outcome.status === "completed" ? completedBody(extraction, ending, outcome.result.json) : null;
}

/** Where nothing is kept, a day is the bound for what nobody fetches and no receiver takes. */
const expiry = ({ retention_days: days }: Extraction, from: Date) =>
  new Date(from.getTime() + Math.max(1, days) * DAY_MS);

interface Writing {
  runs: number | null;
  outcome: Outcome;
  ended: Ended;
  completedAt: Date;
  expiresAt: Date;
}

/**
 * The locks are taken in the order in which submit takes them, the extraction's own last, so that no two wait in a circle.
 * The rows are changed as the locks found them, not as the statement first saw them.
 */
async function write(app: App, db: Db | Trx, extraction: Extraction, writing: Writing): Promise<boolean> {
  const { outcome, ended, runs, completedAt, expiresAt } = writing;
  const { account_id: accountId, id } = extraction;
  const { result, source } = outcome.status === "completed" ? outcome : { result: null, source: null };
  const { rows } = await sql`
    WITH counter AS (
      SELECT 1 FROM usage_periods WHERE account_id = ${accountId} AND starts_at = ${extraction.period} FOR UPDATE),
    load AS (SELECT l.account_id FROM account_loads l, counter WHERE l.account_id = ${accountId} FOR UPDATE OF l),
    target AS (
      SELECT e.id, e.run_at = 'infinity' AS waited FROM extractions e JOIN load USING (account_id)
      WHERE e.id = ${id} AND e.status IN ('queued', 'processing') AND (${runs}::int IS NULL OR e.runs = ${runs}::int)
      FOR UPDATE OF e),
    ended AS (
      UPDATE extractions e SET
        status = ${outcome.status}, completed_at = ${completedAt}, expires_at = ${expiresAt}, password = NULL, progress = NULL,
        error = ${ended.error && JSON.stringify(ended.error)}::json,
        kind = ${result?.kind ?? null}, mime_type = ${result?.mimeType ?? null}, pages = ${result?.pages ?? null}::int,
        size = coalesce(${source?.size ?? null}::bigint, e.size), sha256 = coalesce(${source?.sha256 ?? null}, e.sha256)
      FROM target WHERE e.id = target.id RETURNING e.id, e.account_id, e.period, target.waited),
    stored AS (
      INSERT INTO results (extraction_id, body) SELECT id, ${ended.body}::bytea FROM ended WHERE ${ended.body !== null}),
    ${settleStatements(app, result?.pages ?? null)},
    freed AS (
      UPDATE account_loads l SET active = l.active - (NOT waited)::int, waiting = l.waiting - waited::int
      FROM ended WHERE l.account_id = ended.account_id RETURNING l.waiting)
    SELECT pg_notify('extraction_ended', ${id}), CASE WHEN waiting > 0 THEN pg_notify('extractions', '') END FROM freed`.execute(
    db,
  );
  return rows.length > 0;
}

export async function cancel(app: App, extraction: Extraction): Promise<void> {
  if (!(await end(app, extraction, null, { status: "canceled" }))) throw new Fault("extraction_ended");
}
