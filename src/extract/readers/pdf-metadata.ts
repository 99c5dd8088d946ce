// What a PDF says of itself: title, authors, dates, outline.
import { type PdfFile, readString } from "./pdf-engine.ts";

export interface OutlineEntry {
  title: string;
  /** From 1. */
  level: number;
  /** null where the entry leads nowhere, or out of the document. */
  page: number | null;
}

export interface PdfMetadata {
  title: string | null;
  authors: string[];
  /** JSON values for the document's metadata. */
  entries: Record<string, unknown>;
  outline: OutlineEntry[];
}

/** Entries of an outline that are read: a thick manual has some thousand. */
const MAX_OUTLINE = 2_000;
const MAX_OUTLINE_DEPTH = 12;
const NAMES = { subject: "Subject", keywords: "Keywords", creator: "Creator", producer: "Producer" } as const;
/** Titles that programs fill in by themselves. */
const NO_TITLE =
  /^(untitled|document\d*|microsoft (word|powerpoint|excel)\b.*|.*\.(docx?|pptx?|xlsx?|odt|indd|tex|dvi|qxd|pdf|html?|rtf)|[\d\s._-]*)$/i;

export function readMetadata(file: PdfFile): PdfMetadata {
  const text = (tag: string): string => readMeta(file, tag).replace(/\s+/g, " ").trim();
  const title = text("Title");
  const authors = text("Author")
    .split(/\s*[;&]\s*|\s+and\s+/)
    .filter((name) => /\p{L}{2}/u.test(name));
  const entries: Record<string, unknown> = {};
  for (const [key, tag] of Object.entries(NAMES)) {
    const value = text(tag);
    if (value) entries[key] = value;
  }
  const created = toIsoDate(text("CreationDate"));
  const modified = toIsoDate(text("ModDate"));
  if (created) entries.created_at = created;
  if (modified) entries.modified_at = modified;
  const outline = readOutline(file);
  if (outline.length) entries.outline = outline;
  return { title: title && !NO_TITLE.test(title) ? title : null, authors, entries, outline };
}

function readMeta({ pdfium, document }: PdfFile, tag: string): string {
  const name = pdfium._malloc(tag.length + 1);
  for (let i = 0; i < tag.length; i++) pdfium.HEAPU8[name + i] = tag.charCodeAt(i);
  pdfium.HEAPU8[name + tag.length] = 0;
  const value = readString(pdfium, "utf16", (buffer, length) =>
    pdfium._FPDF_GetMetaText!(document, name, buffer, length),
  );
  pdfium._free(name);
  return value;
}

/** D:20240131120000+01'00' → 2024-01-31T12:00:00+01:00. */
export function toIsoDate(text: string): string | null {
  const match = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2})?'?(\d{2})?/.exec(text);
  if (!match) return null;
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", zone = "Z", zoneMinute = "00"] =
    match;
  if (
    Number(month) < 1 ||
    Number(month) > 12 ||
    Number(day) < 1 ||
    Number(day) > 31 ||
    Number(hour) > 23 ||
    Number(minute) > 59
  )
    return null;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === "Z" ? "Z" : `${zone}:${zoneMinute}`}`;
}

function readOutline({ pdfium, document }: PdfFile): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  // an outline may point at itself: the count ends it
  const visit = (parent: number, level: number): void => {
    let bookmark = pdfium._FPDFBookmark_GetFirstChild!(document, parent);
    while (bookmark && outline.length < MAX_OUTLINE) {
      const at = bookmark;
      const title = readString(pdfium, "utf16", (buffer, length) => pdfium._FPDFBookmark_GetTitle!(at, buffer, length));
      const destination = pdfium._FPDFBookmark_GetDest!(document, at);
      const page = destination ? pdfium._FPDFDest_GetDestPageIndex!(document, destination) : -1;
      outline.push({ title: title.replace(/\s+/g, " ").trim(), level, page: page >= 0 ? page + 1 : null });
      if (level < MAX_OUTLINE_DEPTH) visit(at, level + 1);
      bookmark = pdfium._FPDFBookmark_GetNextSibling!(document, at);
    }
  };
  visit(0, 1);
  return outline.filter((entry) => entry.title);
}
