// Encoded image → one grey raster, upright by its EXIF mark, on white, and small enough to work on.
// Sizes are checked from the header, before a single pixel is unpacked.
import sharp, { type Metadata, type Sharp } from "sharp";
import { Fault } from "../../errors.ts";
import { decodeBmp, isBmp, readBmpHeader } from "./bmp.ts";
import type { Raster } from "./raster.ts";

// The largest phone cameras make 200 Mpx, A3 at 600 dpi is 70 Mpx; decoding streams, so this bounds time more than memory.
const MAX_PIXELS = 210_000_000;
// Bitmaps are unpacked whole, three bytes a pixel, before they are shrunk.
const MAX_BMP_PIXELS = 60_000_000;
// What is kept: A4 at 350 dpi. More gains nothing (lines are read at 48 px high), each pixel costs 2 bytes with its halvings.
const MAX_KEPT_PIXELS = 12_000_000;
const MAX_SIDE_PX = 65_500; // a strip of 1 × 12 M pixels would make absurd tiles

export interface Decoded {
  image: Raster;
  /** The upright image as it was sent, before it was shrunk to `image`. */
  width: number;
  height: number;
  /** The file ends early or has errors; what could be read is there. */
  damaged: boolean;
}

/** How many pages (TIFF) or frames (GIF, WebP) the file holds. */
export async function countPages(bytes: Uint8Array): Promise<number> {
  if (isBmp(bytes)) return 1;
  return (await readHeader(bytes, 0)).pages ?? 1;
}

/** Width and height of the upright image, from its header. */
export async function measure(bytes: Uint8Array, page: number): Promise<{ width: number; height: number }> {
  if (isBmp(bytes)) {
    const { width, height } = readBmpHeader(bytes);
    return { width, height };
  }
  const { width, height } = (await readHeader(bytes, page)).autoOrient;
  return { width, height };
}

/** `page` counts from 0. */
export async function decode(bytes: Uint8Array, page = 0): Promise<Decoded> {
  if (isBmp(bytes)) return decodeBitmap(bytes);
  const header = await readHeader(bytes, page);
  const { width, height } = header.autoOrient;
  checkSize(width, height, MAX_PIXELS);
  const open = (failOn: "truncated" | "none") => sharp(bytes, { page, failOn, limitInputPixels: MAX_PIXELS });
  try {
    return { image: await toGrey(open("truncated").autoOrient(), width, height), width, height, damaged: false };
  } catch {
    // Half a photo is still worth reading.
    try {
      return { image: await toGrey(open("none").autoOrient(), width, height), width, height, damaged: true };
    } catch (cause) {
      throw corrupt(cause);
    }
  }
}

async function decodeBitmap(bytes: Uint8Array): Promise<Decoded> {
  const header = readBmpHeader(bytes);
  const { width, height } = header;
  checkSize(width, height, MAX_BMP_PIXELS);
  const rgb = decodeBmp(bytes, header);
  const image = await toGrey(sharp(rgb, { raw: { width, height, channels: 3 } }), width, height);
  return { image, width, height, damaged: false };
}

async function readHeader(bytes: Uint8Array, page: number): Promise<Metadata> {
  try {
    // The limit is ours to check: sharp's own error does not tell a bomb from a damaged file.
    return await sharp(bytes, { page, failOn: "none", limitInputPixels: false }).metadata();
  } catch (cause) {
    throw corrupt(cause);
  }
}

function checkSize(width: number, height: number, maxPixels: number): void {
  if (width * height <= maxPixels && Math.max(width, height) <= MAX_SIDE_PX) return;
  throw new Fault("document_too_complex", {
    detail: `The image is ${width} × ${height} pixels; at most ${maxPixels / 1e6} million and ${MAX_SIDE_PX} a side are read.`,
  });
}

async function toGrey(image: Sharp, width: number, height: number): Promise<Raster> {
  const scale = Math.min(1, Math.sqrt(MAX_KEPT_PIXELS / (width * height)));
  const { data, info } = await image
    .flatten({ background: "#ffffff" })
    .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), { fit: "fill" })
    .toColourspace("b-w")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  if (info.channels === 1) return { width: info.width, height: info.height, data };
  const grey = new Uint8Array(info.width * info.height);
  for (let i = 0; i < grey.length; i++) grey[i] = data[i * info.channels]!;
  return { width: info.width, height: info.height, data: grey };
}

function corrupt(cause: unknown): Fault {
  return new Fault("corrupt_document", { detail: "The image could not be decoded.", cause });
}
