// What receivers, networks and names can do to an attempt, each over the wire: what is recorded, and that time bounds it.
import type { ServerResponse } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ResolvedAddress } from "../../src/platform/net/guarded-socket.ts";
import { makeCertificate } from "../certificate.ts";
import { type HttpsServer, startHttpsServer } from "../https-server.ts";
import { until } from "../until.ts";
import { answer, type DeliveryShown, type Events, startEvents } from "./events.ts";

const TIMEOUT = "There was no complete answer within the time limit.";
const RESET = "The connection was closed before the answer was complete.";
const loopback = [{ address: "127.0.0.1", family: 4 }];

let events: Events;
const servers: { close(): Promise<unknown> }[] = [];
const open = new Set<Socket>();
const timers = new Set<NodeJS.Timeout>();

const resolve = async (name: string, signal: AbortSignal): Promise<ResolvedAddress[]> => {
  if (name === "unknown.example") throw Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" });
  if (name === "empty.example") return [];
  if (name === "silent-dns.example") return new Promise((_, reject) => signal.addEventListener("abort", reject));
  return loopback;
};

/** A TCP server that does what it is told with each connection. */
async function tcp(serve: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    serve(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  servers.push({ close: () => new Promise((done) => server.close(done)) });
  return (server.address() as { port: number }).port;
}

const every = (ms: number, act: () => void) => void timers.add(setInterval(act, ms));
const drip = (response: ServerResponse, bytes: string) => every(20, () => void response.write(bytes));

/** The event's receiver, and what its one attempt must say. */
interface Case {
  url(): string | Promise<string>;
  status?: number | null;
  error: string | null;
  answer?: string | null;
  ends?: "delivered" | "failed";
}

const at = (path: string, handler: Parameters<Events["on"]>[1]) => () => {
  events.on(path, handler);
  return events.to(path);
};
const tls = (certificate: Parameters<typeof makeCertificate>[0]) => async () => {
  const server: HttpsServer = await startHttpsServer(answer(204), { certificate: makeCertificate(certificate) });
  servers.push(server);
  return server.origin;
};

const cases: Record<string, Case> = {
  "200": { url: at("/200", answer(200, "thanks")), status: 200, error: null, answer: "thanks", ends: "delivered" },
  "204": { url: at("/204", answer(204)), status: 204, error: null, answer: "", ends: "delivered" },
  "299": { url: at("/299", answer(299)), status: 299, error: null, answer: "", ends: "delivered" },
  "400": { url: at("/400", answer(400, "no")), status: 400, error: "The receiver answered 400.", answer: "no" },
  "401": { url: at("/401", answer(401)), status: 401, error: "The receiver answered 401.", answer: "" },
  "410": { url: at("/410", answer(410)), status: 410, error: "The receiver answered 410.", answer: "" },
  "500": { url: at("/500", answer(500, "oh")), status: 500, error: "The receiver answered 500.", answer: "oh" },
  ...Object.fromEntries(
    [300, 301, 302, 303, 304, 307, 308].map((status) => [
      `redirect ${status}`,
      {
        url: () => at(`/${status}`, answer(status, "", { location: events.to("/redirected") }))(),
        status,
        error: `The receiver answered ${status}; redirects are not followed.`,
        answer: "",
      },
    ]),
  ),
  "no answer": { url: at("/mute", () => {}), error: TIMEOUT },
  "headers byte by byte": {
    url: at("/slow-headers", (_request, response) => {
      response.socket?.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      every(20, () => void response.socket?.write("x"));
    }),
    error: TIMEOUT,
  },
  "a good status and a body byte by byte": {
    url: at("/slow-body", (_request, response) => drip(response.writeHead(200), ".")),
    error: TIMEOUT,
  },
  "endless interim answers": {
    url: at("/interim", (_request, response) => every(20, () => response.writeProcessing())),
    error: TIMEOUT,
  },
  "an endless good answer": {
    url: at("/endless", (_request, response) => drip(response.writeHead(200), "x".repeat(64_000))),
    status: 200,
    error: null,
    answer: "x".repeat(4096),
    ends: "delivered",
  },
  "a huge bad answer": {
    url: at("/huge", answer(502, `é${"y".repeat(50_000_000)}`)),
    status: 502,
    error: "The receiver answered 502.",
    answer: `é${"y".repeat(4094)}`,
  },
  "a reset": { url: at("/reset", (_request, response) => void response.socket?.destroy()), error: RESET },
  "a reset within the answer": {
    url: at("/cut", (_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setImmediate(() => response.socket?.destroy());
    }),
    error: RESET,
  },
  "no HTTP": {
    url: at("/garbage", (_request, response) => void response.socket?.end("SSH-2.0-hello\r\n\r\n")),
    error: "The answer is not valid HTTP.",
  },
  "a connection that is never answered": {
    url: async () => `https://localhost:${await tcp(() => {})}/`,
    error: TIMEOUT,
  },
  "plain HTTP behind https": {
    url: async () => `https://localhost:${await tcp((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"))}/`,
    error: "No secure connection could be made.",
  },
  "a closed port": {
    url: async () => {
      const server = await startHttpsServer(answer(204));
      await server.close();
      return server.origin;
    },
    error: "The host did not accept a connection.",
  },
  "a certificate of nobody": { url: tls({}), error: "The host's certificate is self-signed." },
  "a certificate for another name": {
    url: () => `https://other.example:${events.receiver.port}/`,
    error: "The host's certificate is for another name.",
  },
  "an unknown name": { url: () => "https://unknown.example/", error: "The host name could not be resolved." },
  "a name without addresses": { url: () => "https://empty.example/", error: "The host name could not be resolved." },
  "a name server that is silent": { url: () => "https://silent-dns.example/", error: TIMEOUT },
};

const ids = new Map<string, string>();

beforeAll(async () => {
  events = await startEvents({ env: { WEBHOOK_TIMEOUT: "1", WEBHOOK_MAX_ATTEMPTS: "1" }, outbound: { resolve } });
  for (const [name, { url }] of Object.entries(cases)) ids.set(name, await events.send(await url()));
});
afterAll(async () => {
  for (const timer of timers) clearInterval(timer);
  for (const socket of open) socket.destroy();
  await events.stop();
  await Promise.all(servers.map((server) => server.close()));
});

describe("an attempt", () => {
  it.each(Object.entries(cases))("that meets %s", async (name, expected) => {
    const { status, attempts }: DeliveryShown = await events.attempted(ids.get(name)!, 1);
    expect(attempts).toEqual([
      {
        started_at: events.clock.now().toISOString(),
        duration_ms: expect.any(Number),
        status: expected.status ?? null,
        answer: expected.answer ?? null,
        error: expected.error,
        by_hand: false,
      },
    ]);
    expect(status).toBe(expected.ends ?? "failed");
    // A second is the bound here; the rest is for a machine that is busy.
    expect(attempts[0]!.duration_ms).toBeLessThan(15_000);
  });

  it("follows no redirect", async () => {
    await Promise.all([...ids.values()].map((id) => events.attempted(id, 1)));
    expect(events.at("/redirected")).toEqual([]);
  });

  it("hangs up on an endless answer", async () => {
    let closed = false;
    events.on("/hung-up", (_request, response) => {
      response.on("close", () => {
        closed = true;
      });
      drip(response.writeHead(200), "z".repeat(64_000));
    });
    await events.send(events.to("/hung-up"));
    expect(await until("the connection is closed", () => closed)).toBe(true);
  });
});
