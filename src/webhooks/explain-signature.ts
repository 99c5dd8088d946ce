// Why a signature that a user pastes does not match: every usual mistake is tried until one of them gives that very
// signature. The user proves nothing and we reveal nothing: both secrets are the user's own.

import { createHash, createHmac } from "node:crypto";
import { type BodyChange, bodyChanges, compareBodies, type Rewriting, rewriteBody } from "./rewrite-body.ts";
import { decodeSecret, SECRET_PREFIX } from "./sign.ts";

const mistakes = {
  ...bodyChanges,
  missing_header: "There is no X-Extract-Signature header. A proxy may have removed it, or the request is not from us.",
  missing_id_or_timestamp: "webhook-signature can only be checked together with webhook-id and webhook-timestamp.",
  missing_prefix:
    'The signature lacks its "sha256=" prefix. Compare the whole header value, or take the prefix off both.',
  letter_case: "The signature is right but in other letter case. We write it in lower case.",
  base64: "The signature is right but in base64. X-Extract-Signature is hex.",
  standard_signature:
    "This is a webhook-signature entry (v1,…). X-Extract-Signature is sha256= and hex over the body alone.",
  not_a_signature: 'This is not a signature: "sha256=" and 64 hex digits are expected.',
  other_algorithm: "The signature was made with another algorithm. HMAC-SHA256 is expected.",
  no_hmac: "This is a plain SHA-256 of the body, perhaps with the secret attached, not an HMAC keyed with the secret.",
  previous_secret: "The signature was made with the secret from before the last rotation.",
  secret_decoded:
    "The key was the base64-decoded secret. X-Extract-Signature is keyed with the whole string, whsec_ included.",
  secret_without_prefix: "The key was the secret without whsec_. X-Extract-Signature is keyed with the whole string.",
  secret_not_decoded:
    "The key was the secret as text. webhook-signature is keyed with the base64-decoded part after whsec_.",
  secret_spaces: "The key had a line break, space or quotation mark around the secret.",
  id_and_timestamp:
    "The signature was made over id.timestamp.body, as for webhook-signature. X-Extract-Signature is over the body alone.",
  id_or_timestamp_left_out: "The signature was made over the body alone. webhook-signature is over id.timestamp.body.",
  empty_body: "The body is empty: it was read before, or a framework consumed it.",
  unfinished_body: "The body is not complete JSON: a size limit or a partial read may have cut it off.",
  length_differs: "The body does not have the length that Content-Length says.",
  no_match: "The signature was made with another secret or for another body.",
} as const satisfies Record<string, string>;

/** A rewritten body counts as one. More at once are not met, and each more multiplies the tries. */
const MAX_MISTAKES = 2;
/** A header with more entries is nobody's mistake. */
const MAX_ENTRIES = 4;

export type SignatureMistake = keyof typeof mistakes;

export interface SignatureQuestion {
  body: Buffer | string;
  headers: Record<string, string | string[] | undefined>;
  secrets: { current: string; previous?: string | null };
  /** What we sent, where it is still known: then changes that cannot be undone are found too. */
  sent?: Buffer | string;
}

export interface SignatureExplanation {
  matches: boolean;
  /** Empty when it matches; otherwise all mistakes that together explain this signature. */
  mistakes: { code: SignatureMistake; message: string }[];
}

export function explainSignature(question: SignatureQuestion): SignatureExplanation {
  const codes = findMistakes(question);
  return { matches: codes.length === 0, mistakes: codes.map((code) => ({ code, message: mistakes[code] })) };
}

interface Asked {
  body: Buffer;
  sent: Buffer | undefined;
  header(name: string): string | undefined;
  secrets: SignatureQuestion["secrets"];
}

interface Candidate<T> {
  value: T;
  mistakes: SignatureMistake[];
}

function findMistakes(question: SignatureQuestion): SignatureMistake[] {
  const headers = new Map(
    Object.entries(question.headers).map(([name, value]) => [name.trim().toLowerCase(), String(value ?? "").trim()]),
  );
  const asked: Asked = {
    body: Buffer.from(question.body as string),
    sent: question.sent === undefined ? undefined : Buffer.from(question.sent as string),
    header: (name) => headers.get(name) || undefined,
    secrets: question.secrets,
  };
  const own = asked.header("x-extract-signature");
  if (own !== undefined) return explainOwn(asked, own);
  const standard = asked.header("webhook-signature");
  return standard === undefined ? ["missing_header"] : explainStandard(asked, standard);
}

function explainOwn(asked: Asked, text: string): SignatureMistake[] {
  const signature = readSignature(text);
  if (signature.value === null) return signature.mistakes;
  const prefix = standardPrefix(asked);
  const contents: Candidate<string>[] = [{ value: "", mistakes: [] }];
  if (prefix !== undefined) contents.push({ value: prefix, mistakes: ["id_and_timestamp"] });
  const found = search(asked, signature.value, ownKeys(asked.secrets), contents);
  return found === null ? whenNothingFits(asked, signature.value) : [...signature.mistakes, ...found];
}

