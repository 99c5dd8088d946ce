// Stripe, through its official SDK. Only what payments.ts asks for; nothing of Stripe is known elsewhere.
import { Stripe } from "stripe";
import type { PaymentEvent, Payments, Subscription } from "./payments.ts";

const TIMEOUT_MS = 20_000;
const RETRIES = 2;
const SIGNATURE_TOLERANCE_SECONDS = 300;

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Plan → price. */
  prices: Record<string, string>;
  meterEvent: string | undefined;
  /** Another server that speaks Stripe's HTTP; for tests. */
  apiBase: string | undefined;
}

export function openStripe({ secretKey, webhookSecret, prices, meterEvent, apiBase }: StripeSettings): Payments {
  const stripe = new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    ...(apiBase && serverAt(apiBase)),
  });
  const planByPrice = new Map(Object.entries(prices).map(([plan, price]) => [price, plan]));
  return {
    provider: "stripe",
    plans: Object.keys(prices),
    isMetered: meterEvent !== undefined,

    readEvent(body, headers) {
      try {
        const signature = String(headers["stripe-signature"] ?? "");
        return describe(stripe.webhooks.constructEvent(body, signature, webhookSecret, SIGNATURE_TOLERANCE_SECONDS));
      } catch {
        return null;
      }
    },

    async findSubscription(customerId) {
      const { data } = await stripe.subscriptions.list({ customer: customerId, status: "all", limit: 20 });
      return data.map((each) => toSubscription(each, planByPrice)).sort(byWorth)[0] ?? null;
    },

    async openCheckout({ accountId, email, customerId, plan, returnUrl }) {
      const session = await stripe.checkout.sessions.create({
        mode: "subscription",
        line_items: [{ price: prices[plan]!, quantity: 1 }],
        client_reference_id: accountId,
        ...(customerId ? { customer: customerId } : { customer_email: email }),
        // Carried by every later event, so that they may come in any order.
        subscription_data: { metadata: { account_id: accountId } },
        success_url: returnUrl,
        cancel_url: returnUrl,
      });
      return session.url!;
    },

    async openPortal(customerId, returnUrl) {
      const session = await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl });
      return session.url;
    },

    async reportUsage({ customerId, id, pages, at }) {
      await stripe.billing.meterEvents.create({
        event_name: meterEvent!,
        identifier: id,
        timestamp: Math.floor(at.getTime() / 1000),
        payload: { stripe_customer_id: customerId, value: String(pages) },
      });
    },
  };
}

function serverAt(apiBase: string) {
  const { protocol, hostname, port } = new URL(apiBase);
  const scheme = protocol === "http:" ? ("http" as const) : ("https" as const);
  return { protocol: scheme, host: hostname, ...(port && { port: Number(port) }) };
}

function describe(event: Stripe.Event): PaymentEvent {
  const object = event.data.object as {
    customer?: string | { id: string } | null;
    client_reference_id?: string | null;
    metadata?: Record<string, string> | null;
  };
  const customer = object.customer ?? null;
  return {
    id: event.id,
    type: event.type,
    customerId: typeof customer === "string" ? customer : (customer?.id ?? null),
    accountId: object.client_reference_id ?? object.metadata?.account_id ?? null,
  };
}

const statuses: Partial<Record<Stripe.Subscription.Status, Subscription["status"]>> = {
  active: "active",
  trialing: "active",
  past_due: "past_due",
  unpaid: "past_due",
};

function toSubscription(subscription: Stripe.Subscription, planByPrice: Map<string, string>): Subscription {
  const items = subscription.items.data;
  const item = items.find(({ price }) => planByPrice.has(price.id)) ?? items[0];
  const at = (seconds: number | null | undefined) => new Date((seconds ?? subscription.start_date) * 1000);
  return {
    plan: (item && planByPrice.get(item.price.id)) ?? null,
    status: statuses[subscription.status] ?? "ended",
    periodStart: at(item?.current_period_start),
    periodEnd: at(item?.current_period_end),
    cancelAt: subscription.cancel_at
      ? at(subscription.cancel_at)
      : subscription.cancel_at_period_end
        ? at(item?.current_period_end)
        : null,
  };
}

/** A customer may have had several: one in force goes before one in arrears, and that before one that ended. */
const worth = { active: 0, past_due: 1, ended: 2 };
const byWorth = (a: Subscription, b: Subscription) =>
  worth[a.status] - worth[b.status] || b.periodEnd.getTime() - a.periodEnd.getTime();
