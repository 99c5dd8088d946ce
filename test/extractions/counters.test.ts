// Any mix of ends, in any order and at the same time, on a real database: the account's counters stay exact, nothing gets
// stuck, and nothing counts twice.
import { randomUUIDv7 } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Account } from "../../src/accounts/accounts.ts";
import type { App } from "../../src/app.ts";
import { Fault } from "../../src/errors.ts";
import { end } from "../../src/extractions/end.ts";
import { erase } from "../../src/extractions/erase.ts";
import {
  beat,
  claimDue,
  type Extraction,
  handBack,
  isTerminal,
  LEASE_MS,
  MAX_LOSSES,
  passTurns,
} from "../../src/extractions/extractions.ts";
import { submit } from "../../src/extractions/submit.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { openSecrets } from "../../src/platform/secrets.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { createDatabase, type TestDatabase } from "../postgres.ts";
import { movableClock } from "../service.ts";

const CAP = 2;
const clock = movableClock();
let database: TestDatabase;
let app: App;
let close: () => Promise<void>;
beforeAll(async () => {
  database = await createDatabase();
  const opened = await openDatabase({ connectionString: database.url }, 6, openLog("silent"));
  close = opened.close;
  app = {
    clock,
    db: opened.db,
    config: { jobsPerAccount: CAP, retentionDays: 30 },
    secrets: openSecrets("a secret key that only tests have"),
    blobs: { remove: async () => {} },
    payments: null,
    baseUrl: "http://localhost",
  } as unknown as App;
});
afterAll(async () => {
  await close();
  await database.drop();
});

async function makeAccount(): Promise<Account> {
  const id = randomUUIDv7();
  const [account] = await database.query<Account>(
    `INSERT INTO accounts (id, email, password_hash, webhook_secret, created_at)
     VALUES ($1, $2, '', '', now()) RETURNING *`,
    [id, `${id}@example.com`],
  );
  return account!;
}

const acts = [
  "submit",
  "submit here",
  "claim",
  "complete",
  "fail",
  "cancel",
  "erase",
  "crash",
  "hand back",
  "late",
] as const;
type Act = { act: (typeof acts)[number]; pick: number };

/** Everything that was sent, and what a worker that still lives believes to hold. */
interface Play {
  account: Account;
  sent: string[];
  held: Extraction[];
  lost: Extraction[];
}

const completed = (pages: number) => ({
  status: "completed" as const,
  result: { json: Buffer.from('"x":1'), kind: "text", mimeType: "text/plain", pages, warnings: [] },
  source: { size: 1, sha256: "00" },
});

async function send({ account, sent, held }: Play, runHere: boolean): Promise<void> {
  const { extraction } = await submit(app, {
    ...{ id: randomUUIDv7(), account, password: "pw", metadata: undefined, isAsync: true, idempotencyKey: null },
    request: { name: null, contentType: null, url: null, options: {} as never, schema: null, warnings: [] },
    ...{ webhookUrl: "https://example.com/", stored: { size: 1, sha256: "00" }, runHere },
  });
  sent.push(extraction.id);
  if (extraction.status === "processing") held.push(extraction);
}

async function claim({ held }: Play): Promise<void> {
  await passTurns(app);
  for (const extraction of await claimDue(app, 3)) {
    if (extraction.losses < MAX_LOSSES) held.push(extraction);
    else await end(app, extraction, extraction.runs, { status: "failed", fault: new Fault("extraction_crashed") });
  }
}

async function row(id: string): Promise<Extraction | undefined> {
  const found = await app.db.selectFrom("extractions").selectAll().where("id", "=", id).executeTakeFirst();
  return found as Extraction | undefined;
}

async function play(state: Play, { act, pick }: Act): Promise<void> {
  const { sent, held, lost } = state;
  const takeHeld = () => held.splice(pick % Math.max(1, held.length), 1)[0];
  const anyOf = (list: string[]) => list[pick % Math.max(1, list.length)];
  if (act === "submit" || act === "submit here") return send(state, act === "submit here");
  if (act === "claim") return claim(state);
  if (act === "complete" || act === "fail") {
    const extraction = takeHeld();
    if (!extraction) return;
    const fault = new Fault("corrupt_document");
    await end(app, extraction, extraction.runs, act === "complete" ? completed(2) : { status: "failed", fault });
    return;
  }
  if (act === "crash") {
    const dead = takeHeld();
    if (!dead) return;
    lost.push(dead);
    clock.advance(LEASE_MS + 1);
    // The living give signs of life, the dead one does not.
    if (held.length)
      await beat(
        app,
        held.map(({ id, runs }) => ({ id, runs, progress: null })),
      );
    return;
  }
  if (act === "late") {
    const extraction = lost.splice(pick % Math.max(1, lost.length), 1)[0];
    const taken = extraction && (await row(extraction.id));
    if (!extraction || !taken || taken.runs === extraction.runs) return;
    expect(await end(app, extraction, extraction.runs, completed(1))).toBeNull();
    return;
  }
  if (act === "hand back") {
    const extraction = takeHeld();
    return extraction && handBack(app, extraction);
  }
  const id = anyOf(sent);
  const extraction = id && (await row(id));
  if (!extraction || extraction.erased_at) return;
  if (act === "erase") return erase(app, extraction);
  await end(app, extraction, null, { status: "canceled" });
}

