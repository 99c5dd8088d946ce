// What every driver of Blobs must do, as tests. A driver's own test file calls this with a way to open an empty one.

import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { Blobs } from "../../src/platform/blobs/blobs.ts";

const MAX_BYTES = 1000;
const EVER = new Date("9999-01-01");
const NEVER = new Date(0);

export function describeBlobs(name: string, open: () => Promise<Blobs>): void {
  describe(`blobs: ${name}`, () => {
    test("what was written in pieces is read back whole, with its size and hash", async () => {
      const blobs = await open();
      const key = randomUUID();
      const stored = await blobs.write(key, pieces("one ", "two ", "", "drei ß"), { maxBytes: MAX_BYTES });
      const sha256 = createHash("sha256").update("one two drei ß").digest("hex");
      expect(stored).toEqual({ size: 15, sha256 });
      expect(await text(await blobs.read(key))).toBe("one two drei ß");
    });

    test("an empty blob is a blob", async () => {
      const blobs = await open();
      const key = randomUUID();
      expect(await blobs.write(key, pieces(), { maxBytes: MAX_BYTES })).toMatchObject({ size: 0 });
      expect(await text(await blobs.read(key))).toBe("");
    });

    test("the last byte within the limit passes, the first beyond is file_too_large and leaves nothing", async () => {
      const blobs = await open();
      const [fits, not] = [randomUUID(), randomUUID()];
      await blobs.write(fits, pieces("x".repeat(600), "x".repeat(400)), { maxBytes: MAX_BYTES });
      let closed = false;
      const endless = (async function* () {
        try {
          for (;;) yield Buffer.from("x".repeat(600));
        } finally {
          closed = true;
        }
      })();
      await expect(blobs.write(not, endless, { maxBytes: MAX_BYTES })).rejects.toMatchObject({
        code: "file_too_large",
      });
      expect(closed).toBe(true);
      expect(await keys(blobs, EVER)).toEqual([fits]);
      expect(await blobs.discardUnfinished(EVER)).toBe(0);
    });

    test("a source that breaks off leaves nothing and its error comes through", async () => {
      const blobs = await open();
      const key = randomUUID();
      const broken = (async function* () {
        yield Buffer.from("half");
        throw new Error("the client went away");
      })();
      await expect(blobs.write(key, broken, { maxBytes: MAX_BYTES })).rejects.toThrow("the client went away");
      await expect(blobs.read(key)).rejects.toMatchObject({ code: "gone" });
      expect(await blobs.discardUnfinished(EVER)).toBe(0);
    });

    test("a failed write leaves the blob that was there before", async () => {
      const blobs = await open();
      const key = randomUUID();
      await blobs.write(key, pieces("first"), { maxBytes: MAX_BYTES });
      const tooMuch = blobs.write(key, pieces("x".repeat(1001)), { maxBytes: MAX_BYTES });
      await expect(tooMuch).rejects.toMatchObject({ code: "file_too_large" });
      expect(await text(await blobs.read(key))).toBe("first");
    });

    test("a second write replaces the first", async () => {
      const blobs = await open();
      const key = randomUUID();
      await blobs.write(key, pieces("first"), { maxBytes: MAX_BYTES });
      await blobs.write(key, pieces("second"), { maxBytes: MAX_BYTES });
      expect(await text(await blobs.read(key))).toBe("second");
      expect(await keys(blobs, EVER)).toEqual([key]);
    });

    test("localPath names a file with the same bytes", async () => {
      const blobs = await open();
      const key = randomUUID();
      await blobs.write(key, pieces("bytes"), { maxBytes: MAX_BYTES });
      const local = await blobs.localPath(key);
      expect(await readFile(local.path, "utf8")).toBe("bytes");
      await local.release();
      expect(await text(await blobs.read(key))).toBe("bytes");
    });

    test("a removed blob is gone; removing it again is no error", async () => {
      const blobs = await open();
      const key = randomUUID();
      await blobs.write(key, pieces("bytes"), { maxBytes: MAX_BYTES });
      await blobs.remove(key);
      await expect(blobs.read(key)).rejects.toMatchObject({ code: "gone" });
      await expect(blobs.localPath(key)).rejects.toMatchObject({ code: "gone" });
      await blobs.remove(key);
      expect(await keys(blobs, EVER)).toEqual([]);
    });

    test("list names what was written before the cutoff", async () => {
      const blobs = await open();
      expect(await keys(blobs, EVER)).toEqual([]);
      const written = Array.from({ length: 20 }, () => randomUUID());
      for (const key of written) await blobs.write(key, pieces("bytes"), { maxBytes: MAX_BYTES });
      expect(await keys(blobs, EVER)).toEqual(written.sort());
      expect(await keys(blobs, NEVER)).toEqual([]);
    });

    test.each(["", "..", "../../etc/passwd", "0199a3c2/../../x", "0199A3C2-0000-7000-8000-000000000000", "ab\0cd"])(
      "the key %j is refused everywhere",
      async (key) => {
        const blobs = await open();
        await expect(blobs.write(key, pieces("x"), { maxBytes: MAX_BYTES })).rejects.toThrow(TypeError);
        await expect(blobs.read(key)).rejects.toThrow(TypeError);
        await expect(blobs.localPath(key)).rejects.toThrow(TypeError);
        await expect(blobs.remove(key)).rejects.toThrow(TypeError);
      },
    );
  });
}

async function* pieces(...parts: string[]): AsyncIterable<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function keys(blobs: Blobs, before: Date): Promise<string[]> {
  return (await Array.fromAsync(blobs.list(before))).sort();
}
