// Mails to an account. A row asks for one in the transaction that needs it; a worker writes and sends it, and tries again
// when the mail server does not take it. Links are made at the moment of sending, so that no table ever holds one.
import { randomUUIDv7 } from "node:crypto";
import type { Selectable } from "kysely";
import type { App } from "../app.ts";
import { announce, type Trx } from "../platform/db/database.ts";
import type { MailTable } from "../platform/db/schema.ts";
import { type Pump, startPump } from "../platform/queue/pump.ts";
import { hashToken, makeToken } from "../platform/secrets.ts";
import type { Account } from "./accounts.ts";
import { take } from "./rate-limit.ts";

const LINK_MS = { verify: 24 * 3_600_000, reset: 3_600_000 };
const MAILS_PER_ADDRESS = { limit: 5, windowMs: 3_600_000 };
/** A link would have run out by then, and whoever waits has asked again. */
const GIVE_UP_MS = 24 * 3_600_000;
const RETRY_MS = [10_000, 60_000, 300_000, 1_800_000, 3_600_000];
/** How long a worker may hold a mail before another one takes it for dead. */
const LEASE_MS = 60_000;

type MailRow = Selectable<MailTable>;

export async function requestMail(
  app: App,
  trx: Trx,
  mail: { accountId: string; kind: MailRow["kind"] },
): Promise<void> {
  const now = app.clock.now();
  await trx
    .insertInto("mails")
    .values({ id: randomUUIDv7(), account_id: mail.accountId, kind: mail.kind, created_at: now, run_at: now })
    .execute();
  await announce(trx, "mails");
}

export function startMailing(app: App): Pump {
  const pump = startPump<MailRow>({
    name: "mails",
    atOnce: 4,
    log: app.log,
    claim: (room) => claimDue(app, room),
    run: (mail) => deliver(app, mail),
  });
  app.database.listen("mails", pump.wake);
  return pump;
}

async function claimDue(app: App, room: number): Promise<MailRow[]> {
  const now = app.clock.now();
  return app.db
    .updateTable("mails")
    .set((eb) => ({ run_at: new Date(now.getTime() + LEASE_MS), attempts: eb("attempts", "+", 1) }))
    .where("id", "in", (eb) =>
      eb
        .selectFrom("mails")
        .select("id")
        .where("sent_at", "is", null)
        .where("run_at", "<=", now)
        .orderBy("run_at")
        .limit(room)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

async function deliver(app: App, mail: MailRow): Promise<void> {
  const account = await app.db
    .selectFrom("accounts")
    .selectAll()
    .where("id", "=", mail.account_id)
    .executeTakeFirstOrThrow();
  // Beyond the limit a stranger is filling somebody's mailbox: the mail is dropped, not sent later.
  if (mail.attempts === 1 && !(await mayReceive(app, account))) return finish(app, mail, "throttled");
  if (app.clock.now().getTime() > mail.created_at.getTime() + GIVE_UP_MS) return finish(app, mail, "given up");
  try {
    await app.mailer.send({ to: account.email, ...(await compose(app, account, mail.kind)) });
    await finish(app, mail, "sent");
  } catch (error) {
    await postpone(app, mail, error);
  }
}

async function mayReceive(app: App, account: Account): Promise<boolean> {
  const bucket = `mail-to:${account.email.toLowerCase()}`;
  return (await take(app, { bucket, ...MAILS_PER_ADDRESS })).allowed;
}

/** Not sent is final too: the row keeps the reason. */
async function finish(app: App, mail: MailRow, outcome: "sent" | "throttled" | "given up"): Promise<void> {
  app.metrics.mails.inc({ outcome });
  await app.db
    .updateTable("mails")
    .set({ sent_at: app.clock.now(), last_error: outcome === "sent" ? null : outcome })
    .where("id", "=", mail.id)
    .execute();
}

async function postpone(app: App, mail: MailRow, error: unknown): Promise<void> {
  app.metrics.mails.inc({ outcome: "failed" });
  app.log.warn({ err: error, mail: mail.id }, "a mail was not taken; it will be tried again");
  const delayMs = RETRY_MS[Math.min(mail.attempts, RETRY_MS.length) - 1]!;
  const run_at = new Date(app.clock.now().getTime() + delayMs);
  await app.db
    .updateTable("mails")
    .set({ run_at, last_error: String(error).slice(0, 500) })
    .where("id", "=", mail.id)
    .execute();
}

async function compose(app: App, account: Account, kind: MailRow["kind"]): Promise<{ subject: string; text: string }> {
  if (kind === "verify" && !account.email_verified_at && (await isTaken(app, account)))
    return {
      subject: "You already have an account",
      text: `Somebody signed up at ${app.baseUrl} with this address, which already has an account.\n\nIf it was you, sign in at\n${app.baseUrl}/login\nor set a new password at\n${app.baseUrl}/forgot\n\nIf it was not, there is nothing to do.\n`,
    };
  if (kind === "past_due")
    return {
      subject: "Your payment failed",
      text: `The last payment for your plan at ${app.baseUrl} failed. Your plan stays in force for seven days.\n\nPlease check your means of payment in the dashboard:\n${app.baseUrl}/dashboard\n`,
    };
  const link = await makeLink(app, account, kind);
  return kind === "verify"
    ? {
        subject: "Verify your e-mail address",
        text: `Welcome to the Extraction Service.\n\nOpen this link and press the button to verify your address:\n\n${link}\n\nThe link works once, for 24 hours. If you did not sign up, ignore this mail.\n`,
      }
    : {
        subject: "Set a new password",
        text: `Open this link to set a new password:\n\n${link}\n\nThe link works once, for one hour. If you did not ask for it, ignore this mail.\n`,
      };
}

async function isTaken(app: App, account: Account): Promise<boolean> {
  const owner = await app.db
    .selectFrom("accounts")
    .select("id")
    .where((eb) => eb(eb.fn("lower", ["email"]), "=", account.email.toLowerCase()))
    .where("email_verified_at", "is not", null)
    .executeTakeFirst();
  return owner !== undefined;
}

async function makeLink(app: App, account: Account, purpose: "verify" | "reset"): Promise<string> {
  const token = makeToken();
  const expires_at = new Date(app.clock.now().getTime() + LINK_MS[purpose]);
  await app.db
    .insertInto("tokens")
    .values({ hash: hashToken(token), account_id: account.id, purpose, expires_at })
    .execute();
  return `${app.baseUrl}/${purpose}?token=${token}`;
}
