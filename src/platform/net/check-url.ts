// What can be said about a URL before anything is looked up: spelling, scheme, credentials, and hosts that can never
// be public. The WHATWG parser has turned every spelling of an IPv4 address (decimal, octal, hex, short, full-width
// digits, trailing dot) into four plain numbers, so one address check covers them all.

import { isIP } from "node:net";
import { isPublicAddress } from "./addresses.ts";

/** Longer ones are cut or refused by too many servers and columns on the way. */
export const MAX_URL_CHARS = 2048;

/** Names that by RFC 6761, 6762, 8375 and ICANN's reservation only ever mean something on the own machine or network. */
const LOCAL_SUFFIXES = ["localhost", "localdomain", "local", "internal", "home.arpa"];

export interface UrlRules {
  requireHttps?: boolean;
  /** Development: private addresses and local names are let through. */
  allowPrivate?: boolean;
  maxChars?: number;
}

export type ReadUrl =
  | { url: URL; problem: null }
  | { url: null; problem: string; reason: "bad_url" | "refused_address" };

/** Why this URL can never be requested, as the end of a sentence that starts with its name; null when it may work. */
export function checkUrl(text: string, rules: UrlRules = {}): string | null {
  return readUrl(text, rules).problem;
}

export function readUrl(text: string, rules: UrlRules = {}): ReadUrl {
  const maxChars = rules.maxChars ?? MAX_URL_CHARS;
  if (text.length > maxChars) return refuse(`must not be longer than ${maxChars} characters`);
  // The parser silently drops these or turns them into slashes, so that eye and machine would read different hosts.
  if (/^\s|[\u0000-\u001f\u007f\\]|\s$/.test(text)) {
    return refuse("must not contain control characters, backslashes or surrounding spaces");
  }
  const url = URL.parse(text);
  const schemes = rules.requireHttps ? ["https:"] : ["https:", "http:"];
  if (url === null) return refuse("must be a complete and well-formed URL");
  if (!schemes.includes(url.protocol)) return refuse(`must start with ${schemes.join("// or ")}//`);
  if (hasUserinfo(text, url)) return refuse("must not carry credentials (user:password@)");

  const hostname = hostOf(url);
  if (rules.allowPrivate) return { url, problem: null };
  if (isIP(hostname) !== 0) {
    return isPublicAddress(hostname) ? { url, problem: null } : refuse("must not be a private address", true);
  }
  if (isLocalName(hostname)) return refuse("must name a public host", true);
  return { url, problem: null };
}

/** The host as resolvers and certificates want it: no brackets, no trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function hasUserinfo(text: string, url: URL): boolean {
  // An empty "https://@host" leaves no trace in the parsed URL.
  const authority = /^[^:/?#]*:\/*([^/?#]*)/.exec(text)?.[1] ?? "";
  return url.username !== "" || url.password !== "" || authority.includes("@");
}

/** Names of one label are looked up in the own network only. */
function isLocalName(hostname: string): boolean {
  const dotted = `.${hostname.toLowerCase()}`;
  return !hostname.includes(".") || LOCAL_SUFFIXES.some((suffix) => dotted.endsWith(`.${suffix}`));
}

function refuse(problem: string, privateHost = false): ReadUrl {
  return { url: null, problem, reason: privateHost ? "refused_address" : "bad_url" };
}
