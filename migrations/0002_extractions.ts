import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE extractions (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      status text NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed', 'canceled')),
      -- When it is due: at once for a queued one, the end of the lease for one in work, never for one that waits behind
      -- others of its account.
      run_at timestamptz NOT NULL,
      -- How often it was taken up: a result counts only if it comes from the last time.
      runs integer NOT NULL DEFAULT 0,
      -- How often whoever had it died.
      losses integer NOT NULL DEFAULT 0,
      is_async boolean NOT NULL,
      webhook_url text,
      request json,
      password bytea,
      metadata json,
      size bigint,
      sha256 text,
      kind text,
      mime_type text,
      pages integer,
      -- As its account's plan had it when it was sent; 0 keeps nothing.
      retention_days integer NOT NULL,
      -- Start of the billing period that its pages count in.
      period timestamptz NOT NULL,
      progress json,
      error json,
      created_at timestamptz NOT NULL,
      started_at timestamptz,
      completed_at timestamptz,
      expires_at timestamptz,
      erased_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX extractions_due ON extractions (run_at) WHERE status IN ('queued', 'processing')`.execute(db);
  await sql`CREATE INDEX extractions_waiting ON extractions (account_id, id) WHERE status = 'queued' AND run_at = 'infinity'`.execute(
    db,
  );
  await sql`CREATE INDEX extractions_of_account ON extractions (account_id, id DESC) WHERE erased_at IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX extractions_of_account_by_status ON extractions (account_id, status, id DESC) WHERE erased_at IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX extractions_expired ON extractions (expires_at) WHERE erased_at IS NULL`.execute(db);
  await sql`CREATE INDEX extractions_erased ON extractions (erased_at) WHERE erased_at IS NOT NULL`.execute(db);

  // The exact bytes of the answer: what a 200, GET and the webhook send.
  await sql`CREATE TABLE results (extraction_id uuid PRIMARY KEY REFERENCES extractions ON DELETE CASCADE, body bytea NOT NULL)`.execute(
    db,
  );

  // How many of an account's extractions run or are due, and how many wait behind them.
  await sql`
    CREATE TABLE account_loads (
      account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
      active integer NOT NULL CHECK (active >= 0),
      waiting integer NOT NULL CHECK (waiting >= 0)
    ) WITH (fillfactor = 50)`.execute(db);
  await sql`CREATE INDEX account_loads_waiting ON account_loads (account_id) WHERE waiting > 0`.execute(db);

  await sql`
    CREATE TABLE usage (
      extraction_id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      pages integer NOT NULL,
      period timestamptz NOT NULL,
      at timestamptz NOT NULL,
      -- When the pages are to be reported to the payment provider's meter; null when they are not, or have been.
      report_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX usage_of_account ON usage (account_id, at)`.execute(db);
  await sql`CREATE INDEX usage_to_report ON usage (report_at) WHERE report_at IS NOT NULL`.execute(db);

  // The counter of that ledger: pages is the sum of its rows, reserved the number of extractions under way.
  await sql`
    CREATE TABLE usage_periods (
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      starts_at timestamptz NOT NULL,
      pages integer NOT NULL,
      reserved integer NOT NULL CHECK (reserved >= 0),
      PRIMARY KEY (account_id, starts_at)
    ) WITH (fillfactor = 50)`.execute(db);

  await sql`
    CREATE TABLE idempotency_keys (
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      key text NOT NULL,
      fingerprint bytea NOT NULL,
      extraction_id uuid NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (account_id, key)
    )`.execute(db);
  await sql`CREATE INDEX idempotency_keys_old ON idempotency_keys (created_at)`.execute(db);
}
