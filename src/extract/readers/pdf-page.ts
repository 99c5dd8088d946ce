// One page of an open PDF → PositionedPage: size, text, drawings, links.
import type { Box, PositionedPage } from "../document.ts";
import type { PdfFile } from "./pdf-engine.ts";
import { readString } from "./pdf-engine.ts";
import { readGraphics } from "./pdf-graphics.ts";
import { type FontFace, readText, type Upright } from "./pdf-text.ts";

const MAX_LINKS = 5_000; // a page of references has some hundreds
const URI_ACTION = 3;

/** Calls `use` with the loaded page; null where PDFium cannot load it. */
export function withPage<T>(file: PdfFile, number: number, use: (page: number) => T): T | null {
  const page = file.pdfium._FPDF_LoadPage!(file.document, number - 1);
  if (!page) return null;
  try {
    return use(page);
  } finally {
    file.pdfium._FPDF_ClosePage!(page);
  }
}

export function readPage(file: PdfFile, page: number, number: number, fonts: Map<number, FontFace>): PositionedPage {
  const upright = readUpright(file, page);
  return {
    number,
    width: round(file.pdfium._FPDF_GetPageWidthF!(page)),
    height: round(file.pdfium._FPDF_GetPageHeightF!(page)),
    unit: "pt",
    rotation: upright.rotation,
    ocr: false,
    items: readText(file, page, upright, fonts),
    ...readGraphics(file, page, upright),
    links: readLinks(file, page, upright),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

export function readUpright({ pdfium, scratch }: PdfFile, page: number): Upright {
  pdfium._FPDF_GetPageBoundingBox!(page, scratch);
  const [left, top, right, bottom] = [...pdfium.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4)] as [
    number,
    number,
    number,
    number,
  ];
  const quarter = pdfium._FPDFPage_GetRotation!(page) & 3;
  const points: Upright["point"][] = [
    (x, y) => [x - left, top - y],
    (x, y) => [y - bottom, x - left],
    (x, y) => [right - x, y - bottom],
    (x, y) => [top - y, right - x],
  ];
  return { point: points[quarter]!, rotation: ([0, 90, 180, 270] as const)[quarter]!, left, top };
}

function readLinks({ pdfium, document, scratch }: PdfFile, page: number, upright: Upright): PositionedPage["links"] {
  const links: PositionedPage["links"] = [];
  const position = pdfium._malloc(8);
  pdfium.HEAP32[position >> 2] = 0;
  while (links.length < MAX_LINKS && pdfium._FPDFLink_Enumerate!(page, position, position + 4)) {
    const link = pdfium.HEAP32[(position >> 2) + 1]!;
    const action = pdfium._FPDFLink_GetAction!(link);
    if (!action || pdfium._FPDFAction_GetType!(action) !== URI_ACTION) continue;
    const url = readString(pdfium, "utf8", (buffer, length) =>
      pdfium._FPDFAction_GetURIPath!(document, action, buffer, length),
    );
    if (!url || !pdfium._FPDFLink_GetAnnotRect!(link, scratch)) continue;
    const [left, top, right, bottom] = pdfium.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4);
    const [x0, y0] = upright.point(left!, bottom!);
    const [x1, y1] = upright.point(right!, top!);
    const bbox: Box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
    links.push({ bbox, url });
  }
  pdfium._free(position);
  return links;
}
