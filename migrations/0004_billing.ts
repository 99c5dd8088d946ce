import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // What the payment provider last told us. The plan itself stands in accounts.plan.
  await sql`
    ALTER TABLE accounts
      ADD COLUMN customer_id text UNIQUE,
      ADD COLUMN subscription_status text,
      ADD COLUMN period_start timestamptz,
      ADD COLUMN period_end timestamptz,
      ADD COLUMN cancel_at timestamptz,
      ADD COLUMN past_due_since timestamptz,
      ADD COLUMN billing_synced_at timestamptz`.execute(db);
  await sql`CREATE INDEX accounts_to_reconcile ON accounts (billing_synced_at) WHERE customer_id IS NOT NULL`.execute(
    db,
  );

  await sql`
    CREATE TABLE payment_events (
      id text PRIMARY KEY,
      provider text NOT NULL,
      type text NOT NULL,
      customer_id text,
      account_id uuid,
      received_at timestamptz NOT NULL,
      run_at timestamptz NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      applied_at timestamptz,
      last_error text
    )`.execute(db);
  await sql`CREATE INDEX payment_events_due ON payment_events (run_at) WHERE applied_at IS NULL`.execute(db);

  await sql`ALTER TABLE mails DROP CONSTRAINT mails_kind_check, ADD CONSTRAINT mails_kind_check CHECK (kind IN ('verify', 'reset', 'past_due'))`.execute(
    db,
  );
}
