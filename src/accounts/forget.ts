// What accounts leave behind and nobody needs any more: used-up links, ended sessions, sent mails, sign-ups that were never
// verified, counters of past minutes. Every worker sweeps; a row that another one took is simply gone.
import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Pump } from "../platform/queue/pump.ts";
import { startSweeping } from "../platform/queue/sweep.ts";
import { forgetOldBuckets } from "./rate-limit.ts";

const SWEEP_MS = 600_000;
const DAY_MS = 86_400_000;
/** The longest window any counter has. */
const LONGEST_WINDOW_MS = 3_600_000;
const MAIL_MS = 7 * DAY_MS;
/** Long enough to find the mail after a holiday and ask for another one. */
const UNVERIFIED_MS = 30 * DAY_MS;
/** Rows a statement deletes at the most, so that a sweep never holds many locks for long. */
const BATCH = 5_000;

export const startForgetting = (app: App): Pump =>
  startSweeping({ name: "accounts", everyMs: SWEEP_MS, sweep: () => forgetStale(app), log: app.log });

export async function forgetStale(app: App): Promise<void> {
  const now = app.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  await forgetOldBuckets(app, LONGEST_WINDOW_MS);
  await sweepOut(app, sql`tokens`, sql`expires_at <= ${now}`);
  await sweepOut(app, sql`sessions`, sql`expires_at <= ${now}`);
  await sweepOut(app, sql`mails`, sql`sent_at < ${before(MAIL_MS)}`);
  await sweepOut(app, sql`accounts`, sql`email_verified_at IS NULL AND created_at < ${before(UNVERIFIED_MS)}`);
}

async function sweepOut(app: App, table: ReturnType<typeof sql>, condition: ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH}))
        AND ${condition}`.execute(app.db);
    if (numAffectedRows < BigInt(BATCH)) return;
  }
}
