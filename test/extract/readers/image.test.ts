import { crc32 } from "node:zlib";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { Document, Kind, ReadOptions, Warning } from "../../../src/extract/document.ts";
import { readImage } from "../../../src/extract/readers/image.ts";
import { readPdf } from "../../../src/extract/readers/pdf.ts";
import { type Drawing, drawPdf, scan } from "../ocr/scan.ts";

interface Outcome {
  document: Document;
  warnings: Warning[];
  progress: string[];
}

async function read(bytes: Uint8Array, kind: Kind, options: Partial<ReadOptions> = {}): Promise<Outcome> {
  const warnings: Warning[] = [];
  const progress: string[] = [];
  const reader = kind === "pdf" ? readPdf : readImage;
  const document = await reader(
    { bytes, kind, name: null, url: null, charset: null },
    {
      options: { pages: null, ocr: "auto", languages: ["eng"], main_content: true, password: null, ...options },
      limits: { maxPages: 3, maxExpandedBytes: 1e9 },
      warn: (warning) => warnings.push(warning),
      progress: (stage, done, total) => progress.push(`${stage} ${done}/${total}`),
    },
  );
  return { document, warnings, progress };
}

const textOf = ({ document }: Outcome) => document.blocks.map((block) => block.text).join("\n");
const note = (text: string): Drawing => ({ width: 220, height: 60, texts: [{ x: 20, y: 35, size: 12, text }] });

let png: Uint8Array;
beforeAll(async () => {
  png = await scan(note("Delivery on Monday"), 150);
});

test.each<[Kind, () => Promise<Uint8Array>]>([
  ["png", async () => png],
  ["jpeg", () => sharp(png).jpeg().toBuffer()],
  ["webp", () => sharp(png).webp().toBuffer()],
  ["gif", () => sharp(png).gif().toBuffer()],
  ["tiff", () => sharp(png).tiff({ compression: "lzw" }).toBuffer()],
  ["bmp", () => toBmp(png)],
])("%s is read", async (kind, make) => {
  const outcome = await read(await make(), kind);
  expect(textOf(outcome)).toBe("Delivery on Monday");
  expect(outcome.document.pages).toEqual([{ number: 1, width: 458, height: 125, unit: "px", rotation: 0, ocr: true }]);
  expect(outcome.document.blocks[0]!.words).toHaveLength(3);
  expect(outcome.warnings).toEqual([]);
});

/** 24 bits, top row first. */
async function toBmp(image: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(image)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const stride = Math.ceil((info.width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + stride * info.height);
  file.write("BM", 0, "latin1");
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(info.width, 18);
  file.writeInt32LE(-info.height, 22);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < info.height; y++)
    file.set(data.subarray(y * info.width * 3, (y + 1) * info.width * 3), 54 + y * stride);
  return file;
}

test("a photo marked as turned by its camera is read upright", async () => {
  const turned = await sharp(png).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
  const outcome = await read(turned, "jpeg");
  expect(textOf(outcome)).toBe("Delivery on Monday");
  expect(outcome.document.pages[0]).toMatchObject({ width: 458, height: 125, rotation: 0 });
});

test("the pages of a TIFF are pages, chosen ones only and with progress", async () => {
  const second = await scan(note("Second sheet"), 150);
  const third = await scan(note("Third sheet"), 150);
  const tiff = await sharp([png, second, third], { join: { animated: true } })
    .tiff()
    .toBuffer();
  const outcome = await read(tiff, "tiff", { pages: [2, 3, 9] });
  expect(outcome.document.page_count).toBe(3);
  expect(outcome.document.blocks.map((block) => [block.page, block.text])).toEqual([
    [2, "Second sheet"],
    [3, "Third sheet"],
  ]);
  expect(outcome.progress).toEqual(["ocr 1/2", "ocr 2/2"]);
  await expect(read(tiff, "tiff", { pages: [7] })).rejects.toMatchObject({ code: "invalid_request" });
});

test("a scanned table is the same table as the born-digital one", async () => {
  const rows = [
    ["Item", "Pieces", "Price"],
    ["Copper wire", "12", "48.00"],
    ["Screwdriver", "3", "27.30"],
    ["Paint, white", "150", "310.50"],
  ];
  const columns = [30, 150, 230, 310];
  const drawing: Drawing = {
    width: 340,
    height: 170,
    texts: rows.flatMap((row, r) => row.map((text, c) => ({ x: columns[c]! + 8, y: 48 + r * 28, size: 11, text }))),
    rules: [
      ...[0, 1, 2, 3, 4].map((r) => ({ x0: 30, y0: 30 + r * 28, x1: 310, y1: 30 + r * 28 })),
      ...columns.map((x) => ({ x0: x, y0: 30, x1: x, y1: 142 })),
    ],
  };
  const cells = ({ document }: Outcome) =>
    document.blocks.flatMap((block) => block.table?.cells ?? []).map(({ row, column, text }) => [row, column, text]);
  const born = cells(await read(drawPdf(drawing), "pdf"));
  const scanned = cells(await read(await scan(drawing, 200, { skewDegrees: 1, noise: 20, jpegQuality: 60 }), "jpeg"));
  expect(scanned).toEqual(rows.flatMap((row, r) => row.map((text, c) => [r, c, text])));
  expect(scanned).toEqual(born);
});

test("with OCR off an image is an empty page and says so", async () => {
  const outcome = await read(png, "png", { ocr: "never" });
  expect(outcome.document.blocks).toEqual([]);
  expect(outcome.document.pages).toEqual([{ number: 1, width: 458, height: 125, unit: "px", rotation: 0, ocr: false }]);
  expect(outcome.warnings.map((warning) => warning.code)).toEqual(["ocr_off"]);
});

test("a language without a model is refused by name, with those there are", async () => {
  await expect(read(png, "png", { languages: ["eng", "kor"] })).rejects.toMatchObject({
    code: "unsupported_language",
    detail: expect.stringMatching(/"kor".*deu, eng,.*spa/s),
  });
});

test("smeared print is read with a warning on its page", async () => {
  const smeared = await sharp(png).blur(5).png().toBuffer();
  const outcome = await read(smeared, "png");
  expect(outcome.warnings).toEqual([
    { code: "low_ocr_confidence", message: expect.stringContaining("confidence of 0."), page: 1 },
  ]);
});

test("a file cut short is read as far as it goes, with a warning", async () => {
  const tall = await scan({ ...note("Delivery on Monday"), height: 120 }, 150, { noise: 10 });
  const outcome = await read(tall.subarray(0, Math.floor(tall.length * 0.8)), "png");
  expect(textOf(outcome)).toContain("Delivery on Monday");
  expect(outcome.warnings.map((warning) => warning.code)).toEqual(["damaged_image"]);
});

test("an image of 900 million pixels is refused from its header", async () => {
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.from([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 1, 0, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const bomb = Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", Buffer.alloc(8)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  await expect(read(bomb, "png")).rejects.toMatchObject({ code: "document_too_complex" });
});

test("bytes that only start like an image are a corrupt document", async () => {
  await expect(read(Buffer.from("\xff\xd8\xff\xe0 not a photo", "latin1"), "jpeg")).rejects.toMatchObject({
    code: "corrupt_document",
  });
});
