// Pages of a PDF without usable text: which they are, and their text read from their picture.
import type { PositionedPage, Reading, TextItem } from "../document.ts";
import { isGarbled } from "../ocr/garbled.ts";
import type { PdfFile } from "./pdf-engine.ts";
import { withPage } from "./pdf-page.ts";
import { rasterise } from "./pdf-raster.ts";

/** Pixels a point: 150 dpi, the size of print that OCR reads best without costing more. */
const SCALE = 150 / 72;
/** Fewer characters on a page are a stamp or a page number, not its text. */
const FEW_CHARACTERS = 40;
/** Part of the page that pictures must cover for it to be a scan under a few words. */
const SCAN_COVER = 0.5;
/** Drawn shapes from which on a page without text may have its letters drawn as outlines. */
const MANY_SHAPES = 30;

export type Lack = "none" | "empty" | "garbled";

export function lackOf(page: PositionedPage): Lack {
  let count = 0;
  for (const item of page.items) count += item.text.length;
  if (count < FEW_CHARACTERS) {
    const covered = page.images.reduce((sum, { bbox }) => sum + (bbox[2] - bbox[0]) * (bbox[3] - bbox[1]), 0);
    const scan = covered > SCAN_COVER * page.width * page.height;
    const drawn = page.rects.length + page.lines.length > MANY_SHAPES || page.images.length > 0;
    return scan || (count === 0 && drawn) ? "empty" : "none";
  }
  return isGarbled(page.items.map((item) => item.text).join(" ")) ? "garbled" : "none";
}

/** The page with the text that was read from its picture, in points. The page as it was where nothing was read. */
export async function readByOcr(file: PdfFile, page: PositionedPage, reading: Reading): Promise<PositionedPage> {
  const picture = withPage(file, page.number, (handle) => rasterise(file, handle, SCALE));
  if (!picture) return page;
  const [{ recognise, UNSURE }, { default: sharp }] = await Promise.all([import("../ocr/ocr.ts"), import("sharp")]);
  const png = await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 4 } })
    .flatten({ background: "#ffffff" })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const read = await recognise(png, { languages: reading.options.languages });
  if (!read.items.length) return page;
  if (read.confidence < UNSURE)
    reading.warn({
      code: "low_ocr_confidence",
      message: `The text was read with a mean confidence of ${read.confidence.toFixed(2)}.`,
      page: page.number,
    });
  const sideways = read.rotation === 90 || read.rotation === 270;
  const [width, height] = sideways ? [page.height, page.width] : [page.width, page.height];
  const scale = width / read.width;
  return {
    ...page,
    width,
    height,
    rotation: ((page.rotation + read.rotation) % 360) as PositionedPage["rotation"],
    ocr: true,
    items: read.items.map((item) => scaleItem(item, scale)),
    lines: read.lines.map((line) => ({
      x0: line.x0 * scale,
      y0: line.y0 * scale,
      x1: line.x1 * scale,
      y1: line.y1 * scale,
      width: line.width * scale,
    })),
    rects: [],
    images: sideways ? [] : page.images,
    links: sideways ? [] : page.links,
  };
}

function scaleItem(item: TextItem, scale: number): TextItem {
  const scaleBox = ([x0, y0, x1, y1]: TextItem["bbox"]): TextItem["bbox"] => [
    x0 * scale,
    y0 * scale,
    x1 * scale,
    y1 * scale,
  ];
  const scaled: TextItem = { ...item, bbox: scaleBox(item.bbox), size: item.size * scale };
  if (item.words) scaled.words = item.words.map((word) => ({ text: word.text, bbox: scaleBox(word.bbox) }));
  return scaled;
}
