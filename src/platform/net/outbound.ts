// HTTP to addresses that callers name: webhook deliveries and `url` inputs. Private addresses are refused, time and
// size are bounded. Requests to hosts the operator names need none of it. The interface first, then its driver on undici.

import type { Readable } from "node:stream";
import { createSecureContext } from "node:tls";
import { Client, type Dispatcher } from "undici";
import { collectBody, streamBody } from "./answer-body.ts";
import { readUrl, type UrlRules } from "./check-url.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { openGuardedSocket, type Resolve, resolveLocally, resolvePublic, type SocketRules } from "./guarded-socket.ts";
import { asOutboundError, OutboundError } from "./outbound-error.ts";

export { checkUrl } from "./check-url.ts";
export { OutboundError, type OutboundReason, outboundReasons } from "./outbound-error.ts";

interface Exchange {
  url: string;
  headers?: Record<string, string>;
  /** For everything together: name lookup, connect, TLS, redirects, headers, the last byte of the body. */
  timeoutMs: number;
  /** Of the answer's body; a download counts what it unpacks to. */
  maxBytes: number;
  requireHttps?: boolean;
  /** How many redirects are followed, each checked like a first address; 0 unless said. */
  followRedirects?: number;
  signal?: AbortSignal;
}

export interface OutboundRequest extends Exchange {
  method: "GET" | "POST";
  body?: Buffer | string;
  /** A larger answer is an error, or is cut at `maxBytes` and the connection dropped. */
  onOverflow: "fail" | "truncate";
}

export interface Answer {
  /** Any status: a redirect that was not to be followed is an answer too. */
  status: number;
  /** Names in lower case, repeated ones joined by a comma. */
  headers: Record<string, string>;
  /** As it came over the wire, not decoded. */
  body: Buffer;
  truncated: boolean;
  /** The address that answered, after redirects. */
  url: string;
}

export type DownloadRequest = Exchange;

export interface Download {
  headers: Record<string, string>;
  url: string;
  /** Content-decoded. Ends with an OutboundError when the time or size bound is met or the connection breaks. */
  body: Readable;
}

export interface Outbound {
  request(request: OutboundRequest): Promise<Answer>;
  /** GET; a status other than 2xx is an OutboundError. The body must be read or destroyed; time bounds it either way. */
  download(request: DownloadRequest): Promise<Download>;
  /** Ends what is under way with reason `canceled`. */
  close(): Promise<void>;
}

export interface OutboundOptions {
  /** ALLOW_PRIVATE_NETWORKS: private addresses and local names are let through; https stays required where it is. */
  allowPrivate?: boolean;
  /** Trusted instead of the system's authorities; for tests. */
  ca?: string | string[];
  /** Replaces DNS; for tests. */
  resolve?: Resolve;
  userAgent?: string;
}

/** Presigned links that redirects lead to are longer than what people type. */
const MAX_REDIRECT_URL_CHARS = 8192;
const MAX_ANSWER_HEADER_BYTES = 16 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Meant for the first host only. */
const PRIVATE_HEADERS = new Set(["authorization", "cookie", "proxy-authorization"]);

type Request = Omit<OutboundRequest, "onOverflow">;

interface Hop {
  status: number;
  headers: Record<string, string>;
  body: Readable;
  url: URL;
}

export function openOutbound(options: OutboundOptions = {}): Outbound {
  return new GuardedOutbound(options);
}

/**
 * One connection per hop, closed after it: a kept one may be half dead, and a webhook must not lose an attempt to that;
 * the deadline can also destroy it without touching another request.
 */
class GuardedOutbound implements Outbound {
  readonly #rules: SocketRules;
  readonly #userAgent: string;
  readonly #running = new Set<Deadline>();
  #closed = false;

  constructor(options: OutboundOptions = {}) {
    const allowPrivate = options.allowPrivate ?? false;
    const resolve = options.resolve ?? (allowPrivate ? resolveLocally : resolvePublic);
    this.#rules = { allowPrivate, resolve, secureContext: createSecureContext({ ca: options.ca }) };
    this.#userAgent = options.userAgent ?? "extraction-service";
  }

