// How fast events go out, and whom a dead receiver holds up. One service process, its PostgreSQL, and 100 receivers in a third
// process that answer after 100 ms.
//   npm run bench:webhooks [-- EVENTS]
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { openRig, quantile, type Rig, rounded } from "./webhooks-rig.ts";

const RECEIVERS = 100;
const LATENCY_MS = 100;
/** Of a body: what a page or two of text with its elements gives. */
const BODY_BYTES = 20_000;
const STEADY_PER_SECOND = 50;
const STEADY_SECONDS = 20;
const COMPLETIONS = 60;
const ACCOUNTS = 10;
const METRICS_TOKEN = "a token of the bench, 32 characters";

/** In its own process, so that it does not take the service's time. */
async function receive(cert: string, key: string): Promise<void> {
  const ports: number[] = [];
  for (let n = 0; n < RECEIVERS + 1; n++) {
    const isDead = n === RECEIVERS;
    const server = createServer({ cert, key }, (request, response) => {
      request.resume();
      if (!isDead) setTimeout(() => response.writeHead(204).end(), LATENCY_MS);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    ports.push((server.address() as AddressInfo).port);
  }
  process.send!(ports);
}

async function startReceivers({ certificate }: Rig): Promise<{ child: ChildProcess; ports: number[] }> {
  const child = fork(import.meta.filename, ["--receive"]);
  child.send(certificate);
  const [ports] = (await once(child, "message")) as [number[]];
  return { child, ports };
}

const body = Buffer.from(JSON.stringify({ id: "01a1dd1b-0000-7000-8000-000000000000", text: "x".repeat(BODY_BYTES) }));

/** Rows as a test event leaves them: the body comes with the row, all else is as for an extraction's event. */
async function insert(sql: Rig["sql"], accounts: string[], ports: number[]): Promise<void> {
  const owners = ports.map((_, n) => accounts[n % accounts.length]);
  await sql.query(
    `WITH made AS (INSERT INTO deliveries (id, account_id, event, url, host, body, bytes, status, created_at, run_at)
       SELECT uuidv7(), owner, 'extraction.completed', 'https://localhost:' || port, 'localhost:' || port, $1, $2, 'pending', now(), now()
       FROM unnest($3::uuid[], $4::int[]) AS e (owner, port) RETURNING id)
     SELECT pg_notify('deliveries', '') FROM made LIMIT 1`,
    [body, body.length, owners, ports],
  );
}

async function drained(sql: Rig["sql"], deadPort: number): Promise<void> {
  for (;;) {
    const { rows } = await sql.query("SELECT FROM deliveries WHERE status = 'pending' AND host <> $1 LIMIT 1", [
      `localhost:${deadPort}`,
    ]);
    if (rows.length === 0) return;
    await delay(20);
  }
}

/** From the moment an event is due to the moment its receiver's answer is there, in ms; healthy receivers only. */
async function latencies(sql: Rig["sql"], deadPort: number): Promise<number[]> {
  const { rows } = await sql.query<{ ms: number }>(
    `SELECT extract(epoch FROM a.started_at - d.created_at) * 1000 + a.duration_ms AS ms
     FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.host <> $1`,
    [`localhost:${deadPort}`],
  );
  return rows.map(({ ms }) => Number(ms));
}

/** Seconds of processor time the service has taken; says more than a rate where others share the machine. */
async function cpuSeconds({ caller }: Rig): Promise<number> {
  const { text } = await caller().call("GET", "/metrics", { key: METRICS_TOKEN });
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]);
}

