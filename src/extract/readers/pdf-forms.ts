// Form fields of a PDF page with their values, as blocks of their own: their text is not part of the page's content.
import type { Block, Box } from "../document.ts";
import { type PdfFile, readString } from "./pdf-engine.ts";
import { readUpright } from "./pdf-page.ts";

const WIDGET = 20;
const [CHECKBOX, RADIO] = [2, 3];
const PUSH_BUTTON = 1;
const MAX_FIELDS = 5_000;
/** Size of PDFium's FPDF_FORMFILLINFO; all callbacks stay empty. */
const FORM_INFO_BYTES = 512;

/** Opens the form of a document; call close before the document is closed. */
export function openForm({ pdfium, document }: PdfFile): { form: number; close(): void } | null {
  if (pdfium._FPDF_GetFormType!(document) === 0) return null;
  const info = pdfium._malloc(FORM_INFO_BYTES);
  pdfium.HEAPU8.fill(0, info, info + FORM_INFO_BYTES);
  pdfium.HEAP32[info >> 2] = 2;
  const form = pdfium._FPDFDOC_InitFormFillEnvironment!(document, info);
  if (!form) {
    pdfium._free(info);
    return null;
  }
  return {
    form,
    close() {
      pdfium._FPDFDOC_ExitFormFillEnvironment!(form);
      pdfium._free(info);
    },
  };
}

export function readFields(file: PdfFile, form: number, page: number, number: number): Block[] {
  const { pdfium, scratch } = file;
  const upright = readUpright(file, page);
  const blocks: Block[] = [];
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount!(page), MAX_FIELDS);
  for (let i = 0; i < count; i++) {
    const annotation = pdfium._FPDFPage_GetAnnot!(page, i);
    if (!annotation) continue;
    if (pdfium._FPDFAnnot_GetSubtype!(annotation) === WIDGET) {
      const text = (read: "Name" | "AlternateName" | "Value"): string =>
        readString(pdfium, "utf16", (buffer, length) =>
          pdfium[`_FPDFAnnot_GetFormField${read}`]!(form, annotation, buffer, length),
        ).trim();
      const type = pdfium._FPDFAnnot_GetFormFieldType!(form, annotation);
      const checkable = type === CHECKBOX || type === RADIO;
      const checked = checkable && pdfium._FPDFAnnot_IsChecked!(form, annotation) !== 0;
      const value = checkable ? (checked ? text("Value") || "Yes" : "") : text("Value");
      const name = text("AlternateName") || text("Name");
      if (type !== PUSH_BUTTON && name && value && pdfium._FPDFAnnot_GetRect!(annotation, scratch)) {
        const [left, top, right, bottom] = pdfium.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4);
        const [x0, y0] = upright.point(left!, bottom!);
        const [x1, y1] = upright.point(right!, top!);
        const bbox: Box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
        const start = name.length + 2;
        blocks.push({
          type: "paragraph",
          role: "field",
          text: `${name}: ${value}`,
          page: number,
          bbox,
          words: [{ start, end: start + value.length, bbox }],
        });
      }
    }
    pdfium._FPDFPage_CloseAnnot!(annotation);
  }
  return blocks;
}
