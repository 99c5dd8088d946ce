// Asynchronous extractions while workers and whole services are killed without warning: all must end, none may stand in the
// ledger twice, none may be left over, no counter may be off. Ends with 1 when one of these is broken.
//   npm run kill:extractions [-- JOBS [SECONDS BETWEEN KILLS]]
import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { end, openRig, rounded } from "./webhooks-rig.ts";

const jobs = Number(process.argv[2] ?? 200);
const everyMs = Number(process.argv[3] ?? 3) * 1000;
const GIVE_UP_MS = 15 * 60_000;

const rig = await openRig({ JOBS_AT_ONCE: "2", JOBS_PER_ACCOUNT: "20" });
type Role = "all" | "worker";
const running = new Map<Role, ChildProcess>();
const start = async (role: Role) => void running.set(role, await rig.start(role));
await Promise.all([start("all"), start("worker")]);
const { apiKey, id: account } = await rig.caller().verified();

/** Some hundred kilobytes of text: enough work, so that most kills hit something. */
const document = (n: number) =>
  `Job ${n}\n\n${"Every line of it is read and laid out.\n".repeat(4_000 + (n % 5) * 2_000)}`;

const kills = { all: 0, worker: 0 };
let done = false;
const killing = (async () => {
  while (!done) {
    await delay(everyMs * (0.5 + Math.random()));
    const role: Role = Math.random() < 0.5 ? "all" : "worker";
    await end(running.get(role)!, "SIGKILL");
    kills[role]++;
    await start(role);
  }
})();

const began = performance.now();
for (let n = 0; n < jobs; n++) {
  const headers = { prefer: "respond-async", "idempotency-key": `job-${n}` };
  for (;;) {
    const answer = await rig
      .caller()
      .call("POST", "/api/v1/extract", { key: apiKey, json: { text: document(n) }, headers })
      .catch(() => null);
    if (answer?.status === 202) break;
    await delay(200);
  }
}

const count = async (where: string) => {
  const { rows } = await rig.sql.query(
    `SELECT count(*)::int AS n FROM extractions WHERE account_id = $1 AND ${where}`,
    [account],
  );
  return rows[0].n as number;
};
while ((await count("status IN ('queued', 'processing')")) > 0 && performance.now() - began < GIVE_UP_MS)
  await delay(500);
done = true;
await killing;

const { rows: [ledger] } = await rig.sql.query(
  `SELECT count(*)::int AS rows, count(DISTINCT extraction_id)::int AS distinct FROM usage WHERE account_id = $1`, [account],
); // biome-ignore format: one statement
const {
  rows: [load],
} = await rig.sql.query("SELECT active, waiting FROM account_loads WHERE account_id = $1", [account]);
const { rows: [taken] } = await rig.sql.query(
  `SELECT sum(runs)::int AS runs, sum(losses)::int AS losses, max(runs) AS most FROM extractions WHERE account_id = $1`, [account],
); // biome-ignore format: one statement
const { rows: crashed } = await rig.sql.query(
  "SELECT error->>'code' AS code, losses FROM extractions WHERE account_id = $1 AND status = 'failed'", [account],
); // biome-ignore format: one statement
const facts = {
  jobs,
  seconds: rounded((performance.now() - began) / 1000),
  kills_of_service: kills.all,
  kills_of_worker: kills.worker,
  rows: await count("true"),
  completed: await count("status = 'completed'"),
  given_up_after_three_deaths: crashed.filter(({ code, losses }) => code === "extraction_crashed" && losses >= 3)
    .length,
  left_over: await count("status IN ('queued', 'processing')"),
  ledger_rows: ledger.rows,
  twice_in_ledger: ledger.rows - ledger.distinct,
  runs: taken.runs,
  lost_runs: taken.losses,
  most_runs_of_one: taken.most,
  counters: load,
};
console.log(facts);
await rig.close();
const right =
  facts.rows === jobs &&
  facts.left_over === 0 &&
  facts.twice_in_ledger === 0 &&
  facts.ledger_rows === facts.completed &&
  facts.completed + facts.given_up_after_three_deaths === jobs &&
  load.active === 0 &&
  load.waiting === 0;
process.exitCode = right ? 0 : 1;
