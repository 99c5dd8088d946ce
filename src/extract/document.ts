// The words the readers, the layout, the fields and the output share. Types only; imports nothing.
// Names inside Page, Table and Cell are the public JSON names, so the output writes them as they are.

/** [x0, y0, x1, y1], origin top left, in the page's unit. */
export type Box = [x0: number, y0: number, x1: number, y1: number];

export const kinds = [
  "pdf", "png", "jpeg", "webp", "tiff", "gif", "bmp", "heic",
  "html", "markdown", "text", "csv", "json", "xml",
  "docx", "doc", "pptx", "xlsx", "xls", "xlsb", "odt", "ods", "odp", "rtf", "epub", "eml", "msg",
] as const; // biome-ignore format: one line a family
export type Kind = (typeof kinds)[number];

export type ElementType =
  | "title" | "heading" | "paragraph" | "list_item" | "table" | "figure" | "caption"
  | "code" | "formula" | "header" | "footer" | "footnote"; // biome-ignore format: a list of words

export interface Page {
  number: number;
  /** null for kinds without pages (HTML, DOCX), which have one page without size. */
  width: number | null;
  height: number | null;
  unit: "pt" | "px" | null;
  rotation: 0 | 90 | 180 | 270;
  ocr: boolean;
  /** Sheet or slide name, where there is one. */
  name?: string;
  /** A hidden sheet or slide. */
  hidden?: boolean;
}

/** A piece of a block's or cell's text and where it stands on the page; start and end are offsets into that text. */
export interface Word {
  start: number;
  end: number;
  bbox: Box;
}

/** Inline formatting of text[start, end). Never changes the text, only how markdown shows it. */
export interface Mark {
  type: "bold" | "italic" | "code" | "strike" | "link";
  start: number;
  end: number;
  /** Only for a link. */
  url?: string;
}

export interface Cell {
  row: number;
  column: number;
  row_span: number;
  column_span: number;
  text: string;
  header: boolean;
  bbox: Box | null;
  /** Internal, for the evidence of fields. */
  words?: Word[];
  /** Spreadsheets: the cell's own address, "B7". */
  address?: string;
}

export interface Table {
  page: number;
  bbox: Box | null;
  rows: number;
  columns: number;
  caption: string | null;
  cells: Cell[];
}

/** What a reader returns, in reading order; the output gives it an id. */
export interface Block {
  type: ElementType;
  /** Plain text; "\n" only where the document breaks the line on purpose (code, addresses). Ignored for a table. */
  text: string;
  page: number;
  bbox: Box | null;
  /** Heading: 1 to 6. List item: depth from 1. */
  level?: number;
  /** List item: its marker as shown, "•", "3.", "(a)". An ordered marker stays ordered in markdown. */
  marker?: string;
  marks?: Mark[];
  /** Internal, for the evidence of fields. */
  words?: Word[];
  table?: Table;
  /** Text read by OCR: 0 to 1. */
  confidence?: number;
  /** Code: its language. Figure: the address of the image. */
  language?: string;
  url?: string;
  /** Spreadsheets: the cell a text outside of tables stands in, "B7". */
  address?: string;
  /** Set where the block belongs to something beside the main text: a comment, speaker notes, a quoted reply, a form field. */
  role?: "comment" | "notes" | "quote" | "field";
}

/** A block once the document is whole and numbered: e1, e2, … and t1, t2, … in reading order. */
export interface Element extends Block {
  id: string;
  table?: NumberedTable;
}

export interface Warning {
  code: string;
  message: string;
  page?: number;
}

export interface Document {
  title: string | null;
  authors: string[];
  /** BCP 47, where the document says so or it can be told. */
  language: string | null;
  /** ISO 8601. */
  published_at: string | null;
  /** JSON values only: producer, subject, site, attachments, outline, … */
  metadata: Record<string, unknown>;
  /** Of the whole document, also where only some pages were read. */
  page_count: number;
  pages: Page[];
  blocks: Block[];
}

export type NumberedTable = Table & { id: string };

/** A document whose blocks have their ids; tables are those of the elements, in the same order. */
export interface NumberedDocument extends Omit<Document, "blocks"> {
  elements: Element[];
  tables: NumberedTable[];
}

export interface ReadOptions {
  /** Page numbers to read, ascending; null reads all. */
  pages: number[] | null;
  ocr: "auto" | "always" | "never";
  languages: string[];
  main_content: boolean;
  password: string | null;
}

export interface Limits {
  maxPages: number;
  /** Unpacked size of any archive, decoded size of any image in bytes. */
  maxExpandedBytes: number;
}

export interface Source {
  bytes: Uint8Array;
  kind: Kind;
  /** As the caller named it; only for what the bytes do not tell (base URL, title of a text file). */
  name: string | null;
  url: string | null;
  /** Charset of the Content-Type the bytes came with, if any. */
  charset: string | null;
}

export interface Reading {
  options: ReadOptions;
  limits: Limits;
  warn(warning: Warning): void;
  progress(stage: string, done: number, total: number): void;
}

export type Reader = (source: Source, reading: Reading) => Promise<Document>;

// ---- positioned text: what a paginated reader (PDF, OCR) hands to layout/ -------------------------------------------

export interface TextItem {
  text: string;
  bbox: Box;
  /** Font size in the page's unit; for OCR the height of the line. */
  size: number;
  font?: string;
  bold?: boolean;
  italic?: boolean;
  /** Degrees, clockwise; 0 when absent. */
  rotation?: number;
  color?: string;
  /** Marked-content id of a tagged PDF. */
  mcid?: number;
  /** 0 to 1; only for OCR. */
  confidence?: number;
  /** No space stands between the item before it and this one: one word in two styles. */
  glued?: boolean;
  /** Boxes of the words in text, in order. */
  words?: { text: string; bbox: Box }[];
}

export interface Line {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  width: number;
}

export interface PositionedPage extends Page {
  width: number;
  height: number;
  items: TextItem[];
  /** Straight strokes and the edges of thin rectangles. */
  lines: Line[];
  /** Filled or stroked areas: cell shades, boxes. */
  rects: { bbox: Box; fill?: string; stroke: boolean }[];
  images: { bbox: Box; alt?: string }[];
  links: { bbox: Box; url: string }[];
}