/** The entry that comes closest counts, as one good entry is enough for the libraries of Standard Webhooks. */
function explainStandard(asked: Asked, text: string): SignatureMistake[] {
  const prefix = standardPrefix(asked);
  if (prefix === undefined) return ["missing_id_or_timestamp"];
  const contents: Candidate<string>[] = [
    { value: prefix, mistakes: [] },
    { value: "", mistakes: ["id_or_timestamp_left_out"] },
  ];
  const entries = text.split(/\s+/).slice(0, MAX_ENTRIES);
  const digests = entries.flatMap((entry) => (entry.startsWith("v1,") ? [Buffer.from(entry.slice(3), "base64")] : []));
  const found = digests.map((digest) => search(asked, digest, standardKeys(asked.secrets), contents));
  const explained = found.filter((each) => each !== null).sort((a, b) => a.length - b.length);
  return explained[0] ?? whenNothingFits(asked, digests[0] ?? Buffer.alloc(0));
}

/** The digest in a header value and what is wrong with how it is written; null when there is none. */
function readSignature(text: string): Candidate<Buffer | null> {
  if (text.startsWith("v1,")) return { value: null, mistakes: ["standard_signature"] };
  const [, algorithm, digest = ""] = /^(?:(sha\d+|md5)=)?(.*)$/is.exec(text) ?? [];
  const wrong: SignatureMistake[] = algorithm === undefined ? ["missing_prefix"] : [];
  if (algorithm !== undefined && algorithm.toLowerCase() !== "sha256")
    return { value: null, mistakes: ["other_algorithm"] };

  if (/^[0-9a-f]{64}$/i.test(digest)) {
    if (/[A-Z]/.test(`${algorithm ?? ""}${digest}`)) wrong.push("letter_case");
    return { value: Buffer.from(digest, "hex"), mistakes: wrong };
  }
  if (/^[\w+/-]{43}=?$/.test(digest)) return { value: Buffer.from(digest, "base64"), mistakes: [...wrong, "base64"] };
  const otherLength = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{96}|[0-9a-f]{128})$/i.test(digest);
  return { value: null, mistakes: [otherLength ? "other_algorithm" : "not_a_signature"] };
}

function ownKeys({ current, previous }: Asked["secrets"]): Candidate<string | Buffer>[] {
  const variants = (secret: string, mistaken: SignatureMistake[]): Candidate<string | Buffer>[] => [
    { value: secret, mistakes: mistaken },
    { value: decodeSecret(secret), mistakes: [...mistaken, "secret_decoded"] },
    { value: secret.slice(SECRET_PREFIX.length), mistakes: [...mistaken, "secret_without_prefix"] },
    ...[`${secret}\n`, `${secret}\r\n`, ` ${secret}`, `${secret} `, `"${secret}"`, `'${secret}'`].map((value) => ({
      value,
      mistakes: [...mistaken, "secret_spaces" as const],
    })),
  ];
  return [...variants(current, []), ...(previous ? variants(previous, ["previous_secret"]) : [])];
}

function standardKeys({ current, previous }: Asked["secrets"]): Candidate<string | Buffer>[] {
  const variants = (secret: string, mistaken: SignatureMistake[]): Candidate<string | Buffer>[] => [
    { value: decodeSecret(secret), mistakes: mistaken },
    { value: secret, mistakes: [...mistaken, "secret_not_decoded"] },
    { value: secret.slice(SECRET_PREFIX.length), mistakes: [...mistaken, "secret_not_decoded"] },
  ];
  return [...variants(current, []), ...(previous ? variants(previous, ["previous_secret"]) : [])];
}

function standardPrefix(asked: Asked): string | undefined {
  const [id, timestamp] = [asked.header("webhook-id"), asked.header("webhook-timestamp")];
  return id === undefined || timestamp === undefined ? undefined : `${id}.${timestamp}.`;
}

/** The fewest mistakes that together give this digest; null when none do. */
function search(
  asked: Asked,
  digest: Buffer,
  keys: Candidate<string | Buffer>[],
  contents: Candidate<string>[],
): SignatureMistake[] | null {
  const tries = bodiesOf(asked).flatMap((body) =>
    contents.flatMap((content) =>
      keys.map((key) => {
        const mistakes = [...key.mistakes, ...content.mistakes, ...body.changes];
        const count = key.mistakes.length + content.mistakes.length + Math.min(body.changes.length, 1);
        return { key: key.value, content: content.value, bytes: body.bytes, mistakes, count };
      }),
    ),
  );
  const hit = tries
    .filter(({ count }) => count <= MAX_MISTAKES)
    .sort((a, b) => a.count - b.count)
    .find(({ key, content, bytes }) => createHmac("sha256", key).update(content).update(bytes).digest().equals(digest));
  return hit?.mistakes ?? null;
}

function bodiesOf({ body, sent }: Asked): Rewriting[] {
  const change: BodyChange | null = sent === undefined ? null : compareBodies(body, sent);
  const known: Rewriting[] = sent === undefined || change === null ? [] : [{ bytes: sent, changes: [change] }];
  // What was really sent goes before the rewritings that happen to give the same bytes.
  const [exact, ...rewritten] = rewriteBody(body);
  return [exact!, ...known, ...rewritten];
}

function whenNothingFits(asked: Asked, digest: Buffer): SignatureMistake[] {
  const { body, secrets } = asked;
  const plain = [secrets.current, secrets.previous ?? ""].flatMap((secret) => [
    createHash("sha256").update(body).digest(),
    createHash("sha256").update(secret).update(body).digest(),
    createHash("sha256").update(body).update(secret).digest(),
  ]);
  if (plain.some((each) => each.equals(digest))) return ["no_hmac"];
  if (body.length === 0) return ["empty_body"];
  const announced = asked.header("content-length");
  if (announced !== undefined && Number(announced) !== body.length) return ["length_differs"];
  return isJson(body) ? ["no_match"] : ["unfinished_body"];
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
