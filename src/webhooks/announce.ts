// An extraction that ended becomes an event, in the transaction that ended it: there is no moment at which one is known to
// the database without the other.
import { randomUUIDv7 } from "node:crypto";
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
  if (!extraction.is_async || !extraction.webhook_url) return;
  const now = app.clock.now();
  await trx
    .insertInto("deliveries")
    .values({
      id: randomUUIDv7(),
      account_id: extraction.account_id,
      extraction_id: extraction.id,
      event: `extraction.${status}`,
      url: extraction.webhook_url,
      host: new URL(extraction.webhook_url).host,
      status: "pending",
      created_at: now,
      run_at: now,
    })
    .execute();
  await announce(trx, "deliveries");
}
