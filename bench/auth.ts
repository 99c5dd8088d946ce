// What a key costs: cold (new to the process) and warm, with a thousand and a million accounts; and what a flood of garbage
// keys does to those who have one. Accounts are made by SQL. Bounded: about two minutes.
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type SpawnedService, spawnService, temporaryFolder } from "../test/spawn.ts";
import { startDatabase } from "./database.ts";

const SIZES = [1_000, 1_000_000];
const COLD_KEYS = 20;
const WARM_REQUESTS = 300;
const FLOOD_PER_SECOND = 200;
const FLOOD_SECONDS = 10;

const database = await startDatabase();
const dataDir = await temporaryFolder();
const env = {
  ...database.settings,
  DATA_DIR: dataDir,
  LOG_LEVEL: "error",
  RATE_LIMIT_PER_MINUTE: "100000",
  SIGNUPS_PER_HOUR: "100000",
  JOBS_AT_ONCE: "1",
};

const quantile = (times: number[], q: number) => {
  const sorted = times.toSorted((a, b) => a - b);
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!.toFixed(2));
};

async function timed(service: SpawnedService, key: string, expected: number): Promise<number> {
  const begun = performance.now();
  const { status } = await service.call("GET", "/api/v1/account", { key });
  if (status !== expected) throw new Error(`answered ${status}, not ${expected}`);
  return performance.now() - begun;
}

/** Rows like real ones: salts spread over the whole index, prefixes shared as they would be. */
async function fill(total: number): Promise<void> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.query(
    `INSERT INTO accounts (id, email, password_hash, email_verified_at, api_key_id, api_key_hash, api_key_prefix, webhook_secret, created_at)
     SELECT gen_random_uuid(), 'u' || i || '@bench.example', 'x', now(), gen_random_uuid(),
       '$2b$10$' || substr(translate(encode(sha256((random() || ':' || i)::bytea), 'base64'), '+=', './'), 1, 53),
       'ext_live_' || substr(md5(i::text), 1, 3), 'x', now()
     FROM generate_series((SELECT count(*) FROM accounts), $1 - 1) i`,
    [total],
  );
  await client.query("VACUUM ANALYZE accounts");
  await client.end();
}

const rows: Record<string, unknown>[] = [];
const maker = await spawnService(env);
const keys: string[] = [];
for (let i = 0; i < COLD_KEYS; i++) keys.push((await maker.verified({ email: `cold${i}@bench.example` })).apiKey);

for (const size of SIZES) {
  await fill(size);
  // A new process has seen no key.
  const service = await spawnService(env);
  await service.call("GET", "/health");
  const cold: number[] = [];
  for (const key of keys) cold.push(await timed(service, key, 200));
  const warm: number[] = [];
  for (let i = 0; i < WARM_REQUESTS; i++) warm.push(await timed(service, keys[i % keys.length]!, 200));
  const garbage: number[] = [];
  for (let i = 0; i < 50; i++) garbage.push(await timed(service, `ext_live_${randomBytes(16).toString("hex")}`, 401));
  rows.push({
    accounts: size,
    "cold median ms": quantile(cold, 0.5),
    "warm median ms": quantile(warm, 0.5),
    "garbage median ms": quantile(garbage, 0.5),
  });
  await service.end("SIGTERM");
}
console.table(rows);
const ratio = (name: string) => (Number(rows[1]![name]) / Number(rows[0]![name])).toFixed(2);
console.log(`million against thousand: cold ×${ratio("cold median ms")}, warm ×${ratio("warm median ms")}`);

/** Normal traffic at a steady pace; with a flood beside it, sent without waiting for the answers. */
async function traffic(service: SpawnedService, withFlood: boolean): Promise<{ times: number[]; flood: number[] }> {
  const times: Promise<number>[] = [];
  const flood: Promise<number>[] = [];
  const begun = performance.now();
  for (let tick = 0; tick < FLOOD_SECONDS * 50; tick++) {
    times.push(timed(service, keys[tick % keys.length]!, 200));
    for (let i = 0; withFlood && i < FLOOD_PER_SECOND / 50; i++) {
      const key = `ext_live_${randomBytes(16).toString("hex")}`;
      flood.push(service.call("GET", "/api/v1/account", { key }).then(({ status }) => status));
    }
    await delay(Math.max(0, begun + (tick + 1) * 20 - performance.now()));
  }
  return { times: await Promise.all(times), flood: await Promise.all(flood) };
}

const calm = await traffic(maker, false);
const flooded = await traffic(maker, true);
const statuses = Object.groupBy(flooded.flood, String);
console.table({
  "normal, alone": { "p50 ms": quantile(calm.times, 0.5), "p99 ms": quantile(calm.times, 0.99) },
  [`normal, beside ${FLOOD_PER_SECOND} garbage keys/s`]: {
    "p50 ms": quantile(flooded.times, 0.5),
    "p99 ms": quantile(flooded.times, 0.99),
  },
});
console.log(
  `garbage answered: ${Object.entries(statuses)
    .map(([status, list]) => `${list?.length} × ${status}`)
    .join(", ")}`,
);
await maker.end("SIGTERM");
await rm(dataDir, { recursive: true, force: true });
await database.stop();
