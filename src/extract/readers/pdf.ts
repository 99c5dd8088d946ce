// PDF → Document: PDFium gives characters and drawings, layout/ makes blocks of them; pages without usable text go to OCR.
import { Fault } from "../../errors.ts";
import type { PositionedPage, Reader, Reading } from "../document.ts";
import { layOut } from "../layout/layout.ts";
import { openPdf, type PdfFile } from "./pdf-engine.ts";
import { readPage, withPage } from "./pdf-page.ts";
import type { FontFace } from "./pdf-text.ts";

export const readPdf: Reader = async (source, reading) => {
  const file = await openPdf(source.bytes, reading.options.password);
  try {
    const numbers = choosePages(file, reading);
    const pages: PositionedPage[] = [];
    const fonts = new Map<number, FontFace>();
    for (const number of numbers) {
      const page = withPage(file, number, (handle) => readPage(file, handle, number, fonts));
      if (page) pages.push(page);
      else reading.warn({ code: "page_unreadable", message: `Page ${number} could not be read.`, page: number });
      reading.progress("read", pages.length, numbers.length);
    }
    if (!pages.length) throw new Fault("corrupt_document", { detail: "None of the pages could be read." });
    const blocks = layOut(pages);
    return {
      title: null,
      authors: [],
      language: null,
      published_at: null,
      metadata: {},
      page_count: file.pageCount,
      pages: pages.map(({ number, width, height, unit, rotation, ocr }) => ({
        number,
        width,
        height,
        unit,
        rotation,
        ocr,
      })),
      blocks,
    };
  } finally {
    file.close();
  }
};

function choosePages(file: PdfFile, { options, limits }: Reading): number[] {
  if (file.pageCount < 1) throw new Fault("empty_document", { detail: "The PDF has no pages." });
  const all = Array.from({ length: file.pageCount }, (_, i) => i + 1);
  const wanted = options.pages === null ? all : options.pages.filter((number) => number <= file.pageCount);
  if (!wanted.length)
    throw new Fault("invalid_request", {
      detail: `The document has ${file.pageCount} pages, none of those chosen is among them.`,
      errors: [{ pointer: "/options/pages", message: `must be between 1 and ${file.pageCount}` }],
    });
  if (wanted.length > limits.maxPages)
    throw new Fault("too_many_pages", { detail: `${wanted.length} pages, the limit is ${limits.maxPages}.` });
  return wanted;
}
