#!/usr/bin/env node
// A webhook receiver: checks the signature over the raw body in constant time, answers 401 on a mismatch, and prints one
// JSON line per event. Node 18 or newer, no packages.
//
//   WEBHOOK_SECRET=whsec_… node receiver.mjs --port 8443 --cert cert.pem --key key.pem
//
// Without --cert and --key it speaks plain HTTP, for use behind a proxy that ends TLS: deliveries go to https only.

import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { parseArgs } from "node:util";

const MAX_BODY_BYTES = 100 * 1024 * 1024;

const { values: options } = parseArgs({
  options: {
    host: { type: "string", default: process.env.HOST ?? "127.0.0.1" },
    port: { type: "string", default: process.env.PORT ?? "8443" },
    cert: { type: "string", default: process.env.TLS_CERT },
    key: { type: "string", default: process.env.TLS_KEY },
  },
});
const secret = process.env.WEBHOOK_SECRET;
if (!secret) {
  console.error("Set WEBHOOK_SECRET to the webhook secret of your account (whsec_…).");
  process.exit(2);
}

/** True when `header` is the signature of exactly these bytes under our secret. */
function isSigned(body, header) {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(header ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The bytes as they arrived. Parsing first and writing the JSON again would give another signature. */
async function readRawBody(request) {
  if (Number(request.headers["content-length"]) > MAX_BODY_BYTES) return null;
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receive(request, response) {
  const answer = (status, headers = {}) => response.writeHead(status, headers).end();
  if (request.method !== "POST") return answer(405, { allow: "POST" });
  const body = await readRawBody(request);
  if (body === null) return answer(413, { connection: "close" });

  const { headers } = request;
  // For a day after a rotation, the old secret's signature comes along: a receiver may change over in its own time.
  const signed = [headers["x-extract-signature"], headers["x-extract-signature-previous"]].map((header) =>
    isSigned(body, header),
  );
  if (!signed.includes(true)) return answer(401);

  // Answer first, work later: the delivery is tried again if this takes longer than 30 s.
  answer(204);
  const { id = null, status = null } = parse(body);
  const event = headers["x-extract-event"];
  // The same event may come twice; `webhook_id` tells.
  const line = { event, request_id: headers["x-extract-request-id"], webhook_id: headers["webhook-id"], id, status };
  console.log(JSON.stringify(line));
}

function parse(body) {
  try {
    return JSON.parse(body.toString("utf8")) ?? {};
  } catch {
    return {};
  }
}

const secure = Boolean(options.cert && options.key);
const listener = (request, response) => receive(request, response).catch(() => response.destroy());
const server = secure
  ? createSecureServer({ cert: readFileSync(options.cert), key: readFileSync(options.key) }, listener)
  : createServer(listener);
server.listen(Number(options.port), options.host, () => {
  console.error(`Listening on ${secure ? "https" : "http"}://${options.host}:${server.address().port}`);
});
