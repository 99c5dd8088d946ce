// From a checked request to a row that will end. One statement takes a page of the quota, decides whether it is the
// extraction's turn, and writes the row: an account has a few places, the rest of its extractions wait behind them, so that
// nobody's thousand hold up another's one.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type Account, retentionDaysOf } from "../accounts/accounts.ts";
import type { App } from "../app.ts";
import { periodOf, quotaFault, reserveStatement } from "../billing/usage.ts";
import { Fault } from "../errors.ts";
import type { Db, Trx } from "../platform/db/database.ts";
import { databaseNow, type Extraction, lease, type StoredRequest } from "./extractions.ts";

const IDEMPOTENCY_MS = 24 * 3_600_000;
const QUEUE_LOOK_MS = 1_000;
const QUEUE_RETRY_SECONDS = "10";
const UNIQUE_VIOLATION = "23505";

export interface Submission {
  id: string;
  account: Account;
  request: StoredRequest;
  password: string | null;
  metadata: unknown;
  isAsync: boolean;
  webhookUrl: string | null;
  /** Null while the document is still behind its url. */
  stored: { size: number; sha256: string } | null;
  idempotencyKey: string | null;
  /** Whether this process has a free place and will run it at once. */
  runHere: boolean;
}

export type Submitted = { extraction: Extraction; replayed: boolean };

export async function submit(app: App, submission: Submission): Promise<Submitted> {
  if (!submission.idempotencyKey) return { extraction: await insert(app, submission, app.db), replayed: false };
  try {
    const extraction = await app.db.transaction().execute(async (trx) => {
      await claimKey(app, trx, submission);
      return insert(app, submission, trx);
    });
    return { extraction, replayed: false };
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    return { extraction: await findFirst(app, submission), replayed: true };
  }
}

async function insert(app: App, submission: Submission, db: Db | Trx): Promise<Extraction> {
  const { id, account, request, password, metadata, isAsync, webhookUrl, stored, runHere } = submission;
  const now = app.clock.now();
  const period = periodOf(account, now);
  const hasPlace = sql`l.active < ${app.config.jobsPerAccount}::int AND l.waiting = 0`;
  const { rows } = await sql<Extraction>`
    WITH page AS (${reserveStatement(app, account, period)}),
    load AS (
      INSERT INTO account_loads AS l (account_id, active, waiting) SELECT ${account.id}::uuid, 1, 0 FROM page
      ON CONFLICT (account_id) DO UPDATE SET
        active = l.active + (${hasPlace})::int, waiting = l.waiting + (NOT (${hasPlace}))::int
      RETURNING waiting = 0 AS has_place, waiting = 0 AND ${runHere} AS runs_here),
    inserted AS (
      INSERT INTO extractions
        (id, account_id, status, run_at, runs, started_at, is_async, webhook_url, request, password, metadata, size, sha256,
         retention_days, period, created_at)
      SELECT ${id}::uuid, ${account.id}::uuid,
        CASE WHEN runs_here THEN 'processing' ELSE 'queued' END,
        CASE WHEN runs_here THEN ${lease(app)} WHEN has_place THEN ${databaseNow(app)} ELSE 'infinity' END,
        runs_here::int,
        CASE WHEN runs_here THEN ${now}::timestamptz END,
        ${isAsync}, ${webhookUrl}, ${JSON.stringify(request)}::json, ${password === null ? null : app.secrets.seal(password)}::bytea,
        ${metadata === undefined ? null : JSON.stringify(metadata)}::json, ${stored?.size ?? null}::bigint, ${stored?.sha256 ?? null},
        ${retentionDaysOf(app, account)}::int, ${period.start}, ${now}
      FROM load RETURNING *)
    SELECT inserted.*, CASE WHEN status = 'queued' AND run_at < 'infinity' THEN pg_notify('extractions', '') END AS announced
    FROM inserted`.execute(db);
  const [extraction] = rows;
  if (!extraction) throw await quotaFault(app, account);
  return extraction;
}

/** Two identical requests at the same instant meet here: the second waits for the first to be written, then finds it. */
async function claimKey(app: App, trx: Trx, submission: Submission): Promise<void> {
  const { account, idempotencyKey, id } = submission;
  const now = app.clock.now();
  const expired = new Date(now.getTime() - IDEMPOTENCY_MS);
  await trx
    .deleteFrom("idempotency_keys")
    .where("account_id", "=", account.id)
    .where("key", "=", idempotencyKey!)
    .where("created_at", "<", expired)
    .execute();
  await trx
    .insertInto("idempotency_keys")
    .values({
      account_id: account.id,
      key: idempotencyKey!,
      fingerprint: fingerprint(app, submission),
      extraction_id: id,
      created_at: now,
    })
    .execute();
}

/** The extraction that the first request with this key made. */
async function findFirst(app: App, submission: Submission): Promise<Extraction> {
  const row = await app.db
    .selectFrom("idempotency_keys")
    .innerJoin("extractions", "extractions.id", "idempotency_keys.extraction_id")
    .selectAll("extractions")
    .select("fingerprint")
    .where("idempotency_keys.account_id", "=", submission.account.id)
    .where("key", "=", submission.idempotencyKey!)
    .executeTakeFirst();
  // Forgotten between our attempt to take it and this look: its 24 hours are over.
  if (!row) throw new Fault("idempotency_conflict", { headers: { "retry-after": "1" } });
  if (!row.fingerprint.equals(fingerprint(app, submission))) throw new Fault("idempotency_key_reused");
  if (row.erased_at) throw new Fault("gone");
  return row as unknown as Extraction;
}

/** Tells whether two requests are the same. The password goes in as a mark that nobody without SECRET_KEY can guess from. */
function fingerprint(app: App, { request, password, metadata, isAsync, webhookUrl, stored }: Submission): Buffer {
  const mark = password === null ? null : app.secrets.saltFor(password).toString("base64");
  const same = [request, mark, metadata ?? null, isAsync, webhookUrl, stored?.sha256 ?? null];
  return createHash("sha256").update(JSON.stringify(same)).digest();
}

export interface QueueGuard {
  /** Refuses work when too much of it waits already. */
  admit(): Promise<void>;
  /** One more waits. */
  count(): void;
}

/** What waits is counted once a second, not once a request; in between, what was added here is. */
export function queueGuard(app: App): QueueGuard {
  const { maxQueued } = app.config;
  let queued = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    async admit() {
      if (performance.now() - lookedAt > QUEUE_LOOK_MS) {
        lookedAt = performance.now();
        const { rows } = await sql<{ n: number }>`
          SELECT count(*)::int AS n FROM (SELECT 1 FROM extractions WHERE status = 'queued' LIMIT ${maxQueued}) q`.execute(
          app.db,
        );
        queued = rows[0]!.n;
      }
      if (queued >= maxQueued) throw new Fault("overloaded", { headers: { "retry-after": QUEUE_RETRY_SECONDS } });
    },
    count: () => void queued++,
  };
}

export async function forgetOldKeys(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - IDEMPOTENCY_MS);
  await app.db.deleteFrom("idempotency_keys").where("created_at", "<", before).execute();
}
