// From a checked request to a row that will end. One statement writes the row and decides whether it is its turn: an account
// has a few places, the rest of its extractions wait behind them, so that nobody's thousand hold up another's one.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { type Account, retentionDaysOf } from "../accounts/accounts.ts";
import type { App } from "../app.ts";
import { periodOf, quotaFault, reserveStatement } from "../billing/usage.ts";
import { Fault } from "../errors.ts";
import { announce, type Trx } from "../platform/db/database.ts";
import { type Extraction, isWaiting, leaseFrom, type StoredRequest } from "./extractions.ts";

const IDEMPOTENCY_MS = 24 * 3_600_000;
const QUEUE_LOOK_MS = 1_000;
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

async function insert(app: App, submission: Submission, db: App["db"] | Trx): Promise<Extraction> {
  const { id, account, request, password, metadata, isAsync, webhookUrl, stored, runHere } = submission;
  const now = app.clock.now();
  const cap = app.config.jobsPerAccount;
  const period = periodOf(account, now);
  const { rows } = await sql<Extraction>`
    WITH place AS (${reserveStatement(app, account, period)}),
    load AS (
      INSERT INTO account_loads AS l (account_id, active, granted) SELECT ${account.id}::uuid, 1, true FROM place
      ON CONFLICT (account_id) DO UPDATE SET active = l.active + (l.active < ${cap})::int, granted = l.active < ${cap}
      RETURNING granted)
    INSERT INTO extractions
      (id, account_id, status, run_at, runs, started_at, is_async, webhook_url, request, password, metadata, size, sha256, retention_days, period,
       created_at)
    SELECT ${id}::uuid, ${account.id}::uuid,
      CASE WHEN granted AND ${runHere} THEN 'processing' ELSE 'queued' END,
      CASE WHEN NOT granted THEN 'infinity' WHEN ${runHere} THEN ${leaseFrom(now)}::timestamptz ELSE ${now}::timestamptz END,
      (granted AND ${runHere})::int,
      CASE WHEN granted AND ${runHere} THEN ${now}::timestamptz END,
      ${isAsync}, ${webhookUrl}, ${JSON.stringify(request)}::json, ${password === null ? null : app.secrets.seal(password)}::bytea,
      ${metadata === undefined ? null : JSON.stringify(metadata)}::json, ${stored?.size ?? null}::bigint, ${stored?.sha256 ?? null},
      ${retentionDaysOf(app, account)}::int, ${period.start}, ${now}
    FROM load RETURNING *`.execute(db);
  const [extraction] = rows;
  if (!extraction) throw await quotaFault(app, account);
  if (extraction.status === "queued" && !isWaiting(extraction)) await announce(db, "extractions");
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
      fingerprint: fingerprint(submission),
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
    .executeTakeFirstOrThrow();
  if (!row.fingerprint.equals(fingerprint(submission))) throw new Fault("idempotency_key_reused");
  if (row.erased_at) throw new Fault("gone");
  return row as unknown as Extraction;
}

function fingerprint({ request, password, metadata, isAsync, webhookUrl, stored }: Submission): Buffer {
  const same = [request, password, metadata ?? null, isAsync, webhookUrl, stored?.sha256 ?? null];
  return createHash("sha256").update(JSON.stringify(same)).digest();
}

/** Refuses work when too much of it waits already. The count is looked up once a second, not once a request. */
export function queueGuard(app: App): () => Promise<void> {
  let full = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - lookedAt > QUEUE_LOOK_MS) {
      lookedAt = performance.now();
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM (SELECT 1 FROM extractions WHERE status = 'queued' LIMIT ${app.config.maxQueued}) q`.execute(
        app.db,
      );
      full = rows[0]!.n >= app.config.maxQueued;
    }
    if (full) throw new Fault("overloaded", { headers: { "retry-after": "10" } });
  };
}

export async function forgetOldKeys(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - IDEMPOTENCY_MS);
  await app.db.deleteFrom("idempotency_keys").where("created_at", "<", before).execute();
}
