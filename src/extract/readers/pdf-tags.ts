// The structure tree of a tagged PDF: which marked content is a heading, and what figures show.
import { type PdfFile, readString } from "./pdf-engine.ts";

export interface PageTags {
  /** Marked-content id → heading level, 1 to 6; "Title" is 0. */
  headings: Map<number, number>;
  /** Marked-content ids that stand in the tree at all. */
  known: Set<number>;
}

/** Elements of one page's tree; a page of a form has some hundred. */
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 60;
const HEADING = /^(?:H([1-6])?|Title)$/;

export function readTags({ pdfium }: PdfFile, page: number): PageTags | null {
  const tree = pdfium._FPDF_StructTree_GetForPage!(page);
  if (!tree) return null;
  const tags: PageTags = { headings: new Map(), known: new Set() };
  let budget = MAX_ELEMENTS;
  const visit = (element: number, level: number | null, depth: number): void => {
    if (!element || --budget < 0 || depth > MAX_DEPTH) return;
    const type = readString(pdfium, "utf16", (buffer, length) =>
      pdfium._FPDF_StructElement_GetType!(element, buffer, length),
    );
    const match = HEADING.exec(type);
    const own = match ? (type === "Title" ? 0 : Number(match[1] ?? 1)) : level;
    const count = Math.min(pdfium._FPDF_StructElement_GetMarkedContentIdCount!(element), MAX_ELEMENTS);
    for (let i = 0; i < count; i++) {
      const id = pdfium._FPDF_StructElement_GetMarkedContentIdAtIndex!(element, i);
      tags.known.add(id);
      if (own !== null) tags.headings.set(id, own);
    }
    const children = Math.min(pdfium._FPDF_StructElement_CountChildren!(element), MAX_ELEMENTS);
    for (let i = 0; i < children && budget > 0; i++)
      visit(pdfium._FPDF_StructElement_GetChildAtIndex!(element, i), own, depth + 1);
  };
  const roots = Math.min(pdfium._FPDF_StructTree_CountChildren!(tree), MAX_ELEMENTS);
  for (let i = 0; i < roots; i++) visit(pdfium._FPDF_StructTree_GetChildAtIndex!(tree, i), null, 0);
  pdfium._FPDF_StructTree_Close!(tree);
  return tags.known.size ? tags : null;
}
