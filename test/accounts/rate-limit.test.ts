import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { take } from "../../src/accounts/rate-limit.ts";
import type { App } from "../../src/app.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { createDatabase, type TestDatabase } from "../postgres.ts";
import { movableClock } from "../service.ts";

const clock = movableClock(new Date("2026-01-01T00:00:00.123Z"));
let database: TestDatabase;
let app: App;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await createDatabase();
  const opened = await openDatabase({ connectionString: database.url }, 5, openLog("silent"));
  close = opened.close;
  app = { clock, db: opened.db } as unknown as App;
});
afterAll(async () => {
  await close();
  await database.drop();
});

const WINDOW_MS = 60_000;
let buckets = 0;
const newBucket = () => `test:${buckets++}`;

async function letThrough(bucket: string, limit: number, times: number): Promise<number> {
  let allowed = 0;
  for (let n = 0; n < times; n++) if ((await take(app, { bucket, limit, windowMs: WINDOW_MS })).allowed) allowed++;
  return allowed;
}

test.each([3, 301])("exactly %d pass in one instant", async (limit) => {
  expect(await letThrough(newBucket(), limit, limit + 5)).toBe(limit);
});

test("exactly as many as the limit pass when all come at once on several connections", async () => {
  const bucket = newBucket();
  const all = await Promise.all(
    Array.from({ length: 50 }, () => take(app, { bucket, limit: 20, windowMs: WINDOW_MS })),
  );
  expect(all.filter(({ allowed }) => allowed)).toHaveLength(20);
});

test("a place is free again when 60 seconds are over, and not before", async () => {
  const bucket = newBucket();
  expect(await letThrough(bucket, 2, 2)).toBe(2);
  clock.advance(WINDOW_MS - 1);
  const refused = await take(app, { bucket, limit: 2, windowMs: WINDOW_MS });
  expect(refused).toMatchObject({ allowed: false, remaining: 0, resetMs: 1 });
  clock.advance(1);
  expect(await letThrough(bucket, 2, 3)).toBe(2);
});

test("in no window of 60 seconds do more pass than the limit, however large it is", async () => {
  const steps = fc.array(fc.record({ waitMs: fc.nat(25_000), calls: fc.integer({ min: 1, max: 90 }) }), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(5, 302), async (moves, limit) => {
      const bucket = newBucket();
      const passed: { at: number; count: number }[] = [];
      for (const { waitMs, calls } of moves) {
        clock.advance(waitMs);
        passed.push({ at: clock.now().getTime(), count: await letThrough(bucket, limit, calls) });
      }
      for (const { at } of passed) {
        const window = passed.filter((other) => other.at > at - WINDOW_MS && other.at <= at);
        expect(window.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 5 },
  );
});

test("a large limit keeps no more than a slice's worth of places back", async () => {
  const bucket = newBucket();
  expect(await letThrough(bucket, 310, 310)).toBe(310);
  clock.advance(WINDOW_MS + WINDOW_MS / 150);
  expect(await letThrough(bucket, 310, 310)).toBe(310);
});

test("the row of a large limit stays small", async () => {
  const bucket = newBucket();
  for (let n = 0; n < 400; n++) {
    clock.advance(397);
    await take(app, { bucket, limit: 1_000_000, windowMs: WINDOW_MS });
  }
  const [row] = await database.query<{ n: number }>(
    "SELECT cardinality(stamps) AS n FROM rate_limits WHERE bucket = $1",
    [bucket],
  );
  expect(row!.n).toBeLessThanOrEqual(151);
});
