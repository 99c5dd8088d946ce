// PDF → Document: PDFium gives characters and drawings, layout/ makes blocks of them; pages without usable text go to OCR.
import { Fault } from "../../errors.ts";
import type { Block, PositionedPage, Reader, Reading } from "../document.ts";
import { type Hints, layOut } from "../layout/layout.ts";
import { checkLanguages } from "../ocr/languages.ts";
import { choosePages } from "./choose-pages.ts";
import { openPdf, type PdfFile } from "./pdf-engine.ts";
import { openForm, readFields } from "./pdf-forms.ts";
import { readMetadata } from "./pdf-metadata.ts";
import { lackOf, readByOcr } from "./pdf-ocr.ts";
import { readPage, withPage } from "./pdf-page.ts";
import { readTags } from "./pdf-tags.ts";
import type { FontFace } from "./pdf-text.ts";

export const readPdf: Reader = async (source, reading) => {
  const file = await openPdf(source.bytes, reading.options.password);
  try {
    if (file.pageCount < 1) throw new Fault("empty_document", { detail: "The PDF has no pages." });
    const numbers = choosePages(file.pageCount, reading);
    const { pages, fields, tags } = readPages(file, numbers, reading);
    if (!pages.length) throw new Fault("corrupt_document", { detail: "None of the pages could be read." });
    const metadata = readMetadata(file);
    const read = await readPictures(file, pages, reading);
    const blocks = layOut(read, { outline: metadata.outline, tags });
    return {
      title: metadata.title,
      authors: metadata.authors,
      language: null,
      published_at: null,
      metadata: metadata.entries,
      page_count: file.pageCount,
      pages: read.map(({ number, width, height, unit, rotation, ocr }) => ({
        number,
        width,
        height,
        unit,
        rotation,
        ocr,
      })),
      blocks: withFields(blocks, fields),
    };
  } catch (error) {
    // a broken file can lead PDFium anywhere; in WebAssembly that ends in an exception
    if (error instanceof Error && error.name === "RuntimeError")
      throw new Fault("corrupt_document", { detail: "The PDF is damaged.", cause: error });
    throw error;
  } finally {
    file.close();
  }
};

function readPages(file: PdfFile, numbers: number[], reading: Reading) {
  const pages: PositionedPage[] = [];
  const fields: Block[] = [];
  const tags: NonNullable<Hints["tags"]> = new Map();
  const fonts = new Map<number, FontFace>();
  const tagged = file.pdfium._FPDFCatalog_IsTagged!(file.document) !== 0;
  const form = openForm(file);
  for (const [i, number] of numbers.entries()) {
    const page = withPage(file, number, (handle) => {
      if (form) fields.push(...readFields(file, form.form, handle, number));
      const own = tagged ? readTags(file, handle) : null;
      if (own) tags.set(number, own);
      return readPage(file, handle, number, fonts);
    });
    if (page) pages.push(page);
    else reading.warn({ code: "page_unreadable", message: `Page ${number} could not be read.`, page: number });
    reading.progress("read", i + 1, numbers.length);
  }
  form?.close();
  return { pages, fields, tags };
}

/** Pages whose text has to be read from their picture, according to the options. */
async function readPictures(file: PdfFile, pages: PositionedPage[], reading: Reading): Promise<PositionedPage[]> {
  const { ocr, languages } = reading.options;
  const lacks = pages.map((page) => (ocr === "always" ? "empty" : lackOf(page)));
  const total = lacks.filter((lack) => lack !== "none").length;
  if (!total) return pages;
  if (ocr !== "never") checkLanguages(languages);
  const read: PositionedPage[] = [];
  let done = 0;
  for (const [i, page] of pages.entries()) {
    if (lacks[i] === "none") read.push(page);
    else if (ocr === "never") {
      reading.warn({
        code: "ocr_off",
        message: "The page has no usable text and options[ocr] is never: its picture was not read.",
        page: page.number,
      });
      read.push(page);
    } else {
      read.push(await readByOcr(file, page, reading));
      reading.progress("ocr", ++done, total);
    }
  }
  return read;
}

/** The fields of a page follow its text. */
function withFields(blocks: Block[], fields: Block[]): Block[] {
  if (!fields.length) return blocks;
  const all: Block[] = [];
  let next = 0;
  for (const [i, block] of blocks.entries()) {
    all.push(block);
    const ends = i + 1 === blocks.length || blocks[i + 1]!.page > block.page;
    while (ends && next < fields.length && (fields[next]!.page <= block.page || i + 1 === blocks.length))
      all.push(fields[next++]!);
  }
  return blocks.length ? all : fields;
}
