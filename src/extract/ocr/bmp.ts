// Windows bitmaps, which sharp does not read: uncompressed 1, 4, 8, 16, 24 and 32 bits and run-length 4 and 8, into RGB.
import { Fault } from "../../errors.ts";

const BI_RGB = 0;
const BI_RLE8 = 1;
const BI_RLE4 = 2;
const BI_BITFIELDS = 3;
const BI_ALPHABITFIELDS = 6;

export interface BmpHeader {
  width: number;
  height: number;
  topDown: boolean;
  bits: number;
  compression: number;
  pixelsAt: number;
  palette: Uint8Array[];
  masks: [number, number, number];
}

export function isBmp(bytes: Uint8Array): boolean {
  return bytes[0] === 0x42 && bytes[1] === 0x4d;
}

export function readBmpHeader(bytes: Uint8Array): BmpHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 26) throw corrupt("the header is cut short");
  const size = view.getUint32(14, true);
  const old = size === 12;
  if (!old && (size < 40 || bytes.length < 14 + 40)) throw corrupt("the header is of no known version");
  const width = old ? view.getUint16(18, true) : view.getInt32(18, true);
  const signed = old ? view.getUint16(20, true) : view.getInt32(22, true);
  const bits = view.getUint16(old ? 24 : 28, true);
  const compression = old ? BI_RGB : view.getUint32(30, true);
  const height = Math.abs(signed);
  if (width <= 0 || height === 0) throw corrupt("it has no width or no height");
  if (![1, 4, 8, 16, 24, 32].includes(bits)) throw corrupt(`${bits} bits a pixel are not known`);
  if (![BI_RGB, BI_RLE8, BI_RLE4, BI_BITFIELDS, BI_ALPHABITFIELDS].includes(compression))
    throw corrupt("its compression is not known");
  const masked = compression === BI_BITFIELDS || compression === BI_ALPHABITFIELDS;
  if (masked && bytes.length < 66) throw corrupt("the header is cut short");
  const masks: [number, number, number] = masked
    ? [view.getUint32(54, true), view.getUint32(58, true), view.getUint32(62, true)]
    : bits === 16
      ? [0x7c00, 0x3e0, 0x1f]
      : [0xff0000, 0xff00, 0xff];
  return {
    width,
    height,
    topDown: signed < 0,
    bits,
    compression,
    pixelsAt: view.getUint32(10, true),
    palette: bits <= 8 ? readPalette(bytes, 14 + size + (masked && size === 40 ? 12 : 0), old ? 3 : 4, 2 ** bits) : [],
    masks,
  };
}

function readPalette(bytes: Uint8Array, at: number, step: number, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => {
    const from = at + i * step;
    return Uint8Array.of(bytes[from + 2] ?? 0, bytes[from + 1] ?? 0, bytes[from] ?? 0);
  });
}

/** RGB, top row first. The caller has checked width × height; what the file lacks stays white. */
export function decodeBmp(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const out = new Uint8Array(header.width * header.height * 3).fill(255);
  if (header.compression === BI_RLE8 || header.compression === BI_RLE4) readRuns(bytes, header, out);
  else if (header.bits <= 8) readIndexed(bytes, header, out);
  else readDirect(bytes, header, out);
  return out;
}

function rowStart(header: BmpHeader, y: number): number {
  return (header.topDown ? y : header.height - 1 - y) * header.width * 3;
}

const rowBytes = (header: BmpHeader) => Math.floor((header.bits * header.width + 31) / 32) * 4;

function readIndexed(bytes: Uint8Array, header: BmpHeader, out: Uint8Array): void {
  const { width, height, bits, palette, pixelsAt } = header;
  const perByte = 8 / bits;
  const mask = 2 ** bits - 1;
  for (let y = 0; y < height; y++) {
    const from = pixelsAt + y * rowBytes(header);
    if (from >= bytes.length) return;
    let to = rowStart(header, y);
    for (let x = 0; x < width; x++, to += 3) {
      const byte = bytes[from + Math.floor(x / perByte)] ?? 0;
      out.set(palette[(byte >> (8 - bits * ((x % perByte) + 1))) & mask]!, to);
    }
  }
}

function readDirect(bytes: Uint8Array, header: BmpHeader, out: Uint8Array): void {
  const { width, height, bits, masks, pixelsAt } = header;
  const step = bits / 8;
  const channels = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    return { mask, shift, max: Math.max(1, (mask >>> shift) >>> 0) };
  });
  for (let y = 0; y < height; y++) {
    const from = pixelsAt + y * rowBytes(header);
    if (from + width * step > bytes.length) return;
    let to = rowStart(header, y);
    for (let x = 0; x < width; x++) {
      let value = 0;
      for (let b = step - 1; b >= 0; b--) value = ((value << 8) | bytes[from + x * step + b]!) >>> 0;
      for (const { mask, shift, max } of channels)
        out[to++] = Math.round(((((value & mask) >>> shift) >>> 0) * 255) / max);
    }
  }
}

/** Pairs of (count, value); a count of 0 starts an escape: end of line, end of image, a jump, or literal pixels. */
function readRuns(bytes: Uint8Array, header: BmpHeader, out: Uint8Array): void {
  const { width, height, palette } = header;
  const four = header.compression === BI_RLE4;
  let at = header.pixelsAt;
  let x = 0;
  let y = 0;
  const put = (index: number) => {
    if (x < width && y < height) out.set(palette[index] ?? palette[0]!, rowStart(header, y) + x * 3);
    x++;
  };
  const pixel = (byte: number, i: number) => (four ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte);
  while (at + 1 < bytes.length && y < height) {
    const count = bytes[at]!;
    const value = bytes[at + 1]!;
    at += 2;
    if (count > 0) {
      for (let i = 0; i < count; i++) put(pixel(value, i));
    } else if (value === 0) {
      x = 0;
      y++;
    } else if (value === 1) {
      return;
    } else if (value === 2) {
      x += bytes[at] ?? 0;
      y += bytes[at + 1] ?? 0;
      at += 2;
    } else {
      for (let i = 0; i < value; i++) put(pixel(bytes[at + (four ? i >> 1 : i)] ?? 0, i));
      const used = four ? Math.ceil(value / 2) : value;
      at += used + (used % 2);
    }
  }
}

function corrupt(why: string): Fault {
  return new Fault("corrupt_document", { detail: `The bitmap could not be read: ${why}.` });
}
