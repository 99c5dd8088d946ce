// How a request to the outside can fail: one table of reasons with public texts, one class.

/** Public texts: what happened, without addresses, paths or library messages. */
export const outboundReasons = {
  bad_url: "The URL is not usable.",
  refused_address: "The host is not a public address.",
  dns_failure: "The host name could not be resolved.",
  connect_failure: "The host did not accept a connection.",
  tls_failure: "No secure connection could be made.",
  timeout: "There was no complete answer within the time limit.",
  reset: "The connection was closed before the answer was complete.",
  too_large: "The answer is larger than the limit.",
  redirect: "The answer redirects too often or to an unusable address.",
  bad_status: "The server answered with an error.",
  bad_answer: "The answer is not valid HTTP.",
  canceled: "The request was canceled.",
} as const satisfies Record<string, string>;

export type OutboundReason = keyof typeof outboundReasons;

/** `message` may be shown to the caller; `cause` is for the log. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;
  /** The answer's status where there was one. */
  readonly status: number | undefined;

  constructor(reason: OutboundReason, details: { message?: string; status?: number; cause?: unknown } = {}) {
    super(details.message ?? outboundReasons[reason], { cause: details.cause });
    this.name = "OutboundError";
    this.reason = reason;
    this.status = details.status;
  }
}

/** Prefixes of the codes of undici, OpenSSL and zlib; a broken connection is what remains. */
const reasonsByCode: [prefix: string, reason: OutboundReason][] = [
  ["HTTPParserError", "bad_answer"],
  ["HPE_", "bad_answer"],
  ["UND_ERR_HEADERS_OVERFLOW", "bad_answer"],
  ["Z_", "bad_answer"],
  ["ERR_BROTLI", "bad_answer"],
  ["ERR__ERROR", "bad_answer"],
  ["ERR_SSL", "tls_failure"],
];

export function asOutboundError(error: unknown, signal: AbortSignal): OutboundError {
  // Whatever broke because the deadline pulled the plug is the deadline's doing.
  if (signal.reason instanceof OutboundError) return signal.reason;
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  // A header or argument of our own is wrong: a mistake in the code, not an event of the network.
  if (code === "UND_ERR_INVALID_ARG") throw error;
  const known = reasonsByCode.find(([prefix]) => code.startsWith(prefix));
  return new OutboundError(known?.[1] ?? "reset", { cause: error });
}

/** undici's parser errors come without a code; the one for an early end is told by its text only. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.message.includes("Invalid EOF state") ? "EOF" : error.name;
}
