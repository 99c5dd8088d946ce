// A server that speaks as much of Stripe's HTTP as we use, with a state the test sets and faults it can ask for.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Stripe } from "stripe";

export interface FakeSubscription {
  status: Stripe.Subscription.Status;
  price: string;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd?: boolean;
}

export interface StripeServer {
  url: string;
  /** By customer: what Stripe would list now. */
  subscriptions: Map<string, FakeSubscription[]>;
  /** Method, path and form of every request so far. */
  requests: { route: string; form: Record<string, string> }[];
  /** The next so many requests are answered with this status; 0 drops the connection. */
  failNext(count: number, status: number): void;
  close(): Promise<void>;
}

export async function startStripeServer(): Promise<StripeServer> {
  const subscriptions: StripeServer["subscriptions"] = new Map();
  const requests: StripeServer["requests"] = [];
  let failing = { count: 0, status: 500 };

  const routes: Record<string, (form: Record<string, string>) => unknown> = {
    "GET /v1/subscriptions": ({ customer = "" }) => ({
      object: "list",
      has_more: false,
      data: (subscriptions.get(customer) ?? []).map((each, at) => toStripe(each, customer, at)),
    }),
    "POST /v1/checkout/sessions": () => ({
      object: "checkout.session",
      id: "cs_1",
      url: "https://checkout.stripe.test/cs_1",
    }),
    "POST /v1/billing_portal/sessions": () => ({
      object: "billing_portal.session",
      id: "bps_1",
      url: "https://portal.stripe.test/bps_1",
    }),
    "POST /v1/billing/meter_events": (form) => ({ object: "billing.meter_event", identifier: form.identifier }),
  };

  const server = createServer(async (request, response) => {
    const form = await readForm(request);
    const route = `${request.method} ${request.url!.split("?")[0]}`;
    requests.push({ route, form });
    if (failing.count > 0) {
      failing.count--;
      return failing.status === 0
        ? request.socket.destroy()
        : send(response, failing.status, { error: { type: "api_error", message: "down" } });
    }
    const answer = routes[route];
    return answer ? send(response, 200, answer(form)) : send(response, 404, { error: { message: "no such route" } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    subscriptions,
    requests,
    failNext: (count, status) => {
      failing = { count, status };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const query = request.url!.split("?")[1] ?? "";
  return Object.fromEntries(new URLSearchParams(`${query}&${Buffer.concat(chunks).toString()}`));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { "content-type": "application/json", "request-id": "req_test" })
    .end(JSON.stringify(body));
}

const toStripe = (each: FakeSubscription, customer: string, at: number) => ({
  id: `sub_${at}`,
  object: "subscription",
  customer,
  status: each.status,
  start_date: each.periodStart,
  cancel_at: null,
  cancel_at_period_end: each.cancelAtPeriodEnd ?? false,
  items: {
    object: "list",
    data: [
      {
        id: `si_${at}`,
        price: { id: each.price },
        current_period_start: each.periodStart,
        current_period_end: each.periodEnd,
      },
    ],
  },
});

export const WEBHOOK_SECRET = "whsec_of_the_stripe_endpoint";

export function stripeEvent(id: string, type: string, object: Record<string, unknown>): string {
  return JSON.stringify({ id, object: "event", type, created: 1, livemode: false, data: { object } });
}

export function signed(payload: string, { secret = WEBHOOK_SECRET, ageSeconds = 0 } = {}): string {
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}
