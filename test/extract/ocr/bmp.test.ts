import { expect, test } from "vitest";
import { decodeBmp, readBmpHeader } from "../../../src/extract/ocr/bmp.ts";

interface Parts {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  /** RGB triples. */
  palette?: number[][];
  extra?: number[];
  pixels: number[];
}

function makeBmp({ width, height, bits, compression = 0, palette = [], extra = [], pixels }: Parts): Uint8Array {
  const start = 54 + extra.length + palette.length * 4;
  const file = Buffer.alloc(start + pixels.length);
  file.write("BM", 0, "latin1");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(start, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(bits, 28);
  file.writeUInt32LE(compression, 30);
  file.set(extra, 54);
  palette.forEach(([r, g, b], i) => {
    file.set([b!, g!, r!, 0], 54 + extra.length + i * 4);
  });
  file.set(pixels, start);
  return file;
}

function decode(parts: Parts): number[][] {
  const bytes = makeBmp(parts);
  const rgb = decodeBmp(bytes, readBmpHeader(bytes));
  return Array.from({ length: rgb.length / 3 }, (_, i) => [...rgb.slice(i * 3, i * 3 + 3)]);
}

const [R, G, B, K, W] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [0, 0, 0],
  [255, 255, 255],
];
const palette = [K, R, G, B] as number[][];

test("24 bits, bottom row first, rows padded to four bytes", () => {
  const pixels = [255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0];
  expect(decode({ width: 2, height: 2, bits: 24, pixels })).toEqual([R, W, B, G]);
});

test("a negative height puts the top row first", () => {
  const pixels = [255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0];
  expect(decode({ width: 2, height: -2, bits: 24, pixels })).toEqual([B, G, R, W]);
});

test("1, 4 and 8 bits take their colours from the palette", () => {
  expect(
    decode({ width: 3, height: 1, bits: 1, palette: [K, W] as number[][], pixels: [0b10100000, 0, 0, 0] }),
  ).toEqual([W, K, W]);
  expect(decode({ width: 3, height: 1, bits: 4, palette: pad(16), pixels: [0x12, 0x30, 0, 0] })).toEqual([R, G, B]);
  expect(decode({ width: 2, height: 1, bits: 8, palette: pad(256), pixels: [3, 1, 0, 0] })).toEqual([B, R]);
});

const pad = (count: number) => Array.from({ length: count }, (_, i) => palette[i] ?? [0, 0, 0]);

test("16 bits are 5-5-5, or as the masks say", () => {
  expect(decode({ width: 2, height: 1, bits: 16, pixels: [0x00, 0x7c, 0x1f, 0x00] })).toEqual([R, B]);
  const masks = [0x00, 0xf8, 0, 0, 0xe0, 0x07, 0, 0, 0x1f, 0, 0, 0];
  expect(
    decode({ width: 2, height: 1, bits: 16, compression: 3, extra: masks, pixels: [0x00, 0xf8, 0xe0, 0x07] }),
  ).toEqual([R, G]);
});

test("runs, literal pixels and jumps of the 8-bit compression", () => {
  const pixels = [2, 1, 0, 0, 0, 2, 1, 0, 1, 3, 0, 1];
  expect(decode({ width: 2, height: 2, bits: 8, compression: 1, palette: pad(256), pixels })).toEqual([W, B, R, R]);
  const literal = [0, 3, 1, 2, 3, 0, 0, 1];
  expect(decode({ width: 3, height: 1, bits: 8, compression: 1, palette: pad(256), pixels: literal })).toEqual([
    R,
    G,
    B,
  ]);
});

test("a file cut short leaves the rest white", () => {
  expect(decode({ width: 1, height: 2, bits: 24, pixels: [0, 0, 255, 0] })).toEqual([W, R]);
});

test.each([
  ["no width", { width: 0, height: 1, bits: 24, pixels: [] }],
  ["impossible depth", { width: 1, height: 1, bits: 7, pixels: [] }],
  ["unknown compression", { width: 1, height: 1, bits: 24, compression: 9, pixels: [] }],
])("%s is a corrupt document", (_, parts) => {
  expect(() => readBmpHeader(makeBmp(parts))).toThrow(expect.objectContaining({ code: "corrupt_document" }));
});
