// Payment events and what they do to an account. An event is only a hint that something changed: the truth is read from the
// provider, so events may come late, twice, or in any order, and end in the same state.
import { type Selectable, sql } from "kysely";
import { type Account, findAccount, updateAccount } from "../accounts/accounts.ts";
import { requestMail } from "../accounts/mails.ts";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { isPlan } from "../plans.ts";
import { announce } from "../platform/db/database.ts";
import type { PaymentEventTable } from "../platform/db/schema.ts";
import type { PaymentEvent, Payments } from "../platform/payments/payments.ts";
import { type Pump, startPump } from "../platform/queue/pump.ts";
import { startSweeping } from "../platform/queue/sweep.ts";

/** Kinds that change an account; all others are stored and left alone. */
const HANDLED = new Set([
  "checkout.session.completed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "invoice.paid",
  "invoice.payment_failed",
]);
const LEASE_MS = 120_000;
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000];
/** An account in arrears keeps its plan this long. */
const GRACE_MS = 7 * 86_400_000;
const RECONCILE_MS = 86_400_000;
const RECONCILE_LOOK_MS = 600_000;
const RECONCILE_BATCH = 100;

type EventRow = Selectable<PaymentEventTable>;

export function paymentsOf(app: App): Payments {
  if (!app.payments) throw new Fault("payment_provider_not_configured");
  return app.payments;
}

/** Stored once, whatever the number of times it is sent; the work is done later. */
export async function receiveEvent(app: App, event: PaymentEvent): Promise<void> {
  const now = app.clock.now();
  await app.db
    .insertInto("payment_events")
    .values({
      id: event.id,
      provider: paymentsOf(app).provider,
      type: event.type,
      customer_id: event.customerId,
      account_id: uuidOrNull(event.accountId),
      received_at: now,
      run_at: now,
      applied_at: HANDLED.has(event.type) ? null : now,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  await announce(app.db, "payment_events");
}

const uuidOrNull = (text: string | null) =>
  text && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null;

export function startBilling(app: App): Pump[] {
  if (!app.payments) return [];
  const events = startPump<EventRow>({
    name: "payment events",
    atOnce: 4,
    log: app.log,
    claim: (room) => claimEvents(app, room),
    run: (event) => apply(app, event),
  });
  app.database.listen("payment_events", events.wake);
  const rounds = startSweeping({
    name: "billing",
    everyMs: RECONCILE_LOOK_MS,
    log: app.log,
    async sweep() {
      await reconcile(app);
      await reportUsage(app);
    },
  });
  return [events, rounds];
}

async function claimEvents(app: App, room: number): Promise<EventRow[]> {
  const now = app.clock.now();
  const { rows } = await sql<EventRow>`
    UPDATE payment_events SET run_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = attempts + 1
    WHERE id IN (
      SELECT id FROM payment_events WHERE applied_at IS NULL AND run_at <= ${now} ORDER BY run_at LIMIT ${room} FOR UPDATE SKIP LOCKED)
    RETURNING *`.execute(app.db);
  return rows;
}

async function apply(app: App, event: EventRow): Promise<void> {
  try {
    const account = await accountOf(app, event);
    if (account) await sync(app, account);
    await app.db
      .updateTable("payment_events")
      .set({ applied_at: app.clock.now(), last_error: null })
      .where("id", "=", event.id)
      .execute();
  } catch (error) {
    app.log.warn({ err: error, event: event.id }, "a payment event could not be applied; it will be tried again");
    const delayMs = RETRY_MS[Math.min(event.attempts, RETRY_MS.length) - 1]!;
    await app.db
      .updateTable("payment_events")
      .set({ run_at: new Date(app.clock.now().getTime() + delayMs), last_error: String(error).slice(0, 500) })
      .where("id", "=", event.id)
      .execute();
  }
}

/** By the customer, or by our own id that the first events carry; these tie the customer to the account. */
async function accountOf(app: App, event: EventRow): Promise<Account | undefined> {
  if (!event.customer_id) return undefined;
  const known = await app.db
    .selectFrom("accounts")
    .selectAll()
    .where("customer_id", "=", event.customer_id)
    .executeTakeFirst();
  if (known || !event.account_id) return known;
  await app.db
    .updateTable("accounts")
    .set({ customer_id: event.customer_id })
    .where("id", "=", event.account_id)
    .where("customer_id", "is", null)
    .execute();
  const tied = await findAccount(app, event.account_id);
  return tied?.customer_id === event.customer_id ? tied : undefined;
}

/** Brings the account to what the provider says now. */
export async function sync(app: App, account: Account): Promise<void> {
  const now = app.clock.now();
  const subscription = await paymentsOf(app).findSubscription(account.customer_id!);
  const lateSince = subscription?.status === "past_due" ? (account.past_due_since ?? now) : null;
  const inGrace = lateSince !== null && now.getTime() < lateSince.getTime() + GRACE_MS;
  const paid = subscription && (subscription.status === "active" || inGrace) ? subscription : null;
  await app.db.transaction().execute(async (trx) => {
    await updateAccount(trx, account.id, {
      plan: paid?.plan && isPlan(paid.plan) ? paid.plan : "free",
      subscription_status: subscription?.status ?? null,
      period_start: paid?.periodStart ?? null,
      period_end: paid?.periodEnd ?? null,
      cancel_at: subscription?.cancelAt ?? null,
      past_due_since: lateSince,
      billing_synced_at: now,
    });
    if (lateSince && !account.past_due_since) await requestMail(app, trx, { accountId: account.id, kind: "past_due" });
  });
}

/** What no event told us: once a day each paying account is held against the provider, those in arrears too. */
export async function reconcile(app: App): Promise<number> {
  const before = new Date(app.clock.now().getTime() - RECONCILE_MS);
  let count = 0;
  for (;;) {
    const accounts = await app.db
      .selectFrom("accounts")
      .selectAll()
      .where("customer_id", "is not", null)
      .where((eb) => eb.or([eb("billing_synced_at", "is", null), eb("billing_synced_at", "<", before)]))
      .orderBy("billing_synced_at")
      .limit(RECONCILE_BATCH)
      .execute();
    for (const account of accounts) await sync(app, account);
    count += accounts.length;
    if (accounts.length < RECONCILE_BATCH) return count;
  }
}

/** Pages go to the provider's meter under the extraction's id: sent twice, they count once. */
export async function reportUsage(app: App): Promise<void> {
  const payments = paymentsOf(app);
  for (;;) {
    const rows = await app.db
      .selectFrom("usage")
      .innerJoin("accounts", "accounts.id", "usage.account_id")
      .select(["extraction_id", "pages", "at", "customer_id"])
      .where("report_at", "<=", app.clock.now())
      .orderBy("report_at")
      .limit(RECONCILE_BATCH)
      .execute();
    for (const { extraction_id: id, pages, at, customer_id: customerId } of rows) {
      if (customerId) await payments.reportUsage({ customerId, id, pages, at });
      await app.db.updateTable("usage").set({ report_at: null }).where("extraction_id", "=", id).execute();
    }
    if (rows.length < RECONCILE_BATCH) return;
  }
}
