// One page of an open PDF as pixels, for OCR and for people who look at it.
import type { PdfFile } from "./pdf-engine.ts";

export interface PageImage {
  width: number;
  height: number;
  /** Four bytes a pixel: red, green, blue, opacity. */
  data: Uint8Array;
}

const ANNOTATIONS = 0x01;
const REVERSE_BYTE_ORDER = 0x10;
const BGRA = 4;
const WHITE = 0xffffffff;
/** A0 at 100 dpi; the bitmap takes four bytes a pixel of PDFium's memory. */
const MAX_PIXELS = 16_000_000;

/** At `scale` pixels a point, or as large as is safe. Null when PDFium has no memory for it. */
export function rasterise({ pdfium }: PdfFile, page: number, scale: number): PageImage | null {
  const points = { width: pdfium._FPDF_GetPageWidthF!(page), height: pdfium._FPDF_GetPageHeightF!(page) };
  const largest = Math.sqrt(MAX_PIXELS / Math.max(1, points.width * points.height));
  const fit = Math.min(scale, largest);
  const width = Math.max(1, Math.round(points.width * fit));
  const height = Math.max(1, Math.round(points.height * fit));
  const bitmap = pdfium._FPDFBitmap_CreateEx!(width, height, BGRA, 0, 0);
  if (!bitmap) return null;
  try {
    pdfium._FPDFBitmap_FillRect!(bitmap, 0, 0, width, height, WHITE);
    pdfium._FPDF_RenderPageBitmap!(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS | REVERSE_BYTE_ORDER);
    const start = pdfium._FPDFBitmap_GetBuffer!(bitmap);
    const stride = pdfium._FPDFBitmap_GetStride!(bitmap);
    const data = new Uint8Array(width * height * 4);
    for (let row = 0; row < height; row++)
      data.set(pdfium.HEAPU8.subarray(start + row * stride, start + row * stride + width * 4), row * width * 4);
    return { width, height, data };
  } finally {
    pdfium._FPDFBitmap_Destroy!(bitmap);
  }
}
