// The one way an extraction ends, and the one transaction that holds all of it: state, result, usage, event, and the turn of
// the account's next extraction. A terminal state never changes: what comes late, or from a run that was given up, is dropped.
import { sql } from "kysely";
import type { App } from "../app.ts";
import { settle } from "../billing/usage.ts";
import { Fault } from "../errors.ts";
import { announce, type Trx } from "../platform/db/database.ts";
import { announceEnd } from "../webhooks/announce.ts";
import { completedBody, type EndedStatus, failedBody, problemOf } from "./envelope.ts";
import { type Extraction, isTerminal, isWaiting } from "./extractions.ts";
import type { SandboxResult } from "./sandbox.ts";

const DAY_MS = 86_400_000;

export type Outcome =
  | { status: "completed"; result: SandboxResult; source: { size: number; sha256: string } }
  | { status: "failed"; fault: Fault }
  | { status: "canceled" };

/** Returns whether this call ended it. `runs` is null for those who may end it whoever works on it: its owner. */
export async function end(app: App, extraction: Extraction, runs: number | null, outcome: Outcome): Promise<boolean> {
  const completedAt = app.clock.now();
  const expiresAt = expiry(extraction, completedAt);
  const ending = { status: outcome.status as EndedStatus, completedAt, expiresAt };
  const error = outcome.status === "failed" ? problemOf(app, extraction, outcome.fault) : null;
  const body = error
    ? failedBody(extraction, ending, error)
    : outcome.status === "completed"
      ? completedBody(extraction, ending, outcome.result.json)
      : null;

  return app.db.transaction().execute(async (trx) => {
    // Taken by submit too, and always before the extraction's own row: no one can wait in a circle.
    await sql`SELECT 1 FROM account_loads WHERE account_id = ${extraction.account_id} FOR UPDATE`.execute(trx);
    const current = await trx
      .selectFrom("extractions")
      .select(["status", "runs", "run_at"])
      .where("id", "=", extraction.id)
      .forUpdate()
      .executeTakeFirst();
    if (!current || isTerminal(current.status) || (runs !== null && current.runs !== runs)) return false;

    await trx
      .updateTable("extractions")
      .set({
        status: outcome.status,
        completed_at: completedAt,
        expires_at: expiresAt,
        password: null,
        progress: null,
        error: error && JSON.stringify(error),
        ...(outcome.status === "completed" && {
          kind: outcome.result.kind,
          pages: outcome.result.pages,
          ...outcome.source,
        }),
      })
      .where("id", "=", extraction.id)
      .execute();
    if (body) await trx.insertInto("results").values({ extraction_id: extraction.id, body }).execute();
    await settle(app, trx, extraction, outcome.status === "completed" ? outcome.result.pages : null);
    if (outcome.status !== "canceled") await announceEnd(app, trx, extraction, outcome.status);
    if (!isWaiting(current)) await passTurn(app, trx, extraction.account_id);
    await announce(trx, "extraction_ended", extraction.id);
    return true;
  });
}

/** Where nothing is kept, a day is the bound for what nobody fetches and no receiver takes. */
const expiry = ({ retention_days: days }: Extraction, from: Date) =>
  new Date(from.getTime() + Math.max(1, days) * DAY_MS);

/** The account's next waiting extraction comes due, or its place is freed. */
async function passTurn(app: App, trx: Trx, accountId: string): Promise<void> {
  const { rows } = await sql`
    UPDATE extractions SET run_at = ${app.clock.now()} WHERE id = (
      SELECT id FROM extractions WHERE account_id = ${accountId} AND status = 'queued' AND run_at = 'infinity' ORDER BY id LIMIT 1)
    RETURNING id`.execute(trx);
  if (rows.length) await announce(trx, "extractions");
  else await sql`UPDATE account_loads SET active = active - 1 WHERE account_id = ${accountId}`.execute(trx);
}

export async function cancel(app: App, extraction: Extraction): Promise<void> {
  if (!(await end(app, extraction, null, { status: "canceled" }))) throw new Fault("extraction_ended");
}
