// The whole service with a real HTTPS receiver on loopback and a verified account: what the webhook tests stand on.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Outbound, type OutboundOptions, openOutbound } from "../../src/platform/net/outbound.ts";
import type { TestAccount } from "../caller.ts";
import type { Certificate } from "../certificate.ts";
import { type HttpsServer, type ReceivedRequest, startHttpsServer } from "../https-server.ts";
import { startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

type Handler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

export interface AttemptShown {
  started_at: string;
  duration_ms: number;
  status: number | null;
  answer: string | null;
  error: string | null;
  by_hand: boolean;
}

export interface DeliveryShown {
  id: string;
  object: string;
  event: string;
  url: string;
  status: "pending" | "delivered" | "failed";
  next_attempt_at: string | null;
  created_at: string;
  attempts: AttemptShown[];
}

export interface Events extends TestService {
  receiver: HttpsServer;
  account: TestAccount;
  /** What the receiver does with requests to this path; 204 unless said. */
  on(path: string, handler: Handler): void;
  /** Requests that arrived at this path. */
  at(path: string): ReceivedRequest[];
  /** The address of a path at the receiver. */
  to(path: string): string;
  /** An asynchronous extraction of some text whose event goes to `url`; returns its id. */
  send(url: string, more?: Record<string, unknown>): Promise<string>;
  delivery(id: string): Promise<DeliveryShown>;
  /** The delivery, once it has so many attempts and none is under way. */
  attempted(id: string, count: number): Promise<DeliveryShown>;
  /** Moves the clock and lets the workers look at it. */
  pass(ms: number): void;
  /** Returns when everything that is due now has been sent: an event that came due after it has arrived. */
  caughtUp(): Promise<void>;
}

interface Options {
  env?: Record<string, string>;
  outbound?: OutboundOptions;
  /** The receiver's, for others to use as well. */
  certificate?: Certificate;
  /** Puts something between the service and the network. */
  around?: (outbound: Outbound) => Outbound;
}

export const answer =
  (status: number, body = "", headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

export async function startEvents(options: Options = {}): Promise<Events> {
  const { env, outbound, certificate, around = (real) => real } = options;
  const handlers = new Map<string, Handler>();
  const receiver = await startHttpsServer(
    (request, response) => (handlers.get(request.url) ?? answer(204))(request, response),
    { certificate },
  );
  const service = await startTestService({
    env: { ALLOW_PRIVATE_NETWORKS: "true", RATE_LIMIT_PER_MINUTE: "100000", JOBS_AT_ONCE: "1", ...env },
    world: { outbound: around(openOutbound({ allowPrivate: true, ca: receiver.ca, ...outbound })) },
  });
  const account = await service.verified();
  const key = account.apiKey;
  const to = (path: string) => receiver.origin + path;
  const at = (path: string) => receiver.requests.filter(({ url }) => url === path);

  async function send(url: string, more: Record<string, unknown> = {}): Promise<string> {
    const json = { text: "Überblick: 日本", options: { async: true }, webhook_url: url, ...more };
    const { status, text, json: body } = await service.call("POST", "/api/v1/extract", { key, json });
    if (status !== 202) throw new Error(`${url} was answered ${status}: ${text}`);
    return body.id;
  }

  async function delivery(id: string): Promise<DeliveryShown> {
    const found = await until(`${id} has a delivery`, async () => {
      const { json } = await service.call("GET", `/api/v1/extractions/${id}/deliveries`, { key });
      return json.data[0] as DeliveryShown | undefined;
    });
    return found;
  }

  return {
    ...service,
    receiver,
    account,
    on: (path, handler) => void handlers.set(path, handler),
    at,
    to,
    send,
    delivery,
    attempted: (id, count) =>
      until(`${id} has ${count} attempts`, async () => {
        const shown = await delivery(id);
        const idle = shown.status !== "pending" || shown.next_attempt_at !== null;
        return shown.attempts.length >= count && idle && shown;
      }),
    pass(ms) {
      service.clock.advance(ms);
      for (const pump of service.service.pumps) pump.wake();
    },
    async caughtUp() {
      const path = `/${randomUUID()}`;
      await send(to(path));
      await until("the event arrives", () => at(path).length === 1);
    },
    async stop() {
      await service.stop();
      await receiver.close();
    },
  };
}
