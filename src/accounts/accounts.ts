// The account: its row, what others may see of it, and the log of what was done to it.
import type { Selectable, Updateable } from "kysely";
import type { App } from "../app.ts";
import { planOf } from "../plans.ts";
import type { Db, Trx } from "../platform/db/database.ts";
import type { AccountTable } from "../platform/db/schema.ts";

export type Account = Selectable<AccountTable>;

export type AccountState = "unverified" | "active" | "suspended";

export function stateOf(account: Account): AccountState {
  if (account.suspended_at) return "suspended";
  return account.email_verified_at ? "active" : "unverified";
}

export const rateLimitOf = (app: App, account: Account) =>
  account.rate_limit_per_minute ?? planOf(account).requestsPerMinute ?? app.config.rateLimitPerMinute;

export const retentionDaysOf = (app: App, account: Pick<Account, "retention_days" | "plan">) =>
  account.retention_days ?? planOf(account).retentionDays ?? app.config.retentionDays;

export async function findAccount(app: App, id: string): Promise<Account | undefined> {
  return app.db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function updateAccount(db: Db | Trx, id: string, change: Updateable<AccountTable>): Promise<void> {
  await db.updateTable("accounts").set(change).where("id", "=", id).execute();
}

export type AuditAction =
  | "registered"
  | "email_verified"
  | "signed_in"
  | "sign_in_failed"
  | "signed_out"
  | "password_changed"
  | "api_key_created"
  | "api_key_rotated"
  | "webhook_secret_rotated"
  | "webhook_url_changed";

export interface Act {
  accountId: string;
  action: AuditAction;
  /** The caller's IP address, where there is a caller. */
  address: string | null;
}

export async function audit(app: App, db: Db | Trx, { accountId, action, address }: Act): Promise<void> {
  await db.insertInto("audit").values({ account_id: accountId, at: app.clock.now(), action, address }).execute();
}
