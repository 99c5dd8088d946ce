// A self-signed certificate for tests, written as DER with node:crypto alone: no openssl binary, no dependency.

import { createHash, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export interface CertificateOptions {
  /** Names and addresses it is good for. */
  hosts?: string[];
  notBefore?: Date;
  notAfter?: Date;
}

export interface Certificate {
  /** PEM; trusted as its own authority. */
  cert: string;
  /** PEM, PKCS #8. */
  key: string;
}

const YEAR_MS = 365 * 24 * 3600 * 1000;
export const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "::1"];

export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const spki = createPublicKey(publicKey).export({ type: "spki", format: "der" });
  const notBefore = options.notBefore ?? new Date(Date.now() - YEAR_MS);
  const notAfter = options.notAfter ?? new Date(Date.now() + YEAR_MS);
  const ecdsaWithSha256 = tlv(0x30, oid("1.2.840.10045.4.3.2"));
  const name = tlv(0x30, tlv(0x31, tlv(0x30, oid("2.5.4.3"), tlv(0x0c, Buffer.from("test server")))));
  const serial = createHash("sha256").update(spki).digest().subarray(0, 8);
  serial[0] = (serial[0]! & 0x7f) | 0x40;

  const body = tlv(
    0x30,
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, serial),
    ecdsaWithSha256,
    name,
    tlv(0x30, time(notBefore), time(notAfter)),
    name,
    spki,
    tlv(0xa3, extensions(options.hosts ?? LOOPBACK_HOSTS, spki)),
  );
  const signature = sign("sha256", body, privateKey);
  const der = tlv(0x30, body, ecdsaWithSha256, tlv(0x03, Buffer.from([0]), signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return { cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`, key: privateKey };
}

function extensions(hosts: string[], spki: Buffer): Buffer {
  const keyId = createHash("sha1").update(spki).digest();
  const names = hosts.map((host) =>
    isIP(host) === 0 ? tlv(0x82, Buffer.from(host)) : tlv(0x87, Buffer.from(ipaddr.parse(host).toByteArray())),
  );
  const critical = Buffer.from([0x01, 0x01, 0xff]);
  return tlv(
    0x30,
    // basicConstraints CA:true; keyUsage digitalSignature, keyCertSign; serverAuth; subject key; names
    extension("2.5.29.19", tlv(0x30, critical), critical),
    extension("2.5.29.15", tlv(0x03, Buffer.from([2, 0b10000100])), critical),
    extension("2.5.29.37", tlv(0x30, oid("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.14", tlv(0x04, keyId)),
    extension("2.5.29.17", tlv(0x30, ...names)),
  );
}

function extension(id: string, value: Buffer, critical = Buffer.alloc(0)): Buffer {
  return tlv(0x30, oid(id), critical, tlv(0x04, value));
}

function time(date: Date): Buffer {
  // GeneralizedTime, YYYYMMDDHHMMSSZ
  return tlv(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
}

function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split(".").map(Number);
  const bytes = [first! * 40 + second!];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let high = part >> 7; high > 0; high >>= 7) groups.unshift((high & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tlv(0x06, Buffer.from(bytes));
}

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
