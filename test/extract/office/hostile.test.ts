import { unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { makers } from "../../../bench/kinds-documents.ts";
import { Fault } from "../../../src/errors.ts";
import { readerFor } from "../../../src/extract/readers/readers.ts";
import { read } from "./make.ts";

const MUTATIONS = 8;

/** The same numbers on every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function mutate(bytes: Uint8Array, next: () => number): Uint8Array {
  const copy = Buffer.from(bytes);
  const how = next();
  if (how < 0.2) return copy.subarray(0, Math.floor(next() * copy.length));
  for (let n = 0; n < 6; n++) {
    const at = Math.floor(next() * copy.length);
    if (how < 0.6) copy[at] = Math.floor(next() * 256);
    else copy.copy(copy, at, Math.floor(next() * copy.length), Math.floor(next() * copy.length));
  }
  return copy;
}

/** One part inside a zip, or the file itself. */
function mutateInside(bytes: Uint8Array, next: () => number): Uint8Array {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b || next() < 0.2) return mutate(bytes, next);
  const parts = unzipSync(bytes);
  const names = Object.keys(parts);
  const name = names[Math.floor(next() * names.length)]!;
  return zipSync({ ...parts, [name]: mutate(parts[name]!, next) }, { level: 1 });
}

describe("damaged files", () => {
  it.each(makers.map(([kind, make]) => [kind, make] as const))(
    "end %s in a document or a fault, never in an exception",
    async (kind, make) => {
      const whole = make();
      const reader = await readerFor(kind);
      const next = random(kind.length * 977 + kind.charCodeAt(0));
      for (let n = 0; n < MUTATIONS; n++) {
        const outcome = await read(reader, kind, mutateInside(whole, next)).catch((error: unknown) => error);
        const good = outcome instanceof Fault || Array.isArray((outcome as { blocks?: unknown }).blocks);
        expect(good ? "fine" : outcome).toBe("fine");
      }
    },
  );

  it.each(makers.map(([kind, make]) => [kind, make] as const))("reads %s the same way twice", async (kind, make) => {
    const bytes = make();
    const reader = await readerFor(kind);
    expect(await read(reader, kind, bytes)).toEqual(await read(reader, kind, bytes));
  });
});
