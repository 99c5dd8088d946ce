// API keys: made, hashed, found, rotated. Only the bcrypt hash and the first 12 characters are ever stored.
//
// The bcrypt salt is not random: it is an HMAC of the key under the server's secret. So the key itself says which row is
// meant before any bcrypt runs: a key nobody has costs one index look-up, a real one costs one bcrypt, whatever the number
// of accounts. See docs/decisions/0002-finding-an-api-key.md.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import bcrypt from "bcrypt";
import { sql } from "kysely";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import type { Trx } from "../platform/db/database.ts";
import { type Account, audit } from "./accounts.ts";
import { take } from "./rate-limit.ts";
import { Gate, Recent } from "./recent.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 32;
const PREFIX_LENGTH = 12;
const KEY_FORM = /^ext_live_[0-9A-Za-z]{32}$/;
const BCRYPT_COST = 10;
/** bcrypt runs on Node's four worker threads, which file and DNS calls need too. */
const BCRYPTS_AT_ONCE = 2;
/** Rotations are for people, and each gives a fresh rate limit. */
const ROTATIONS = { limit: 20, windowMs: 3_600_000 };

export function makeKey(): string {
  let key = "ext_live_";
  while (key.length < "ext_live_".length + RANDOM_CHARACTERS)
    // 248 is the largest multiple of 62 in a byte: what is above would favour the first characters.
    for (const byte of randomBytes(48))
      if (byte < 248 && key.length < "ext_live_".length + RANDOM_CHARACTERS) key += ALPHABET[byte % 62];
  return key;
}

/** Cost and salt, the first 29 characters of the key's hash. */
function saltOf(app: App, key: string): string {
  const standard = app.secrets.saltFor(key).toString("base64").slice(0, 22);
  const own = standard.replace(/./g, (c) => BCRYPT_ALPHABET[STANDARD_ALPHABET.indexOf(c)]!);
  return `$2b$${BCRYPT_COST}$${own}`;
}
const STANDARD_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BCRYPT_ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export interface IssuedKey {
  key: string;
  columns: { api_key_id: string; api_key_hash: string; api_key_prefix: string; api_key_created_at: Date };
}

export async function issueKey(app: App): Promise<IssuedKey> {
  const key = makeKey();
  return {
    key,
    columns: {
      api_key_id: randomUUID(),
      api_key_hash: await bcrypts.run(() => bcrypt.hash(key, saltOf(app, key))),
      api_key_prefix: key.slice(0, PREFIX_LENGTH),
      api_key_created_at: app.clock.now(),
    },
  };
}

/** Issues a key for the account; one it had before is dead from then on. */
export async function rotateKey(app: App, account: Account, address: string | null): Promise<IssuedKey> {
  const allowance = await take(app, { bucket: `rotate:${account.id}`, ...ROTATIONS });
  if (!allowance.allowed)
    throw new Fault("rate_limited", {
      detail: `A key can be rotated ${ROTATIONS.limit} times an hour.`,
      headers: { "retry-after": String(Math.ceil(allowance.resetMs / 1000)) },
    });
  const issued = await issueKey(app);
  await app.db.transaction().execute(async (trx) => {
    // Two rotations at once: the later one wins whole, and says so to its own caller only.
    const old = await lockKey(trx, account.id);
    await trx.updateTable("accounts").set(issued.columns).where("id", "=", account.id).execute();
    await audit(app, trx, { accountId: account.id, action: old ? "api_key_rotated" : "api_key_created", address });
  });
  remember(app, issued, account.id);
  return issued;
}

/** As far as the rate limit remembers. */
export async function lastUseOf(app: App, account: Account): Promise<Date | null> {
  const row = await app.db
    .selectFrom("rate_limits")
    .select("stamps")
    .where("bucket", "=", `key:${account.api_key_id}`)
    .executeTakeFirst();
  return row?.stamps.at(-1) ?? null;
}

async function lockKey(trx: Trx, accountId: string): Promise<string | null> {
  const row = await trx
    .selectFrom("accounts")
    .select("api_key_hash")
    .where("id", "=", accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.api_key_hash;
}

export interface KnownKey {
  accountId: string;
  hash: string;
}

const bcrypts = new Gate(BCRYPTS_AT_ONCE);

/** Keys this process has verified or refused, by an HMAC under a secret that dies with it. */
class Keyring {
  readonly #secret = randomBytes(32);
  readonly verified = new Recent<KnownKey>(50_000);
  readonly refused = new Recent<true>(50_000);
  readonly underWay = new Map<string, Promise<KnownKey | null>>();

  digest(key: string): string {
    return createHmac("sha256", this.#secret).update(key).digest("base64");
  }
}
const keyrings = new WeakMap<App, Keyring>();

function keyringOf(app: App): Keyring {
  const ring = keyrings.get(app) ?? new Keyring();
  keyrings.set(app, ring);
  return ring;
}

/** A key this process made itself needs no bcrypt to be known. */
export function remember(app: App, { key, columns }: IssuedKey, accountId: string): void {
  const ring = keyringOf(app);
  ring.verified.set(ring.digest(key), { accountId, hash: columns.api_key_hash });
}

/** A key that its account no longer has: no key ever comes back, so it is refused without a look from now on. */
export function disown(app: App, key: string): void {
  const ring = keyringOf(app);
  ring.verified.delete(ring.digest(key));
  ring.refused.set(ring.digest(key), true);
}

/** What this process already knows of a key: whose it is, null for nobody's, undefined for a key it has not seen. */
export function recall(app: App, key: string): KnownKey | null | undefined {
  if (!KEY_FORM.test(key)) return null;
  const ring = keyringOf(app);
  const digest = ring.digest(key);
  return ring.verified.get(digest) ?? (ring.refused.get(digest) ? null : undefined);
}

/** Whose key this is, or null. That the account still has it is for the caller to check, on every request. */
export async function identify(app: App, key: string): Promise<KnownKey | null> {
  const ring = keyringOf(app);
  const digest = ring.digest(key);
  let check = ring.underWay.get(digest);
  if (!check) {
    check = verify(app, key).finally(() => ring.underWay.delete(digest));
    ring.underWay.set(digest, check);
  }
  const found = await check;
  if (found) ring.verified.set(digest, found);
  else ring.refused.set(digest, true);
  return found;
}

async function verify(app: App, key: string): Promise<KnownKey | null> {
  const row = await app.db
    .selectFrom("accounts")
    .select(["id", "api_key_hash"])
    .where(sql`left(api_key_hash, 29)`, "=", saltOf(app, key))
    .executeTakeFirst();
  app.metrics.keyChecks.inc({ outcome: row ? "bcrypt" : "unknown" });
  const hash = row?.api_key_hash;
  if (!hash || !(await bcrypts.run(() => bcrypt.compare(key, hash)))) return null;
  return { accountId: row.id, hash };
}
