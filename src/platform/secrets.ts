// What is done with the server's SECRET_KEY: sealing texts for the database, and the salt that finds an API key.
// Each use has its own derived key, so that one can never stand in for another.
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Secrets {
  seal(text: string): Buffer;
  unseal(sealed: Buffer): string;
  /** Tells two secret keys apart, and nothing else about them. */
  mark: string;
  /** The same key always gives the same 16 bytes; nobody without SECRET_KEY can tell which. */
  saltFor(apiKey: string): Buffer;
}

export function openSecrets(secretKey: string): Secrets {
  const derive = (use: string) => Buffer.from(hkdfSync("sha256", secretKey, "extraction-service", use, 32));
  const sealingKey = derive("seal");
  const saltKey = derive("api-key-salt");
  return {
    mark: derive("mark").toString("base64url"),
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealingKey, nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    unseal(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", sealingKey, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        "utf8",
      );
    },
    saltFor: (apiKey) => createHmac("sha256", saltKey).update(apiKey).digest().subarray(0, 16),
  };
}

/** For the embedded database: made at the first start, kept beside the data it protects. */
export async function ownSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, "secret-key");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  return readFile(file, "utf8");
}

/** For links and cookies: 256 random bits, stored only as their hash. */
export const makeToken = () => randomBytes(32).toString("base64url");
export const hashToken = (token: string) => createHash("sha256").update(token).digest();