async function checkCounters({ account }: Play): Promise<void> {
  const [counted] = await database.query(
    `SELECT count(*) FILTER (WHERE run_at < 'infinity')::int AS active, count(*) FILTER (WHERE run_at = 'infinity')::int AS waiting
     FROM extractions WHERE account_id = $1 AND status IN ('queued', 'processing')`,
    [account.id],
  );
  const [load] = await database.query("SELECT active, waiting FROM account_loads WHERE account_id = $1", [account.id]);
  expect(load ?? { active: 0, waiting: 0 }).toEqual(counted);
  expect(counted!.active).toBeLessThanOrEqual(CAP);
  const [ledger] = await database.query(
    `SELECT coalesce(sum(reserved), 0)::int AS reserved, coalesce(sum(pages), 0)::int AS pages,
       (SELECT coalesce(sum(pages), 0)::int FROM usage WHERE account_id = $1) AS billed FROM usage_periods WHERE account_id = $1`,
    [account.id],
  );
  expect(ledger!.reserved).toBe(counted!.active + counted!.waiting);
  expect(ledger!.pages).toBe(ledger!.billed);
}

/** With workers that live, everything ends. */
async function drain(state: Play): Promise<void> {
  clock.advance(LEASE_MS + 1);
  for (let rounds = 0; rounds < 100; rounds++) {
    state.held.length = 0;
    await claim(state);
    for (const extraction of state.held) await end(app, extraction, extraction.runs, completed(2));
    const rows = await database.query(
      "SELECT 1 FROM extractions WHERE account_id = $1 AND status IN ('queued', 'processing')",
      [state.account.id],
    );
    if (rows.length === 0) return;
  }
  throw new Error("something is stuck");
}

test("counters are exact after any mix of ends, every extraction ends once, completed ones are billed once", async () => {
  const step = fc.array(fc.record({ act: fc.constantFrom(...acts), pick: fc.nat(50) }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const state: Play = { account: await makeAccount(), sent: [], held: [], lost: [] };
      for (const together of steps) {
        await Promise.all(together.map((act) => play(state, act)));
        await checkCounters(state);
      }
      await drain(state);
      await checkCounters(state);
      const rows = await database.query<{
        id: string;
        status: Extraction["status"];
        billed: number;
        password: null;
        deliveries: number;
      }>(
        `SELECT e.id, status, password, (SELECT count(*)::int FROM usage u WHERE u.extraction_id = e.id) AS billed,
           (SELECT count(*)::int FROM deliveries d WHERE d.extraction_id = e.id) AS deliveries
         FROM extractions e WHERE account_id = $1`,
        [state.account.id],
      );
      expect(rows).toHaveLength(state.sent.length);
      for (const { status, billed, password, deliveries } of rows) {
        expect(isTerminal(status)).toBe(true);
        expect(billed).toBe(status === "completed" ? 1 : 0);
        expect(deliveries).toBe(status === "canceled" ? 0 : 1);
        expect(password).toBeNull();
      }
    }),
    { numRuns: 15 },
  );
}, 120_000);

test("at most three workers die over one document, then it has failed with extraction_crashed", async () => {
  const state: Play = { account: await makeAccount(), sent: [], held: [], lost: [] };
  await send(state, true);
  for (let deaths = 1; deaths <= MAX_LOSSES; deaths++) {
    expect(state.held.map(({ runs, losses }) => [runs, losses])).toEqual([[deaths, deaths - 1]]);
    state.held.length = 0;
    clock.advance(LEASE_MS + 1);
    await claim(state);
  }
  const failed = await row(state.sent[0]!);
  expect(failed).toMatchObject({ status: "failed", error: { code: "extraction_crashed" } });
});

test("what was handed back by a process that stopped is no loss", async () => {
  const state: Play = { account: await makeAccount(), sent: [], held: [], lost: [] };
  await send(state, true);
  for (let stops = 0; stops < MAX_LOSSES + 1; stops++) {
    await handBack(app, state.held.pop()!);
    await claim(state);
  }
  expect(state.held.map(({ losses }) => losses)).toEqual([0]);
});
