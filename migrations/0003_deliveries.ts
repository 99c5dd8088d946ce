import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deliveries (
      -- The event's id: the same on every attempt, so that a receiver can tell a repetition.
      id uuid PRIMARY KEY,
      account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      -- Null for a test event, which carries its body itself.
      extraction_id uuid REFERENCES extractions ON DELETE CASCADE,
      event text NOT NULL,
      url text NOT NULL,
      host text NOT NULL,
      body bytea,
      -- Of the body, wherever it is: what is in flight at once is bounded by it.
      bytes integer NOT NULL,
      status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
      -- When the next attempt is due, or until when the one under way is believed to be alive.
      run_at timestamptz NOT NULL,
      -- Automatic attempts so far; one by hand adds none.
      attempts integer NOT NULL DEFAULT 0,
      -- How often an attempt was begun: one that comes back late is told by it.
      claims integer NOT NULL DEFAULT 0,
      -- Attempts begun since the last one that was recorded: more than one when processes died over it.
      unrecorded integer NOT NULL DEFAULT 0,
      -- The attempt that is due was asked for by hand.
      by_hand boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      ended_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX deliveries_due ON deliveries (run_at, id) INCLUDE (host, account_id, bytes) WHERE status = 'pending'`.execute(
    db,
  );
  await sql`CREATE INDEX deliveries_of_extraction ON deliveries (extraction_id)`.execute(db);
  await sql`CREATE INDEX deliveries_by_age ON deliveries (created_at)`.execute(db);
  await sql`CREATE INDEX deliveries_of_account ON deliveries (account_id, id DESC)`.execute(db);

  await sql`
    CREATE TABLE attempts (
      id uuid PRIMARY KEY,
      delivery_id uuid NOT NULL REFERENCES deliveries ON DELETE CASCADE,
      by_hand boolean NOT NULL,
      started_at timestamptz NOT NULL,
      duration_ms integer,
      status integer,
      -- The first 4 KB of the receiver's answer.
      answer bytea,
      error text
    )`.execute(db);
  await sql`CREATE INDEX attempts_of_delivery ON attempts (delivery_id, id)`.execute(db);
}
