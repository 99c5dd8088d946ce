// Who calls, may they, how often. The account's row is read on every request, in the same statement that takes a place in
// the rate limit, so that a rotated key dies everywhere with the very next request.
import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { type Account, rateLimitOf, stateOf } from "../accounts/accounts.ts";
import { disown, identify, type KnownKey, recall } from "../accounts/keys.ts";
import { allowance, allowanceHeaders, takeStatement } from "../accounts/rate-limit.ts";
import { Gate, Recent } from "../accounts/recent.ts";
import { findSession } from "../accounts/sessions.ts";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { plans } from "../plans.ts";
import { readCookie, SESSION_COOKIE } from "./cookies.ts";

const MINUTE_MS = 60_000;
/** Keys nobody has, from one address: real clients send one key. A guess costs us one look-up and no bcrypt. */
const UNKNOWN_KEYS_PER_MINUTE = 100;
/** An address beyond it waits in one line for all such addresses; a good key among them still gets through. */
const MAX_IN_LINE = 100;

declare module "fastify" {
  interface FastifyRequest {
    /** Set behind the gate. */
    account: Account;
  }
}

const refuse = () => new Fault("invalid_api_key", { headers: { "www-authenticate": "Bearer" } });

/** For everything under /api/v1 but the payment webhook. */
export async function admitKey(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const key = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (!key) throw refuse();
  let known = recall(app, key);
  if (known === undefined) known = await identifyStranger(app, key, request.ip);
  if (!known) throw refuse();

  const admitted = await readAccount(app, known);
  if (!admitted) {
    disown(app, key);
    throw refuse();
  }
  const { account, ...taken } = admitted;
  const room = allowance(taken, rateLimitOf(app, account), MINUTE_MS);
  const headers = allowanceHeaders(room, app.clock.now());
  reply.headers(headers);
  if (!room.allowed)
    throw new Fault("rate_limited", { detail: `This key may send ${room.limit} requests in any 60 seconds.`, headers });
  admitState(account);
  request.account = account;
}

/** What rateLimitOf says, in SQL: the limit is needed in the statement that reads the account. */
const planLimit = sql`CASE plan ${sql.join(
  Object.entries(plans).map(
    ([name, { requestsPerMinute }]) => sql`WHEN ${sql.lit(name)} THEN ${sql.lit(requestsPerMinute)}::int`,
  ),
  sql` `,
)} END`;

/** Undefined when the account no longer has this key. */
async function readAccount(app: App, known: KnownKey) {
  const takes = takeStatement(app, {
    bucket: sql`'key:' || a.api_key_id`,
    limit: sql`(SELECT coalesce(rate_limit_per_minute, ${planLimit}, ${app.config.rateLimitPerMinute}::int) FROM a)`,
    windowMs: MINUTE_MS,
    when: sql`FROM a`,
  });
  const { rows } = await sql<Account & { allowed: boolean; used: number; reset_ms: number }>`
    WITH a AS (SELECT * FROM accounts WHERE id = ${known.accountId} AND api_key_hash = ${known.hash}), taken AS (${takes})
    SELECT * FROM a, taken`.execute(app.db);
  if (!rows[0]) return undefined;
  const { allowed, used, reset_ms, ...account } = rows[0];
  return { account, allowed, used, reset_ms };
}

function admitState(account: Account): void {
  const state = stateOf(account);
  if (state === "suspended") throw new Fault("account_suspended");
  if (state === "unverified") throw new Fault("email_not_verified");
}

/** Addresses that sent keys nobody has, and the line in which those wait that sent too many. */
class Strangers {
  readonly seen = new Recent<{ since: number; count: number }>(100_000);
  readonly line = new Gate(1);
}
const strangers = new WeakMap<App, Strangers>();

function strangersOf(app: App): Strangers {
  const known = strangers.get(app) ?? new Strangers();
  strangers.set(app, known);
  return known;
}

async function identifyStranger(app: App, key: string, address: string): Promise<KnownKey | null> {
  const { seen, line } = strangersOf(app);
  const now = app.clock.now().getTime();
  let entry = seen.get(address);
  if (!entry || now - entry.since >= MINUTE_MS) entry = { since: now, count: 0 };
  seen.set(address, entry);
  const suspect = entry.count >= UNKNOWN_KEYS_PER_MINUTE;
  if (suspect && line.waiting >= MAX_IN_LINE)
    throw new Fault("rate_limited", {
      detail: "Too many unknown API keys from this address.",
      headers: { "retry-after": String(Math.ceil((entry.since + MINUTE_MS - now) / 1000)) },
    });
  const known = suspect ? await line.run(() => identify(app, key)) : await identify(app, key);
  if (!known) entry.count++;
  return known;
}

/** The account of the signed-in browser, if any. */
export async function findVisitor(app: App, request: FastifyRequest): Promise<Account | undefined> {
  const token = readCookie(request, SESSION_COOKIE);
  return token ? findSession(app, token) : undefined;
}

/** Browsers say where a form was sent from; another site's form must not act for a signed-in visitor. */
export function refuseCrossOrigin(app: App, request: FastifyRequest): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  // A proxy may send us another Host than the browser sees: the public address counts as ours as well.
  const own = [request.host, new URL(app.baseUrl).host];
  const foreign = site
    ? site !== "same-origin" && site !== "none"
    : origin !== undefined && (!URL.canParse(origin) || !own.includes(new URL(origin).host));
  if (foreign) throw new Fault("cross_origin_refused");
}