async function measure(events: number): Promise<void> {
  const rig = await openRig({ METRICS_TOKEN });
  const { sql } = rig;
  const { child, ports } = await startReceivers(rig);
  const deadPort = ports[RECEIVERS]!;
  const healthy = ports.slice(0, RECEIVERS);
  await rig.start("all");
  const caller = rig.caller();
  const account = await caller.verified();
  const accounts = [account.id];
  while (accounts.length < ACCOUNTS) accounts.push((await caller.signUp()).id);
  const cycle = (count: number, of: number[]) => Array.from({ length: count }, (_, n) => of[n % of.length]!);

  const burst = async (of: number[]) => {
    await sql.query("DELETE FROM deliveries");
    const began = performance.now();
    await insert(sql, accounts, cycle(events, of));
    await drained(sql, deadPort);
    const seconds = (performance.now() - began) / 1000;
    const { length } = await latencies(sql, deadPort);
    return length / seconds;
  };
  const steady = async (alsoDead: boolean) => {
    await sql.query("DELETE FROM deliveries");
    const perTick = STEADY_PER_SECOND / 10;
    const targets = cycle(STEADY_PER_SECOND * STEADY_SECONDS, healthy);
    // On top of the healthy ones' load, half as many again: the dead receiver takes all the places it can get.
    const dead = alsoDead ? cycle(Math.ceil(perTick / 2), [deadPort]) : [];
    for (let tick = 0; tick < STEADY_SECONDS * 10; tick++) {
      const next = delay(100);
      await insert(sql, accounts, [...dead, ...targets.slice(tick * perTick, (tick + 1) * perTick)]);
      await next;
    }
    await drained(sql, deadPort);
    return latencies(sql, deadPort);
  };

  await burst(healthy);
  const cpuBefore = await cpuSeconds(rig);
  const rate = await burst(healthy);
  const cpuMs = ((await cpuSeconds(rig)) - cpuBefore) * 1000;
  const rateDead = await burst(ports);
  const calm = await steady(false);
  const disturbed = await steady(true);
  const toFirst = await completions(rig, account.apiKey, healthy);

  const factor = quantile(disturbed, 0.99) / quantile(calm, 0.99);
  console.table({
    [`deliveries/s, ${events} at once to ${RECEIVERS} receivers of ${LATENCY_MS} ms`]: rounded(rate),
    "the service's processor time for each, ms": rounded(cpuMs / events),
    "the same with a dead one among them (healthy deliveries/s)": rounded(rateDead),
    [`${STEADY_PER_SECOND}/s: due to answered, p50 ms`]: rounded(quantile(calm, 0.5)),
    [`${STEADY_PER_SECOND}/s: due to answered, p99 ms`]: rounded(quantile(calm, 0.99)),
    "with a dead receiver: healthy p50 ms": rounded(quantile(disturbed, 0.5)),
    "with a dead receiver: healthy p99 ms": rounded(quantile(disturbed, 0.99)),
    "healthy p99, with a dead one / without (at most 2)": rounded(factor),
    "completion to first attempt, p50 ms": rounded(quantile(toFirst, 0.5)),
    "completion to first attempt, p99 ms": rounded(quantile(toFirst, 0.99)),
  });
  child.kill();
  await rig.close();
  process.exitCode = factor <= 2 ? 0 : 1;
}

/** Real extractions, one after the other, each with its event. */
async function completions({ sql, caller }: Rig, key: string, ports: number[]): Promise<number[]> {
  await sql.query("DELETE FROM deliveries");
  for (let n = 0; n < COMPLETIONS; n++) {
    const json = {
      text: "some text",
      options: { async: true },
      webhook_url: `https://localhost:${ports[n % ports.length]}/`,
    };
    const { status, text } = await caller().call("POST", "/api/v1/extract", { key, json });
    if (status !== 202) throw new Error(`an extraction was answered ${status}: ${text}`);
    await delay(50);
  }
  await drained(sql, 0);
  for (;;) {
    const { rows } = await sql.query<{ ms: number }>(
      `SELECT extract(epoch FROM min(a.started_at) - e.completed_at) * 1000 AS ms
       FROM deliveries d JOIN extractions e ON e.id = d.extraction_id JOIN attempts a ON a.delivery_id = d.id GROUP BY e.id`,
    );
    if (rows.length === COMPLETIONS) return rows.map(({ ms }) => Number(ms));
    await delay(50);
  }
}

if (process.argv[2] === "--receive")
  process.once("message", ({ cert, key }: { cert: string; key: string }) => void receive(cert, key));
else await measure(Number(process.argv[2] ?? 3000));
