// What browsers are told not to do with our answers.
import type { App } from "../app.ts";

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function securityHeaders(app: App): Record<string, string> {
  return {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    // Not "no-referrer": browsers then send our own forms with `Origin: null`.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    // Answers hold keys and documents: no cache on the way keeps them.
    "cache-control": "no-store",
    ...(app.baseUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000; includeSubDomains" }),
  };
}
