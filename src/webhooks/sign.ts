// The headers of a webhook delivery and the two signatures in them. Pure; sending is elsewhere.

import { createHmac } from "node:crypto";

/** What `webhook_secret` starts with; the rest is base64. */
export const SECRET_PREFIX = "whsec_";

export interface SignedDelivery {
  body: Buffer | string;
  /** `extraction.completed` or `extraction.failed`. */
  event: string;
  requestId: string;
  /** The same on every attempt and on sending again, so that receivers can tell what they have had. */
  eventId: string;
  /** Of this attempt. */
  timestamp: Date;
  secret: string;
  /** The one before the last rotation, as long as it is still honoured. */
  previousSecret?: string | null;
}

/** `X-Extract-Signature`. The whole secret, prefix and all, is the key. */
export function signBody(secret: string, body: Buffer | string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

export interface StandardParts {
  secret: string;
  id: string;
  timestampSeconds: number;
  body: Buffer | string;
}

/** One entry of `webhook-signature` (Standard Webhooks): here the bytes behind the prefix are the key. */
export function signStandard({ secret, id, timestampSeconds, body }: StandardParts): string {
  const hmac = createHmac("sha256", decodeSecret(secret)).update(`${id}.${timestampSeconds}.`).update(body);
  return `v1,${hmac.digest("base64")}`;
}

export function decodeSecret(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, "base64");
}

/** All headers of a delivery; the client adds only what HTTP itself needs. */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  const { body, event, requestId, eventId, secret, previousSecret } = delivery;
  const timestampSeconds = Math.floor(delivery.timestamp.getTime() / 1000);
  const secrets = previousSecret ? [secret, previousSecret] : [secret];
  const standard = secrets.map((each) => signStandard({ secret: each, id: eventId, timestampSeconds, body }));
  return {
    "Content-Type": "application/json",
    "X-Extract-Signature": signBody(secret, body),
    ...(previousSecret ? { "X-Extract-Signature-Previous": signBody(previousSecret, body) } : {}),
    "X-Extract-Event": event,
    "X-Extract-Request-Id": requestId,
    "webhook-id": eventId,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": standard.join(" "),
  };
}
