// One checked connection: look the name up, refuse unless every address is public, connect to exactly those addresses,
// then TLS for the name. Nothing resolves the name a second time, so an answer that changes in between has no effect.

import { lookup, Resolver } from "node:dns/promises";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import { isPublicAddress } from "./addresses.ts";
import { hostOf } from "./check-url.ts";
import { codeOf, OutboundError } from "./outbound-error.ts";

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Resolve = (hostname: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;

export interface SocketRules {
  allowPrivate: boolean;
  resolve: Resolve;
  /** Made once: 0.4 ms each, a fifth of what a connection costs. */
  secureContext: SecureContext;
}

/** Tried in turn; all that a name resolves to are checked. */
const MAX_ADDRESSES_TRIED = 6;
/** Node's own 250 ms gives up on receivers on the other side of the world. */
const NEXT_ADDRESS_AFTER_MS = 1500;
const DNS_TRY_MS = 2500;
const DNS_TRIES = 2;

/** Rejects with an OutboundError; the socket is destroyed when `signal` aborts, now or later. */
export async function openGuardedSocket(url: URL, rules: SocketRules, signal: AbortSignal): Promise<Socket> {
  const addresses = await checkedAddresses(hostOf(url), rules, signal);
  // Aborted while the name was looked up: nothing may leave any more.
  signal.throwIfAborted();
  const socket = await connectTo(addresses, url, rules, signal);
  return url.protocol === "https:" ? await secure(socket, hostOf(url), rules) : socket;
}

async function checkedAddresses(hostname: string, rules: SocketRules, signal: AbortSignal): Promise<ResolvedAddress[]> {
  const family = isIP(hostname);
  const addresses = family === 0 ? await resolveName(hostname, rules, signal) : [{ address: hostname, family }];
  // One private address among public ones is a trick or a mistake; it must not depend on luck which one is taken.
  if (!rules.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new OutboundError("refused_address", { cause: addresses });
  }
  return addresses.slice(0, MAX_ADDRESSES_TRIED);
}

async function resolveName(hostname: string, rules: SocketRules, signal: AbortSignal): Promise<ResolvedAddress[]> {
  let addresses: ResolvedAddress[];
  try {
    addresses = await rules.resolve(hostname, signal);
  } catch (cause) {
    throw new OutboundError("dns_failure", { cause });
  }
  if (addresses.length === 0) throw new OutboundError("dns_failure");
  return addresses;
}

function connectTo(addresses: ResolvedAddress[], url: URL, rules: SocketRules, signal: AbortSignal): Promise<Socket> {
  const pinned: LookupFunction = (_hostname, options, callback) => {
    const first = addresses[0]!;
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
  return new Promise((fulfil, reject) => {
    const fail = (cause?: unknown) => reject(new OutboundError("connect_failure", { cause }));
    const socket = connect({
      host: hostOf(url),
      port: Number(url.port || (url.protocol === "https:" ? 443 : 80)),
      lookup: pinned,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      noDelay: true,
      signal,
    });
    socket.on("error", fail);
    socket.on("close", fail);
    socket.once("connect", () => {
      socket.off("close", fail);
      // Second guard, on what the system really connected to.
      if (rules.allowPrivate || isPublicAddress(socket.remoteAddress ?? "")) return fulfil(socket);
      reject(new OutboundError("refused_address", { cause: socket.remoteAddress }));
      socket.destroy();
    });
  });
}

/** What a receiver's operator can mend, by OpenSSL's and Node's codes. */
const tlsMessages: Record<string, string> = {
  CERT_HAS_EXPIRED: "The host's certificate has expired.",
  CERT_NOT_YET_VALID: "The host's certificate is not valid yet.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The host's certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The host's certificate is signed by an unknown authority.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The host's certificate is signed by an unknown authority.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The host's certificate chain is incomplete.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The host's certificate is for another name.",
};

function secure(socket: Socket, hostname: string, rules: SocketRules): Promise<Socket> {
  return new Promise((fulfil, reject) => {
    const fail = (cause?: unknown) => {
      reject(new OutboundError("tls_failure", { message: tlsMessages[codeOf(cause)], cause }));
      socket.destroy();
    };
    const secured = connectTls({
      socket,
      host: hostname,
      servername: isIP(hostname) === 0 ? hostname : "",
      secureContext: rules.secureContext,
      ALPNProtocols: ["http/1.1"],
      // Said outright, because an environment variable could otherwise switch it off.
      rejectUnauthorized: true,
    });
    secured.on("error", fail);
    secured.on("close", fail);
    secured.once("secureConnect", () => {
      secured.off("close", fail);
      fulfil(secured);
    });
  });
}

/**
 * The public internet's names. Not getaddrinfo: it holds one of the process's few threads until a silent name server
 * times out, so that a handful of bad names would stop password hashing and files; it also appends search domains.
 */
export async function resolvePublic(hostname: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason;
    return [
      ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : []),
      ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ];
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Development: the system's way, with its hosts file, so that `localhost` and container names work. */
export async function resolveLocally(hostname: string): Promise<ResolvedAddress[]> {
  return await lookup(hostname, { all: true, order: "verbatim" });
}
