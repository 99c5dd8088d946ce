// Deliveries to a flaky receiver while workers are killed without warning: each event must arrive at least once, no more than
// three automatic attempts may be recorded for it, none may be lost or left pending. Ends with 1 when one of these is broken.
//   npm run kill:webhooks [-- EVENTS [KILLS]]
import type { ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { startHttpsServer } from "../test/https-server.ts";
import { end, openRig, rounded } from "./webhooks-rig.ts";

const events = Number(process.argv[2] ?? 300);
const kills = Number(process.argv[3] ?? 60);
const WORKERS = 2;
const SUBMITTED_AT_ONCE = 4;
const GIVE_UP_MS = 15 * 60_000;

const slow = (response: ServerResponse) =>
  void setTimeout(() => response.writeHead(204).end(), 300 + Math.random() * 1200);
/** What the receiver does, and how often in a hundred. */
const moods: [share: number, act: (response: ServerResponse) => void][] = [
  [20, (response) => response.writeHead(500).end("not now")],
  [5, (response) => response.socket?.destroy()],
  [5, (response) => response.writeHead(200, { "content-length": "9" }).write("half", () => response.socket?.destroy())],
  [40, slow],
  [5, () => {}],
  [25, (response) => response.writeHead(204).end()],
];

function act(response: ServerResponse): void {
  let dice = Math.random() * 100;
  for (const [share, mood] of moods) {
    dice -= share;
    if (dice >= 0) continue;
    mood(response);
    return;
  }
}

const rig = await openRig({
  WEBHOOK_TIMEOUT: "2",
  WEBHOOK_RETRY_DELAYS: "1,2,3",
  JOBS_AT_ONCE: "2",
  JOBS_PER_ACCOUNT: "50",
});
const arrived = new Map<string, { count: number; body: Buffer; requestId: string }>();
const wrong: string[] = [];
let secret = "";
let inFlight = 0;
const receiver = await startHttpsServer(
  ({ headers, body }, response) => {
    const id = String(headers["webhook-id"]);
    const hex = createHmac("sha256", secret).update(body).digest("hex");
    if (headers["x-extract-signature"] !== `sha256=${hex}`) wrong.push(`${id}: the signature does not match`);
    const seen = arrived.get(id) ?? { count: 0, body, requestId: String(headers["x-extract-request-id"]) };
    if (!seen.body.equals(body)) wrong.push(`${id}: two attempts had different bodies`);
    arrived.set(id, { ...seen, count: seen.count + 1 });
    inFlight++;
    response.once("close", () => inFlight--);
    act(response);
  },
  { certificate: rig.certificate },
);

await rig.start("web");
const workers: ChildProcess[] = [];
for (let n = 0; n < WORKERS; n++) workers.push(await rig.start("worker"));
const caller = rig.caller();
const account = await caller.verified();
secret = account.webhookSecret;

const began = performance.now();
let killed = 0;
let done = false;

/** At the worst moment: an event has arrived, nobody has recorded it, and the victim has lived long enough to be its sender. */
async function killNowAndThen(): Promise<void> {
  while (!done && killed < kills) {
    await delay(300 + Math.random() * 1200);
    while (inFlight === 0 && !done) await delay(10);
    if (done) return;
    const [victim] = workers.splice(0, 1);
    await end(victim!, "SIGKILL");
    killed++;
    workers.push(await rig.start("worker"));
  }
}

const sent: string[] = [];
async function submit(numbers: Iterator<number>): Promise<void> {
  for (let next = numbers.next(); !next.done; next = numbers.next()) {
    const json = {
      text: `Event ${next.value}`,
      options: { async: true },
      webhook_url: `${receiver.origin}/${next.value}`,
    };
    for (;;) {
      // With a key, so that a request that is sent again makes no second event.
      const headers = { "idempotency-key": `event-${next.value}` };
      const answer = await caller.call("POST", "/api/v1/extract", { key: account.apiKey, json, headers });
      if (answer.status === 202) {
        sent.push(answer.headers.get("x-extract-request-id")!);
        break;
      }
      console.log(`submission answered ${answer.status} ${answer.json.code}; sent again`);
      await delay(200);
    }
  }
}

interface Counts {
  extractions: number;
  unfinished: number;
  deliveries: number;
  pending: number;
}
async function count(): Promise<Counts> {
  const { rows } = await rig.sql.query<Counts>(`
    SELECT (SELECT count(*) FROM extractions)::int AS extractions,
      (SELECT count(*) FROM extractions WHERE status IN ('queued', 'processing'))::int AS unfinished,
      (SELECT count(*) FROM deliveries)::int AS deliveries,
      (SELECT count(*) FROM deliveries WHERE status = 'pending')::int AS pending`);
  return rows[0]!;
}

const killing = killNowAndThen();
const numbers = Array.from({ length: events }, (_, n) => n).values();
await Promise.all(Array.from({ length: SUBMITTED_AT_ONCE }, () => submit(numbers)));
for (;;) {
  const { unfinished, pending } = await count();
  if (unfinished + pending === 0) break;
  if (performance.now() - began > GIVE_UP_MS) {
    wrong.push(`${unfinished} extractions and ${pending} deliveries had not ended after ${GIVE_UP_MS / 1000} s`);
    break;
  }
  await delay(250);
}
done = true;
const seconds = (performance.now() - began) / 1000;
await killing;

const { rows } = await rig.sql.query<{
  id: string;
  extraction_id: string;
  status: string;
  event: string;
  claims: number;
  automatic: number;
  successes: number;
}>(`
  SELECT d.id, d.extraction_id, d.status, d.event, d.claims, count(a.id) FILTER (WHERE NOT a.by_hand)::int AS automatic,
    count(a.id) FILTER (WHERE a.status BETWEEN 200 AND 299)::int AS successes
  FROM deliveries d LEFT JOIN attempts a ON a.delivery_id = d.id GROUP BY d.id`);
const byExtraction = new Map(rows.map((row) => [row.extraction_id, row]));
for (const id of sent) if (!byExtraction.has(id)) wrong.push(`${id}: no event was ever made`);
for (const { id, extraction_id, status, automatic, successes } of rows) {
  const seen = arrived.get(id);
  if (!seen) wrong.push(`${id}: never arrived`);
  else if (seen.requestId !== extraction_id) wrong.push(`${id}: carried another extraction's id`);
  if (automatic > 3) wrong.push(`${id}: ${automatic} automatic attempts were recorded`);
  if (status === "pending") wrong.push(`${id}: is still pending`);
  if (status === "failed" && automatic < 3) wrong.push(`${id}: was given up after ${automatic} attempts`);
  if (status === "delivered" && successes !== 1) wrong.push(`${id}: is delivered with ${successes} good attempts`);
}
if (new Set(sent).size !== events || rows.length !== events) wrong.push(`${rows.length} events of ${events}`);

const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0);
const requests = [...arrived.values()].reduce((total, { count: times }) => total + times, 0);
console.table({
  events: rows.length,
  "of these extraction.failed (their extraction's workers were killed three times)": rows.filter(({ event }) =>
    event.endsWith("failed"),
  ).length,
  "workers killed": killed,
  seconds: rounded(seconds),
  "events that arrived at least once": arrived.size,
  "requests that arrived": requests,
  "attempts recorded": sum(({ automatic }) => automatic),
  "attempts begun and never recorded (killed)": sum(({ claims, automatic }) => claims - automatic),
  "most automatic attempts recorded for an event": Math.max(...rows.map(({ automatic }) => automatic)),
  "most requests for an event": Math.max(...[...arrived.values()].map(({ count: times }) => times)),
  delivered: rows.filter(({ status }) => status === "delivered").length,
  "failed after three attempts": rows.filter(({ status }) => status === "failed").length,
  pending: rows.filter(({ status }) => status === "pending").length,
  lost: events - rows.length,
});
for (const line of wrong.slice(0, 50)) console.log(line);
console.log(wrong.length ? `${wrong.length} promises broken` : "every promise held");
await receiver.close();
await rig.close();
process.exit(wrong.length ? 1 : 0);
