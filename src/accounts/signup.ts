// From a stranger to a verified account, and back in when the password is lost. Nothing here tells whether an address is known.
import { randomUUIDv7 } from "node:crypto";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import type { Trx } from "../platform/db/database.ts";
import { hashToken } from "../platform/secrets.ts";
import { type Account, audit, updateAccount } from "./accounts.ts";
import { issueKey, remember } from "./keys.ts";
import { requestMail } from "./mails.ts";
import { hashPassword } from "./passwords.ts";
import { endSessions, throttle } from "./sessions.ts";
import { makeWebhookSecret } from "./webhook-secret.ts";

const HOUR_MS = 3_600_000;
const UNIQUE_VIOLATION = "23505";

export interface SignUp {
  email: string;
  password: string;
  /** Programs get their key in the answer; people make theirs in the dashboard once the address is verified. */
  withKey: boolean;
  address: string;
}

export interface SignedUp {
  account: Account;
  apiKey: string | null;
  webhookSecret: string;
}

/** Every sign-up makes an account; only the owner of the address can ever verify one, and only one. */
export async function register(app: App, { email, password, withKey, address }: SignUp): Promise<SignedUp> {
  await throttle(app, `register:${address}`, app.config.signUpsPerHour, HOUR_MS);
  const webhookSecret = makeWebhookSecret();
  const issued = withKey ? await issueKey(app) : null;
  const values = {
    id: randomUUIDv7(),
    email,
    password_hash: await hashPassword(password),
    webhook_secret: app.secrets.seal(webhookSecret),
    webhook_secret_shown: withKey,
    created_at: app.clock.now(),
    ...issued?.columns,
  };
  const account = await app.db.transaction().execute(async (trx) => {
    const row = await trx.insertInto("accounts").values(values).returningAll().executeTakeFirstOrThrow();
    await audit(app, trx, { accountId: row.id, action: "registered", address });
    await requestMail(app, trx, { accountId: row.id, kind: "verify" });
    return row;
  });
  if (issued) remember(app, issued, account.id);
  return { account, apiKey: issued?.key ?? null, webhookSecret };
}

export async function verifyEmail(app: App, token: string, address: string): Promise<Account> {
  try {
    return await app.db.transaction().execute(async (trx) => {
      const accountId = await consumeToken(app, trx, token, "verify");
      const now = app.clock.now();
      await trx
        .updateTable("accounts")
        .set({ email_verified_at: now })
        .where("id", "=", accountId)
        .where("email_verified_at", "is", null)
        .execute();
      await audit(app, trx, { accountId, action: "email_verified", address });
      return trx.selectFrom("accounts").selectAll().where("id", "=", accountId).executeTakeFirstOrThrow();
    });
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION)
      throw new Fault("invalid_token", { detail: "This address belongs to an account that is verified already." });
    throw error;
  }
}

/** Same answer for every address; a mail goes out only where one is due. */
export async function resendVerification(app: App, email: string, address: string): Promise<void> {
  await throttle(app, `mail:${address}`, 20, HOUR_MS);
  const account = await newest(app, email, "unverified");
  if (account)
    await app.db.transaction().execute((trx) => requestMail(app, trx, { accountId: account.id, kind: "verify" }));
}

export async function forgetPassword(app: App, email: string, address: string): Promise<void> {
  await throttle(app, `mail:${address}`, 20, HOUR_MS);
  const account = await newest(app, email, "verified");
  if (account)
    await app.db.transaction().execute((trx) => requestMail(app, trx, { accountId: account.id, kind: "reset" }));
}

/** Whoever held a session before holds none after. */
export async function resetPassword(app: App, token: string, password: string, address: string): Promise<void> {
  const password_hash = await hashPassword(password);
  await app.db.transaction().execute(async (trx) => {
    const accountId = await consumeToken(app, trx, token, "reset");
    await updateAccount(trx, accountId, { password_hash });
    await endSessions(trx, accountId);
    await audit(app, trx, { accountId, action: "password_changed", address });
  });
}

/** Single use: the row goes with the first use, and with it the account's other links of that purpose. */
async function consumeToken(app: App, trx: Trx, token: string, purpose: "verify" | "reset"): Promise<string> {
  const row = await trx
    .deleteFrom("tokens")
    .where("hash", "=", hashToken(token))
    .where("purpose", "=", purpose)
    .returning(["account_id", "expires_at"])
    .executeTakeFirst();
  if (!row || row.expires_at <= app.clock.now()) throw new Fault("invalid_token");
  await trx.deleteFrom("tokens").where("account_id", "=", row.account_id).where("purpose", "=", purpose).execute();
  return row.account_id;
}

function newest(app: App, email: string, state: "verified" | "unverified") {
  return app.db
    .selectFrom("accounts")
    .select("id")
    .where((eb) => eb(eb.fn("lower", ["email"]), "=", email.toLowerCase()))
    .where("email_verified_at", state === "verified" ? "is not" : "is", null)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
