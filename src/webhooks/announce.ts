// An extraction that ended becomes an event, in the transaction that ended it: there is no moment at which one is known to
// the database without the other.
import { randomUUIDv7 } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../app.ts";
import { announce, type Trx } from "../platform/db/database.ts";

export interface Ended {
  id: string;
  account_id: string;
  is_async: boolean;
  webhook_url: string | null;
}

/** Only asynchronous extractions with a webhook_url send events. The body is the stored result, byte for byte. */
export async function announceEnd(
  app: App,
  trx: Trx,
  extraction: Ended,
  status: "completed" | "failed",
): Promise<void> {
  const { id, account_id: accountId, is_async: isAsync, webhook_url: url } = extraction;
  if (!isAsync || !url) return;
  const now = app.clock.now();
  await sql`
    INSERT INTO deliveries (id, account_id, extraction_id, event, url, host, bytes, status, created_at, run_at)
    SELECT ${randomUUIDv7()}::uuid, ${accountId}::uuid, extraction_id, ${`extraction.${status}`}, ${url}, ${new URL(url).host},
      octet_length(body), 'pending', ${now}::timestamptz, ${now}::timestamptz
    FROM results WHERE extraction_id = ${id}`.execute(trx);
  await announce(trx, "deliveries");
}
