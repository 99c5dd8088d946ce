// At most `limit` events in any window, exact over all processes: one row per bucket holds when how many were let through,
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

/** Up to this limit every event has its own time; a row of more of them would no longer be small and quick. */
const EXACT_UP_TO = 300;
/** Above it events are counted by slices of the window, each as late as its slice: fewer may pass than the limit, never more. */
const SLICES = 150;

/** Takes one place in the window; `when` makes the statement part of a larger one that decides whether to count at all. */
export function takeStatement(
  app: App,
  parts: { bucket: RawBuilder<unknown>; limit: RawBuilder<unknown>; windowMs: number; when?: RawBuilder<unknown> },
): RawBuilder<Taken> {
  const { limit } = parts;
  const now = sql`coalesce(${app.clock.inDatabase()}::timestamptz, clock_timestamp())`;
  const window = sql`make_interval(secs => ${parts.windowMs / 1000})`;
  const slice = sql`${parts.windowMs / 1000 / SLICES}::float8`;
  const stampOf = (time: RawBuilder<unknown>) => sql`
    CASE WHEN ${limit} <= ${EXACT_UP_TO}::int THEN ${time}
      ELSE to_timestamp(ceil(extract(epoch FROM ${time})::float8 / ${slice}) * ${slice}) END`;
  return sql<Taken>`
    INSERT INTO rate_limits AS r (bucket, stamps, counts, allowed)
    SELECT ${parts.bucket}, ARRAY[${stampOf(now)}], ARRAY[1], true ${parts.when ?? sql``}
    ON CONFLICT (bucket) DO UPDATE SET (stamps, counts, allowed) = (
      WITH n AS MATERIALIZED (SELECT ${now} AS t),
      kept AS (SELECT u.s, u.c FROM n, unnest(r.stamps, r.counts) AS u (s, c) WHERE u.s > n.t - ${window}),
      room AS (SELECT coalesce(sum(c), 0) < ${limit} AS allowed FROM kept),
      merged AS (
        SELECT s, sum(c)::int AS c FROM (
          SELECT s, c FROM kept UNION ALL SELECT ${stampOf(sql`n.t`)}, 1 FROM n, room WHERE allowed) e
        GROUP BY s)
      SELECT coalesce(array_agg(s ORDER BY s), '{}'), coalesce(array_agg(c ORDER BY s), '{}'), (SELECT allowed FROM room)
      FROM merged)
    RETURNING allowed, (SELECT coalesce(sum(c), 0)::int FROM unnest(counts) c) AS used,
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
