// XLSX: workbook, shared strings, styles and sheets from the zipped XML, row by row, so memory follows the filled cells.

import { Fault } from "../../errors.ts";
import type { Block } from "../document.ts";
import type { Archive } from "./archive.ts";
import { readChart } from "./graphics.ts";
import { type CellStyle, formatNumber, readCellStyles } from "./number-formats.ts";
import { mainPartName, type Part, readPart, readRelations, relatedPart, relationOf } from "./ooxml.ts";
import { MAX_SHEET_CELLS, newSheet, parseAddress, type Sheet, tooManyCells } from "./sheet.ts";
import type { SheetCell } from "./sheet-regions.ts";
import {
  child,
  childrenNamed,
  descendants,
  elementsOf,
  firstDescendant,
  parseXml,
  textOf,
  type XmlNode,
} from "./xml.ts";

export interface SheetEntry {
  name: string;
  hidden: boolean;
  read(): Sheet;
}

interface Book {
  archive: Archive;
  strings: string[];
  styles: CellStyle[];
  date1904: boolean;
  filled: number;
}

/** Text of <si> or <is>: plain, or runs; the phonetic guide beside it is not shown. */
function richText(node: XmlNode | undefined): string {
  let text = "";
  for (const inner of elementsOf(node)) {
    if (inner.name === "t") text += textOf(inner);
    else if (inner.name === "r") text += textOf(child(inner, "t"));
  }
  return plainEscapes(text).trim();
}

/** Characters XML cannot hold are written _x000D_. */
const plainEscapes = (text: string) =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

function readStrings(archive: Archive, name: string | undefined): string[] {
  const bytes = name === undefined ? null : archive.read(name);
  const strings: string[] = [];
  if (bytes) parseXml(bytes, { name: "si", take: (node) => strings.push(richText(node)) });
  return strings;
}

const truthWords: Record<string, string> = { "1": "TRUE", true: "TRUE", "0": "FALSE", false: "FALSE" };

function shownValue(c: XmlNode, style: CellStyle | undefined, book: Book): { text: string; isText: boolean } {
  const value = textOf(child(c, "v"));
  const type = c.attrs.t ?? "n";
  if (type === "s") return { text: book.strings[Number(value)] ?? "", isText: true };
  if (type === "inlineStr") return { text: richText(child(c, "is")), isText: true };
  if (type === "str") return { text: plainEscapes(value).trim(), isText: true };
  if (type === "b") return { text: truthWords[value] ?? value, isText: false };
  if (type === "e" || type === "d") return { text: value, isText: false };
  if (value === "") {
    // A formula that was never calculated has no shown value; the formula itself is better than nothing.
    const formula = textOf(child(c, "f")).trim();
    return { text: formula === "" ? "" : `=${formula}`, isText: false };
  }
  const number = Number(value);
  return {
    text: Number.isFinite(number) ? formatNumber(number, style?.format ?? 0, book.date1904) : value,
    isText: false,
  };
}

/** Cells and rows may leave out where they stand; then they follow the one before. */
function rowReader(sheet: Sheet, book: Book): (row: XmlNode) => void {
  let rowAt = -1;
  return (row) => {
    const said = Number(row.attrs.r);
    rowAt = Number.isInteger(said) && said > 0 ? said - 1 : rowAt + 1;
    let columnAt = -1;
    for (const c of elementsOf(row)) {
      if (c.name !== "c") continue;
      columnAt = parseAddress(c.attrs.r ?? "")?.column ?? columnAt + 1;
      const style = book.styles[Number(c.attrs.s ?? 0)];
      const { text, isText } = shownValue(c, style, book);
      if (text === "") continue;
      const cell: SheetCell = { row: rowAt, column: columnAt, text, isText, bold: style?.bold ?? false };
      sheet.cells.push(cell);
      if (++book.filled > MAX_SHEET_CELLS) throw tooManyCells();
    }
  };
}

function readMerges(root: XmlNode, sheet: Sheet): void {
  for (const node of childrenNamed(child(root, "mergeCells"), "mergeCell")) {
    const [from, to] = (node.attrs.ref ?? "").split(":").map(parseAddress);
    if (!from || !to) continue;
    const rows = to.row - from.row + 1;
    const columns = to.column - from.column + 1;
    if (rows > 0 && columns > 0) sheet.merges.push({ ...from, rows, columns });
  }
}

function readComments(part: Part | null, sheet: Sheet): void {
  for (const comment of descendants(part?.root, "comment"))
    sheet.comments.push({ address: comment.attrs.ref ?? "", text: richText(child(comment, "text")) });
}

/** What lies over the cells: pictures, text boxes, and the titles of charts (their values stand in the cells). */
function readDrawing(archive: Archive, drawing: Part | null, page: number): Block[] {
  const blocks: Block[] = [];
  for (const anchor of elementsOf(drawing?.root)) {
    const about = firstDescendant(anchor, "xdr:cNvPr")?.attrs;
    const alt = (about?.descr || about?.title || "").trim();
    const chart = drawing?.relations.get(firstDescendant(anchor, "c:chart")?.attrs["r:id"] ?? "")?.target;
    const image = drawing?.relations.get(firstDescendant(anchor, "a:blip")?.attrs["r:embed"] ?? "")?.target;
    const title = chart ? (readChart(archive, chart, page, null)[0]?.table?.caption ?? "") : "";
    if (chart || image)
      blocks.push({ type: "figure", text: alt || title, page, bbox: null, ...(image ? { url: image } : {}) });
    for (const body of descendants(anchor, "xdr:txBody"))
      for (const paragraph of childrenNamed(body, "a:p")) {
        const text = descendants(paragraph, "a:t").map(textOf).join("").trim();
        if (text !== "") blocks.push({ type: "paragraph", text, page, bbox: null });
      }
  }
  return blocks;
}

function readSheet(book: Book, part: string, name: string, hidden: boolean, page: number): Sheet {
  const sheet = newSheet(name, hidden);
  const bytes = book.archive.read(part);
  if (!bytes) return sheet;
  const root = parseXml(bytes, { name: "row", take: rowReader(sheet, book) });
  readMerges(root, sheet);
  const relations = readRelations(book.archive, part);
  const related = (type: string) => readPart(book.archive, relationOf(relations, type)?.target);
  readComments(related("comments"), sheet);
  sheet.drawings = readDrawing(book.archive, related("drawing"), page);
  return sheet;
}

export function openXlsx(archive: Archive): SheetEntry[] {
  const main = readPart(archive, mainPartName(archive, "xl/workbook.xml"));
  if (main?.root.name !== "workbook") throw new Fault("corrupt_document", { detail: "The file holds no workbook." });
  let book: Book | null = null;
  const open = (): Book => {
    book ??= {
      archive,
      strings: readStrings(archive, relationOf(main.relations, "sharedStrings")?.target),
      styles: readCellStyles(relatedPart(archive, main, "styles")?.root),
      date1904: /^(1|true)$/.test(child(main.root, "workbookPr")?.attrs.date1904 ?? ""),
      filled: 0,
    };
    return book;
  };
  return childrenNamed(child(main.root, "sheets"), "sheet").map((node, at) => {
    const name = node.attrs.name ?? `Sheet${at + 1}`;
    const hidden = node.attrs.state === "hidden" || node.attrs.state === "veryHidden";
    const relation = main.relations.get(node.attrs["r:id"] ?? "");
    // A sheet that is only a chart has no cells.
    const part = relation?.type === "worksheet" ? relation.target : "";
    return { name, hidden, read: () => readSheet(open(), part, name, hidden, at + 1) };
  });
}
