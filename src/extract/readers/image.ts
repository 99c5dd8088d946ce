// PNG, JPEG, WebP, TIFF, GIF and BMP → Document: OCR gives positioned text, layout/ makes blocks of it.
import type { PositionedPage, Reader, Reading, Source } from "../document.ts";
import { layOut } from "../layout/layout.ts";
import { countPages, measure } from "../ocr/decode.ts";
import { checkLanguages } from "../ocr/languages.ts";
import { recognise, UNSURE } from "../ocr/ocr.ts";
import { choosePages } from "./choose-pages.ts";

export const readImage: Reader = async (source, reading) => {
  const { options } = reading;
  if (options.ocr !== "never") checkLanguages(options.languages);
  const count = await pagesOf(source);
  const numbers = choosePages(count, reading);
  const pages: PositionedPage[] = [];
  if (options.ocr === "never")
    reading.warn({ code: "ocr_off", message: "The document is an image and options[ocr] is never: no text was read." });
  for (const number of numbers) {
    pages.push(options.ocr === "never" ? await emptyPage(source, number) : await readPage(source, number, reading));
    reading.progress("ocr", pages.length, numbers.length);
  }
  return {
    title: null,
    authors: [],
    language: null,
    published_at: null,
    metadata: {},
    page_count: count,
    pages: pages.map(({ number, width, height, unit, rotation, ocr }) => ({
      number,
      width,
      height,
      unit,
      rotation,
      ocr,
    })),
    blocks: layOut(pages),
  };
};

async function pagesOf(source: Source): Promise<number> {
  const count = await countPages(source.bytes);
  // The frames of an animation are not pages: the first one stands for all.
  return source.kind === "tiff" ? count : 1;
}

async function emptyPage(source: Source, number: number): Promise<PositionedPage> {
  const size = await measure(source.bytes, number - 1);
  return {
    number,
    ...size,
    unit: "px",
    rotation: 0,
    ocr: false,
    items: [],
    lines: [],
    rects: [],
    images: [],
    links: [],
  };
}

async function readPage(source: Source, number: number, reading: Reading): Promise<PositionedPage> {
  const { languages } = reading.options;
  const read = await recognise(source.bytes, { languages, page: number - 1 });
  if (read.damaged)
    reading.warn({
      code: "damaged_image",
      message: "The image is damaged; what could be decoded was read.",
      page: number,
    });
  if (read.confidence < UNSURE)
    reading.warn({
      code: "low_ocr_confidence",
      message: `The text was read with a mean confidence of ${read.confidence.toFixed(2)}.`,
      page: number,
    });
  return {
    number,
    width: read.width,
    height: read.height,
    unit: "px",
    rotation: read.rotation,
    ocr: true,
    items: read.items,
    lines: read.lines,
    rects: [],
    images: [],
    links: [],
  };
}
