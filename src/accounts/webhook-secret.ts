// The secret that signs an account's webhooks: sealed in the database, replaceable with a day of overlap.
import { randomBytes } from "node:crypto";
import type { App } from "../app.ts";
import { type Account, audit, updateAccount } from "./accounts.ts";

export const OVERLAP_MS = 24 * 3_600_000;

export const makeWebhookSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

export async function rotateWebhookSecret(app: App, account: Account, address: string | null): Promise<string> {
  const secret = makeWebhookSecret();
  await app.db.transaction().execute(async (trx) => {
    const old = await trx
      .selectFrom("accounts")
      .select("webhook_secret")
      .where("id", "=", account.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await updateAccount(trx, account.id, {
      webhook_secret: app.secrets.seal(secret),
      webhook_secret_shown: true,
      webhook_secret_previous: old.webhook_secret,
      webhook_secret_rotated_at: app.clock.now(),
    });
    await audit(app, trx, { accountId: account.id, action: "webhook_secret_rotated", address });
  });
  return secret;
}

/** The secret made at sign-up, once, for those who signed up in a browser; null when it was shown before. */
export async function revealWebhookSecret(app: App, account: Account): Promise<string | null> {
  const row = await app.db
    .updateTable("accounts")
    .set({ webhook_secret_shown: true })
    .where("id", "=", account.id)
    .where("webhook_secret_shown", "=", false)
    .returning("webhook_secret")
    .executeTakeFirst();
  return row ? app.secrets.unseal(row.webhook_secret) : null;
}

export interface SigningSecrets {
  current: string;
  /** While a receiver may still hold the old one. */
  previous: string | null;
}

export function signingSecrets(app: App, account: Account): SigningSecrets {
  const { webhook_secret_previous: previous, webhook_secret_rotated_at: rotatedAt } = account;
  const overlaps = previous && rotatedAt && app.clock.now().getTime() < rotatedAt.getTime() + OVERLAP_MS;
  return {
    current: app.secrets.unseal(account.webhook_secret),
    previous: overlaps ? app.secrets.unseal(previous) : null,
  };
}
