// Reading an answer's body within its size bound: into memory as it came, or as a decoded stream.

import { type Duplex, PassThrough, pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { asOutboundError, OutboundError } from "./outbound-error.ts";

export interface RawAnswer {
  headers: Record<string, string>;
  body: Readable;
}

/** Some servers send compressed bodies unasked, object stores above all. */
const decoders = new Map<string, () => Duplex>([
  ["", () => new PassThrough()],
  ["identity", () => new PassThrough()],
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

export async function collectBody(
  answer: RawAnswer,
  maxBytes: number,
  onOverflow: "fail" | "truncate",
): Promise<{ body: Buffer; truncated: boolean }> {
  const fail = onOverflow === "fail";
  if (fail && announcedBytes(answer) > maxBytes) throw new OutboundError("too_large");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= maxBytes) continue;
    if (fail) throw new OutboundError("too_large");
    return { body: Buffer.concat(chunks, maxBytes), truncated: true };
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

/** Decoded; the bound counts decoded bytes, so a small answer cannot unpack into a large one. */
export function streamBody(answer: RawAnswer, maxBytes: number, signal: AbortSignal): Readable {
  const coding = (answer.headers["content-encoding"] ?? "").trim().toLowerCase();
  const decoder = decoders.get(coding)?.();
  if (decoder === undefined) {
    throw new OutboundError("bad_answer", { message: "The answer is compressed in an unknown way." });
  }
  if (announcedBytes(answer) > maxBytes) throw new OutboundError("too_large");
  // Errors of either stream arrive where the decoder is read.
  pipeline(answer.body, decoder, () => {});
  return Readable.from(bound(decoder, maxBytes, signal), { objectMode: false });
}

async function* bound(chunks: AsyncIterable<Buffer>, maxBytes: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new OutboundError("too_large");
      yield chunk;
    }
  } catch (error) {
    throw asOutboundError(error, signal);
  }
}

function announcedBytes(answer: RawAnswer): number {
  return Number(answer.headers["content-length"] ?? 0);
}
