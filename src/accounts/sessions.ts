// Signed-in browsers. The cookie holds 256 random bits, the table only their hash; deleting the row ends the session.
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import type { Db, Trx } from "../platform/db/database.ts";
import { hashToken, makeToken } from "../platform/secrets.ts";
import { type Account, audit } from "./accounts.ts";
import { checkNobodysPassword, checkPassword } from "./passwords.ts";
import { take } from "./rate-limit.ts";

export const SESSION_MS = 14 * 86_400_000;
const QUARTER_HOUR_MS = 900_000;
/** Unverified sign-ups of one address that a password is tried on: a stranger may have claimed the address too. */
const CANDIDATES = 3;

export interface Credentials {
  email: string;
  password: string;
  address: string;
}

/** Checks the password and opens a session; returns the cookie's value. */
export async function signIn(app: App, { email, password, address }: Credentials): Promise<string> {
  await throttle(app, `sign-in:${address}`, 100);
  await throttle(app, `sign-in:${address}:${email.toLowerCase()}`, 10);
  // Guessing from many machines; far above what people mistype, so that a stranger cannot easily lock somebody out.
  await throttle(app, `sign-in-to:${email.toLowerCase()}`, 100);
  const candidates = await app.db
    .selectFrom("accounts")
    .selectAll()
    .where((eb) => eb(eb.fn("lower", ["email"]), "=", email.toLowerCase()))
    .orderBy((eb) => eb("email_verified_at", "is", null))
    .orderBy("created_at", "desc")
    .limit(CANDIDATES)
    .execute();
  if (!candidates.length) await checkNobodysPassword(password);
  for (const account of candidates)
    if (await checkPassword(password, account.password_hash)) return openSession(app, account, address);
  if (candidates[0]) await audit(app, app.db, { accountId: candidates[0].id, action: "sign_in_failed", address });
  throw new Fault("invalid_credentials");
}

async function openSession(app: App, account: Account, address: string): Promise<string> {
  const token = makeToken();
  const now = app.clock.now();
  await app.db.transaction().execute(async (trx) => {
    await trx
      .insertInto("sessions")
      .values({
        hash: hashToken(token),
        account_id: account.id,
        created_at: now,
        expires_at: new Date(now.getTime() + SESSION_MS),
      })
      .execute();
    await audit(app, trx, { accountId: account.id, action: "signed_in", address });
  });
  return token;
}

export async function findSession(app: App, token: string): Promise<Account | undefined> {
  return app.db
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .selectAll("accounts")
    .where("sessions.hash", "=", hashToken(token))
    .where("sessions.expires_at", ">", app.clock.now())
    .executeTakeFirst();
}

export async function signOut(app: App, token: string, address: string): Promise<void> {
  const ended = await app.db
    .deleteFrom("sessions")
    .where("hash", "=", hashToken(token))
    .returning("account_id")
    .executeTakeFirst();
  if (ended) await audit(app, app.db, { accountId: ended.account_id, action: "signed_out", address });
}

export async function endSessions(db: Db | Trx, accountId: string): Promise<void> {
  await db.deleteFrom("sessions").where("account_id", "=", accountId).execute();
}

export async function throttle(app: App, bucket: string, limit: number, windowMs = QUARTER_HOUR_MS): Promise<void> {
  const { allowed, resetMs } = await take(app, { bucket, limit, windowMs });
  if (!allowed)
    throw new Fault("rate_limited", {
      detail: "Too many attempts; wait a while.",
      headers: { "retry-after": String(Math.ceil(resetMs / 1000)) },
    });
}