  async request(request: OutboundRequest): Promise<Answer> {
    const deadline = this.#start(request);
    try {
      const hop = await this.#follow(request, deadline);
      const { body, truncated } = await collectBody(hop, request.maxBytes, request.onOverflow);
      return { status: hop.status, headers: hop.headers, body, truncated, url: hop.url.href };
    } catch (error) {
      throw asOutboundError(error, deadline.signal);
    } finally {
      deadline.end();
    }
  }

  async download(request: DownloadRequest): Promise<Download> {
    const deadline = this.#start(request);
    try {
      const hop = await this.#follow({ ...request, method: "GET" }, deadline);
      if (hop.status < 200 || hop.status > 299) {
        throw new OutboundError("bad_status", { status: hop.status, message: `The server answered ${hop.status}.` });
      }
      const body = streamBody(hop, request.maxBytes, deadline.signal);
      // Not in the generator's own finally: that never runs when the reader leaves before the first chunk.
      body.once("close", () => deadline.end());
      return { headers: hop.headers, url: hop.url.href, body };
    } catch (error) {
      deadline.end();
      throw asOutboundError(error, deadline.signal);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const deadline of this.#running) deadline.abort(new OutboundError("canceled"));
  }

  #start(request: { timeoutMs: number; signal?: AbortSignal }): Deadline {
    if (this.#closed || request.signal?.aborted) throw new OutboundError("canceled");
    const deadline = startDeadline(request.timeoutMs, request.signal, () => this.#running.delete(deadline));
    this.#running.add(deadline);
    return deadline;
  }

  /** Each hop is checked from scratch: spelling, scheme, credentials, address. */
  async #follow(first: Request, deadline: Deadline): Promise<Hop> {
    let request = first;
    let rules: UrlRules = { requireHttps: first.requireHttps, allowPrivate: this.#rules.allowPrivate };
    for (let left = first.followRedirects ?? 0; ; left--) {
      const read = readUrl(request.url, rules);
      if (read.url === null) throw new OutboundError(read.reason, { message: `The URL ${read.problem}.` });
      const hop = await this.#hop(read.url, request, deadline);
      const location = hop.headers.location;
      if (!first.followRedirects || !REDIRECTS.has(hop.status) || location === undefined) return hop;
      hop.body.destroy();
      const next = URL.parse(location, read.url.href);
      if (left === 0 || next === null) throw new OutboundError("redirect", { status: hop.status });
      request = redirected(request, hop.status, read.url, next);
      rules = { ...rules, maxChars: MAX_REDIRECT_URL_CHARS };
    }
  }

  async #hop(url: URL, request: Request, deadline: Deadline): Promise<Hop> {
    const { signal } = deadline;
    const client = new Client(url.origin, {
      // Called once per hop; undici would take a socket from a proxy or a pool only if we handed it one.
      connect: (_options, callback) => {
        openGuardedSocket(url, this.#rules, signal).then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(error as Error, null),
        );
      },
      allowH2: false,
      // Sends `connection: close`.
      pipelining: 0,
      maxHeaderSize: MAX_ANSWER_HEADER_BYTES,
      // The deadline bounds all of it, also a byte now and then that would keep these two content.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    deadline.onEnd((reason) => void client.destroy(reason).catch(() => {}));
    const answer = await client.request({
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { "user-agent": this.#userAgent, "accept-encoding": "identity", ...request.headers },
      body: request.body,
      signal,
    });
    answer.body.on("error", () => {});
    return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: answer.body, url };
  }
}

function redirected(request: Request, status: number, from: URL, to: URL): Request {
  const asGet = status === 303 || (request.method === "POST" && (status === 301 || status === 302));
  const kept = Object.entries(request.headers ?? {}).filter(([name]) => {
    const lower = name.toLowerCase();
    if (asGet && lower.startsWith("content-")) return false;
    return from.origin === to.origin || !PRIVATE_HEADERS.has(lower);
  });
  const next = { ...request, url: to.href, headers: Object.fromEntries(kept) };
  return asGet ? { ...next, method: "GET", body: undefined } : next;
}

function plainHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}
