// A JSON body read as it arrives. The document in it, `{"file": {"content": "<base64>"}}`, can be tens of megabytes: it is
// decoded piece by piece into storage and never stands in memory; what remains is small and parsed as usual.
import { PassThrough, type Readable } from "node:stream";
import { Fault } from "../errors.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const COLON = 0x3a;
const COMMA = 0x2c;
/** Longest escape of one character, \u002B. */
const ESCAPE_LENGTH = 6;
/** "content" with each of its characters escaped, and one more. */
const MAX_KEY_LENGTH = 7 * ESCAPE_LENGTH + 1;

export interface JsonBody<Stored> {
  value: unknown;
  /** What `store` made of file.content; undefined when there is none. */
  stored: Stored | undefined;
}

export async function readJsonBody<Stored>(
  body: Readable,
  limits: { maxBytes: number },
  store: (content: AsyncIterable<Uint8Array>) => Promise<Stored>,
): Promise<JsonBody<Stored>> {
  const rest: Buffer[] = [];
  let restBytes = 0;
  const keep = (piece: Buffer) => {
    restBytes += piece.length;
    if (restBytes > limits.maxBytes)
      throw new Fault("file_too_large", {
        detail: `JSON beside the file's content is limited to ${limits.maxBytes} bytes.`,
      });
    rest.push(piece);
  };
  const place = new Place();
  let content: Content | null = null;
  let storing: Promise<Stored> | undefined;
  let failed: unknown;

  try {
    // Leaving early must not destroy the stream: its connection is the one we answer on.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      let at = 0;
      while (at < chunk.length) {
        if (content) {
          const close = chunk.indexOf(QUOTE, at);
          const end = close < 0 ? chunk.length : close;
          await content.take(chunk.subarray(at, end));
          at = end;
          if (close >= 0) {
            content.finish();
            content = null;
            place.closeString();
            keep(chunk.subarray(at, at + 1));
            at++;
          }
          continue;
        }
        const begins = place.scan(chunk, at);
        keep(chunk.subarray(at, begins));
        at = begins;
        if (place.atContent) {
          if (storing) throw malformed();
          content = new Content();
          // An error that comes before anyone reads would otherwise be nobody's, and end the process.
          content.decoded.on("error", () => {});
          storing = store(content.decoded);
          storing.catch((error) => {
            failed = error;
            content?.decoded.resume();
          });
          place.atContent = false;
        }
      }
      if (failed) throw failed;
    }
    if (content) throw malformed();
  } catch (error) {
    content?.decoded.destroy(error as Error);
    await storing?.catch(() => {});
    throw failed ?? error;
  }
  const stored = await storing;
  return { value: parse(Buffer.concat(rest)), stored };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Fault("malformed_request", { detail: "The body is not well-formed JSON.", cause });
  }
}

const malformed = () => new Fault("malformed_request", { detail: "The body is not well-formed JSON." });

/** Where in the JSON the scan stands: how deep, under which keys, inside a string or not. */
class Place {
  /** The scan stopped at the first byte of file.content. */
  atContent = false;
  #depth = 0;
  readonly #keys: string[] = [];
  #inString = false;
  #escaped = false;
  #expectsKey = false;
  #key: number[] = [];

  /** Goes on from `from` to the end of the chunk, or to just behind the quote that opens file.content. */
  scan(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#inString) this.#inside(byte);
      else if (byte === QUOTE) {
        this.#inString = true;
        this.#key = [];
        if (!this.#expectsKey && this.#depth === 2 && this.#keys[1] === "file" && this.#keys[2] === "content") {
          this.atContent = true;
          return at + 1;
        }
      } else this.#outside(byte);
    }
    return chunk.length;
  }

  closeString(): void {
    this.#inString = false;
  }

  #inside(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      if (this.#expectsKey) this.#keys[this.#depth] = unescaped(Buffer.from(this.#key).toString());
      return;
    }
    // Only the keys of the two outer levels matter, and those that matter are short.
    if (this.#expectsKey && this.#depth <= 2 && this.#key.length < MAX_KEY_LENGTH) this.#key.push(byte);
  }

  #outside(byte: number): void {
    if (OPEN.has(byte)) {
      this.#depth++;
      this.#expectsKey = byte === 0x7b;
      this.#keys[this.#depth] = "";
    } else if (CLOSE.has(byte)) {
      this.#depth--;
      this.#expectsKey = false;
    } else if (byte === COLON) this.#expectsKey = false;
    else if (byte === COMMA) this.#expectsKey = this.#keys[this.#depth] !== "";
  }
}

/** Base64 that arrives in pieces, also in JSON's escapes: PHP writes \/ and .NET \u002B. */
class Content {
  readonly decoded = new PassThrough();
  #carry = "";
  #isPadded = false;

  async take(bytes: Buffer): Promise<void> {
    let text = this.#carry + bytes.toString("latin1");
    const backslash = text.lastIndexOf("\\");
    const whole = backslash < 0 || backslash + ESCAPE_LENGTH <= text.length ? text.length : backslash;
    const tail = text.slice(whole);
    text = this.#checked(text.slice(0, whole));
    const usable = text.length - (text.length % 4);
    this.#carry = text.slice(usable) + tail;
    if (usable === 0) return;
    this.#isPadded = text[usable - 1] === "=";
    if (!this.decoded.write(Buffer.from(text.slice(0, usable), "base64"))) await drained(this.decoded);
  }

  finish(): void {
    const text = this.#checked(this.#carry);
    if (text.length % 4 === 1) this.#refuse();
    this.decoded.end(Buffer.from(text, "base64"));
  }

  #checked(escaped: string): string {
    const text = unescaped(escaped).replace(/\s+/g, "");
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) this.#refuse();
    // Padding ends it: more after it would be a second text.
    if (this.#isPadded && text !== "") this.#refuse();
    return text;
  }

  #refuse(): never {
    throw new Fault("invalid_request", { errors: [{ pointer: "/file/content", message: "must be base64" }] });
  }
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`);
  } catch (cause) {
    throw new Fault("malformed_request", { detail: "The body is not well-formed JSON.", cause });
  }
}

const drained = (stream: PassThrough) =>
  new Promise<void>((resolve, reject) => {
    // Whoever stores it has had enough, and says why on its own way.
    if (stream.destroyed) return resolve();
    stream.once("drain", resolve);
    stream.once("close", resolve);
    stream.once("error", reject);
  });
