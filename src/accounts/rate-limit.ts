// At most `limit` events in any window, exact over all processes: one row per bucket holds the times of those let through,
// and one statement, under that row's lock, drops the old ones, decides, and adds the new one.
import { type RawBuilder, sql } from "kysely";
import type { App } from "../app.ts";

export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the oldest event leaves the window and makes room. */
  resetMs: number;
  windowMs: number;
}

export interface Window {
  bucket: string;
  limit: number;
  windowMs: number;
}

interface Taken {
  allowed: boolean;
  used: number;
  reset_ms: number;
}

/** Takes one place in the window; `when` makes the statement part of a larger one that decides whether to count at all. */
export function takeStatement(
  app: App,
  parts: { bucket: RawBuilder<unknown>; limit: RawBuilder<unknown>; windowMs: number; when?: RawBuilder<unknown> },
): RawBuilder<Taken> {
  const now = sql`coalesce(${app.clock.inDatabase()}::timestamptz, clock_timestamp())`;
  const window = sql`make_interval(secs => ${parts.windowMs / 1000})`;
  return sql<Taken>`
    INSERT INTO rate_limits AS r (bucket, stamps, allowed)
    SELECT ${parts.bucket}, ARRAY[${now}], true ${parts.when ?? sql``}
    ON CONFLICT (bucket) DO UPDATE SET (stamps, allowed) = (
      SELECT
        coalesce(array_agg(s ORDER BY s) FILTER (WHERE s IS NOT NULL), '{}')
          || CASE WHEN count(s) < ${parts.limit} THEN ARRAY[n.t] ELSE '{}' END,
        count(s) < ${parts.limit}
      FROM (SELECT ${now} AS t) n LEFT JOIN LATERAL unnest(r.stamps) s ON s > n.t - ${window}
      GROUP BY n.t)
    RETURNING allowed, cardinality(stamps) AS used,
      greatest(0, extract(epoch FROM stamps[1] + ${window} - ${now}) * 1000)::float8 AS reset_ms`;
}

export async function take(app: App, { bucket, limit, windowMs }: Window): Promise<Allowance> {
  const statement = takeStatement(app, { bucket: sql`${bucket}`, limit: sql`${limit}::int`, windowMs });
  const { rows } = await statement.execute(app.db);
  return allowance(rows[0]!, limit, windowMs);
}

export function allowance(taken: Taken, limit: number, windowMs: number): Allowance {
  return {
    allowed: taken.allowed,
    limit,
    windowMs,
    remaining: Math.max(0, limit - taken.used),
    resetMs: taken.reset_ms,
  };
}

export function allowanceHeaders(allowance: Allowance, now: Date): Record<string, string> {
  const resetSeconds = Math.ceil(allowance.resetMs / 1000);
  return {
    "ratelimit-policy": `"requests";q=${allowance.limit};w=${allowance.windowMs / 1000}`,
    ratelimit: `"requests";r=${allowance.remaining};t=${resetSeconds}`,
    "x-ratelimit-limit": String(allowance.limit),
    "x-ratelimit-remaining": String(allowance.remaining),
    "x-ratelimit-reset": String(Math.ceil((now.getTime() + allowance.resetMs) / 1000)),
    ...(!allowance.allowed && { "retry-after": String(Math.max(1, resetSeconds)) }),
  };
}

/** Buckets whose last event is long past. */
export async function forgetOldBuckets(app: App, olderThanMs: number): Promise<void> {
  const cutoff = new Date(app.clock.now().getTime() - olderThanMs);
  await sql`DELETE FROM rate_limits WHERE stamps[cardinality(stamps)] < ${cutoff}`.execute(app.db);
}
