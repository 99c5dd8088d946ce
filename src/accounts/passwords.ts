// Passwords as argon2id in the usual $-separated form, so that the cost can be raised later without losing old ones.
import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { Gate } from "./recent.ts";

// OWASP's second choice: 19 MiB, two passes, one lane.
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const hashing = new Gate(2);
const derive = promisify(argon2);

export const MIN_PASSWORD = 10;
export const MAX_PASSWORD = 256;

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await hashing.run(() => argon2id(password, nonce, COST));
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

export async function checkPassword(password: string, stored: string): Promise<boolean> {
  const [, , , cost = "", nonce = "", tag = ""] = stored.split("$");
  const [memory = 0, passes = 0, parallelism = 0] = cost.split(",").map((part) => Number(part.slice(2)));
  const expected = Buffer.from(tag, "base64");
  const actual = await hashing.run(() =>
    argon2id(password, Buffer.from(nonce, "base64"), { memory, passes, parallelism }),
  );
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Takes as long as a real check, for addresses that nobody has. */
export async function checkNobodysPassword(password: string): Promise<false> {
  await hashing.run(() => argon2id(password, Buffer.alloc(16), COST));
  return false;
}

async function argon2id(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  return derive("argon2id", { message: password.normalize("NFKC"), nonce, tagLength: 32, ...cost }) as Promise<Buffer>;
}

const encode = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
