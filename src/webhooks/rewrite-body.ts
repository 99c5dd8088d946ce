// The ways in which frameworks and scripts change a JSON body before somebody signs it, and the name of each change.
// Everything works on the text, not on the parsed value, so that a rewriting never changes a number by accident.

export type BodyChange = keyof typeof bodyChanges;

export const bodyChanges = {
  whitespace:
    "The signature is for the same JSON with other whitespace: the body was parsed and written again. Sign the raw bytes as they arrived.",
  escapes:
    "The signature is for the same JSON with other escapes (\\u00e9 for é, or \\/ for /): the body was parsed and written again. Sign the raw bytes as they arrived.",
  key_order:
    "The signature is for the same JSON with its keys in another order: the body was parsed and written again. Sign the raw bytes as they arrived.",
  end_of_body:
    "The signature is for the same body with another end: a line break or space was added or removed there. Sign the raw bytes as they arrived.",
  line_breaks:
    "The signature is for the same body with other line breaks (LF or CRLF). Sign the raw bytes as they arrived.",
  byte_order_mark: "The signature is for the same body with or without a byte order mark.",
  charset: "The signature is for the same body read in another character set. Sign bytes, or decode the body as UTF-8.",
  quoted: "The signature is for the body written as one JSON string: it was serialised twice.",
  truncated: "The body ends early: a size limit or a partial read cut it off.",
  rewritten:
    "The signature is for the same JSON written in another way (numbers, for example). Sign the raw bytes as they arrived.",
  other_body: "The body is not the one that was sent.",
} as const satisfies Record<string, string>;

export interface Rewriting {
  bytes: Buffer;
  changes: BodyChange[];
}

/** Above this, only the cheap rewritings are tried: each of some thirty is hashed with some ten keys. */
const MAX_REWRITTEN_BYTES = 128 * 1024;
/** Indentation of a hostile nesting would otherwise grow without end. */
const MAX_GROWTH = 4;
const MAX_DEPTH = 64;
/** Above this, a changed body is called changed, without saying how. */
const MAX_COMPARED_BYTES = 2 * 1024 * 1024;

/** The body itself first, then every rewriting that differs from it, fewest changes first. */
export function rewriteBody(body: Buffer): Rewriting[] {
  const text = body.toString("utf8");
  const found: Rewriting[] = [{ bytes: body, changes: [] }];
  const add = (changed: string | Buffer, ...changes: BodyChange[]) => {
    const bytes = Buffer.from(changed as string);
    if (!found.some((known) => known.bytes.equals(bytes))) found.push({ bytes, changes });
  };

  for (const end of ["", "\n", "\r\n"]) add(text.trimEnd() + end, "end_of_body");
  if (body.length > MAX_REWRITTEN_BYTES) return found;
  add(text.replaceAll("\r\n", "\n"), "line_breaks");
  add(text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"), "line_breaks");
  add(text.startsWith("\ufeff") ? text.slice(1) : `\ufeff${text}`, "byte_order_mark");
  add(Buffer.from(text, "latin1"), "charset");
  add(body.toString("latin1"), "charset");
  add(JSON.stringify(text), "quoted");

  const value = parseJson(text);
  if (value === undefined) return found;
  const spaced = spellings(text);
  const sorted = spellings(JSON.stringify(sortKeys(value)));
  for (const one of spaced) add(one, "whitespace");
  for (const write of escapings) add(write(text), "escapes");
  add(sorted[0]!, "key_order");
  for (const one of sorted) add(one, "key_order", "whitespace");
  for (const one of spaced) for (const write of escapings) add(write(one), "whitespace", "escapes");
  for (const one of sorted) for (const write of escapings) add(write(one), "key_order", "whitespace", "escapes");
  return found;
}

/** In what `body` differs from what was `sent`; null when they are the same. */
export function compareBodies(body: Buffer, sent: Buffer): BodyChange | null {
  if (body.equals(sent)) return null;
  const [ours, theirs] = [sent.toString("utf8"), body.toString("utf8")];
  if (ours.trimEnd() === theirs.trimEnd()) return "end_of_body";
  if (body.length < sent.length && sent.subarray(0, body.length).equals(body)) return "truncated";
  if (Math.max(body.length, sent.length) > MAX_COMPARED_BYTES) return "other_body";
  const same = (write: (text: string) => string) => write(ours) === write(theirs);
  if (same((text) => text.replaceAll("\r\n", "\n"))) return "line_breaks";
  if (same((text) => text.replace(/^\ufeff/, ""))) return "byte_order_mark";
  if (Buffer.from(theirs, "latin1").equals(sent) || theirs === sent.toString("latin1")) return "charset";
  if (same(minify)) return "whitespace";
  if (same((text) => decodeEscapes(minify(text)))) return "escapes";

  const [value, other] = [parseJson(ours), parseJson(theirs)];
  if (other === undefined || value === undefined) return "other_body";
  if (other === ours) return "quoted";
  if (JSON.stringify(value) === JSON.stringify(other)) return "rewritten";
  return JSON.stringify(sortKeys(value)) === JSON.stringify(sortKeys(other)) ? "key_order" : "other_body";
}

/** Minified, with a blank after each comma and colon as Python writes it, and indented. */
function spellings(text: string): string[] {
  const small = minify(text);
  const value = parseJson(text);
  const airy = small.replace(stringsAnd(/[,:]/), (found) => (found.startsWith('"') ? found : `${found} `));
  const all = [small, airy, JSON.stringify(value, null, 2), JSON.stringify(value, null, 4)];
  return all.filter((each) => each.length <= MAX_GROWTH * MAX_REWRITTEN_BYTES);
}

const escapings = [escapeUnicode, decodeEscapes, escapeSlashes, (text: string) => escapeSlashes(escapeUnicode(text))];

function minify(text: string): string {
  return text.replace(stringsAnd(/\s+/), (found) => (found.startsWith('"') ? found : ""));
}

/**
 * Strings are matched whole, so that what looks like syntax inside them is left alone. An unfinished string matches
 * too: failing on it would start over at its every escaped quotation mark.
 */
function stringsAnd(syntax: RegExp): RegExp {
  return new RegExp(`"[^"\\\\]*(?:\\\\.?[^"\\\\]*)*"?|${syntax.source}`, "gs");
}

function escapeUnicode(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function escapeSlashes(text: string): string {
  return text.replace(/\\.|\//g, (found) => (found === "/" ? "\\/" : found));
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|.)/g, (all, hex?: string) => {
    if (all === "\\/") return "/";
    const unit = Number.parseInt(hex ?? "0", 16);
    return unit >= 0x80 ? String.fromCharCode(unit) : all;
  });
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** undefined also for what nests too deep to be worth a recursion. */
function parseJson(text: string): unknown {
  let depth = 0;
  for (const [found] of text.matchAll(stringsAnd(/[[\]{}]/))) {
    if (found === "[" || found === "{") depth++;
    else if (found === "]" || found === "}") depth--;
    if (depth > MAX_DEPTH) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
