import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE accounts (
      id uuid PRIMARY KEY,
      email text NOT NULL,
      password_hash text NOT NULL,
      email_verified_at timestamptz,
      suspended_at timestamptz,
      api_key_id uuid,
      api_key_hash text,
      api_key_prefix text CHECK (length(api_key_prefix) = 12),
      api_key_created_at timestamptz,
      webhook_secret bytea NOT NULL,
      webhook_secret_shown boolean NOT NULL DEFAULT false,
      webhook_secret_previous bytea,
      webhook_secret_rotated_at timestamptz,
      webhook_url text,
      plan text NOT NULL DEFAULT 'free',
      rate_limit_per_minute integer CHECK (rate_limit_per_minute > 0),
      retention_days integer CHECK (retention_days >= 0),
      created_at timestamptz NOT NULL
    )`.execute(db);
  // An address may be claimed by many sign-ups, but verified by one.
  await sql`CREATE UNIQUE INDEX accounts_verified_email ON accounts (lower(email)) WHERE email_verified_at IS NOT NULL`.execute(
    db,
  );
  await sql`CREATE INDEX accounts_unverified ON accounts (lower(email), created_at) WHERE email_verified_at IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX accounts_stale ON accounts (created_at) WHERE email_verified_at IS NULL`.execute(db);
  // The first 29 characters of a bcrypt hash are its cost and salt, and the salt is derived from the key.
  await sql`CREATE UNIQUE INDEX accounts_api_key ON accounts (left(api_key_hash, 29)) WHERE api_key_hash IS NOT NULL`.execute(
    db,
  );
  await sql`CREATE INDEX accounts_api_key_prefix ON accounts (api_key_prefix)`.execute(db);

  await sql`
    CREATE TABLE tokens (
      hash bytea PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX tokens_account ON tokens (account_id)`.execute(db);
  await sql`CREATE INDEX tokens_expired ON tokens (expires_at)`.execute(db);

  await sql`
    CREATE TABLE sessions (
      hash bytea PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX sessions_account ON sessions (account_id)`.execute(db);
  await sql`CREATE INDEX sessions_expired ON sessions (expires_at)`.execute(db);

  await sql`
    CREATE TABLE audit (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      at timestamptz NOT NULL,
      action text NOT NULL,
      address text
    )`.execute(db);
  await sql`CREATE INDEX audit_account ON audit (account_id, id)`.execute(db);

  await sql`
    CREATE TABLE mails (
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('verify', 'reset')),
      created_at timestamptz NOT NULL,
      run_at timestamptz NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      sent_at timestamptz,
      last_error text
    )`.execute(db);
  await sql`CREATE INDEX mails_due ON mails (run_at) WHERE sent_at IS NULL`.execute(db);
  await sql`CREATE INDEX mails_account ON mails (account_id)`.execute(db);

  // What every process on this database must agree on.
  await sql`CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL)`.execute(db);

  // Counters of the last minute: not worth a write-ahead log, and gone after a crash of the database.
  await sql`
    CREATE UNLOGGED TABLE rate_limits (
      bucket text PRIMARY KEY,
      stamps timestamptz[] NOT NULL,
      -- How many were let through at each of these times.
      counts integer[] NOT NULL,
      allowed boolean NOT NULL
    ) WITH (fillfactor = 50)`.execute(db);
}
