// Pages used and pages promised. A submission reserves a page in the statement that writes its row; the end of the extraction
// gives the reservation back and, when it completed, writes one row of the ledger and adds its pages to the counter.
import { type RawBuilder, sql } from "kysely";
import type { Account } from "../accounts/accounts.ts";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { planOf } from "../plans.ts";

export interface Period {
  start: Date;
  end: Date;
}

/** The subscription's period, or the calendar month; one whose renewal has not reached us yet is carried on. */
export function periodOf(account: Pick<Account, "period_start" | "period_end">, now: Date): Period {
  const { period_start: start, period_end: end } = account;
  if (!start || !end || end <= start) return month(now, 0);
  const length = end.getTime() - start.getTime();
  const past = Math.max(0, Math.floor((now.getTime() - start.getTime()) / length));
  const from = start.getTime() + past * length;
  return { start: new Date(from), end: new Date(from + length) };
}

const month = (now: Date, offset: number): Period => ({
  start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)),
  end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset + 1)),
});

/** Pages a period; null where there is no one to pay, and so no quota. */
export const quotaOf = (app: App, account: Account): number | null =>
  app.payments ? planOf(account).pagesPerMonth : null;

/** One row when there is a page left for one more extraction, none when not. */
export function reserveStatement(app: App, account: Account, period: Period): RawBuilder<unknown> {
  const quota = quotaOf(app, account);
  return sql`
    INSERT INTO usage_periods AS u (account_id, starts_at, pages, reserved) VALUES (${account.id}, ${period.start}, 0, 1)
    ON CONFLICT (account_id, starts_at) DO UPDATE SET reserved = u.reserved + 1
    WHERE ${quota}::int IS NULL OR u.pages + u.reserved < ${quota}::int
    RETURNING starts_at`;
}

/**
 * What the end of an extraction does to the counter and the ledger, as parts of the statement that ends it: `ended` there
 * holds its id, account and period. Pages are null for one that did not complete.
 */
export function settleStatements(app: App, pages: number | null): RawBuilder<unknown> {
  const now = app.clock.now();
  return sql`
    settled AS (
      UPDATE usage_periods u SET reserved = u.reserved - 1, pages = u.pages + ${pages ?? 0}
      FROM ended WHERE u.account_id = ended.account_id AND u.starts_at = ended.period),
    billed AS (
      INSERT INTO usage (extraction_id, account_id, pages, period, at, report_at)
      SELECT id, account_id, ${pages}::int, period, ${now}::timestamptz, ${app.payments?.isMetered ? now : null}::timestamptz
      FROM ended WHERE ${pages}::int IS NOT NULL)`;
}

export interface Usage extends Period {
  pages: number;
  quota: number | null;
}

export async function readUsage(app: App, account: Account): Promise<Usage> {
  const period = periodOf(account, app.clock.now());
  const row = await app.db
    .selectFrom("usage_periods")
    .select("pages")
    .where("account_id", "=", account.id)
    .where("starts_at", "=", period.start)
    .executeTakeFirst();
  return { ...period, pages: row?.pages ?? 0, quota: quotaOf(app, account) };
}

export interface Day {
  day: Date;
  pages: number;
}

/** Pages a day in this period. */
export async function dailyUsage(app: App, account: Account): Promise<Day[]> {
  const { start } = periodOf(account, app.clock.now());
  const { rows } = await sql<Day>`
    SELECT date_trunc('day', at, 'UTC') AS day, sum(pages)::int AS pages FROM usage
    WHERE account_id = ${account.id} AND at >= ${start} GROUP BY 1 ORDER BY 1`.execute(app.db);
  return rows;
}

/** Rows of the ledger that one export holds at the most. */
const MAX_EXPORT = 50_000;

export async function listUsage(app: App, account: Account) {
  return app.db
    .selectFrom("usage")
    .select(["extraction_id", "at", "pages"])
    .where("account_id", "=", account.id)
    .orderBy("at", "desc")
    .limit(MAX_EXPORT)
    .execute();
}

export async function quotaFault(app: App, account: Account): Promise<Fault> {
  const { pages, quota, end } = await readUsage(app, account);
  const seconds = Math.max(1, Math.ceil((end.getTime() - app.clock.now().getTime()) / 1000));
  return new Fault("quota_exceeded", {
    detail: `${pages} of ${quota} pages of the ${planOf(account).title} plan are used or under way; the next period begins ${end.toISOString()}.`,
    headers: { "retry-after": String(seconds) },
  });
}
