// The body of a DOCX story as blocks: paragraphs judged by style, outline level and numbering; tables with their merged cells.

import type { Block, Cell } from "../document.ts";
import type { Archive } from "./archive.ts";
import { cellText, tableBlock } from "./cells.ts";
import { readChart, readDiagram } from "./graphics.ts";
import { finishInline, type Inline, isWholly, joinInline } from "./inline.ts";
import { kindOfStyle, pushBlock, withMarker } from "./style-names.ts";
import type { Numbering } from "./word-numbering.ts";
import {
  type Content,
  chooseAlternative,
  isFormula,
  newContent,
  paragraphMarkDeleted,
  readInline,
  type Story,
} from "./word-runs.ts";
import { readNumbering, readOutline, toggle, type WordStyle } from "./word-styles.ts";
import { child, elementsOf, firstDescendant, path, type XmlNode } from "./xml.ts";

export interface BlockStory extends Story {
  archive: Archive;
  numbering: Numbering;
  /** Text of a paragraph whose end was deleted, waiting for the next one. */
  carried: Inline | null;
}

/** The paragraph's own numbering, or its style's. numId 0 takes the style's away. */
function markerOf(pPr: XmlNode | undefined, style: WordStyle | undefined, story: BlockStory) {
  const own = readNumbering(pPr);
  const numId = own.numId ?? style?.numId;
  if (numId === undefined || numId === "0") return null;
  const ilvl = own.ilvl ?? (style ? story.numbering.levelOfStyle(numId, style.id) : undefined) ?? style?.ilvl ?? 0;
  const next = story.numbering.next(numId, ilvl);
  return next && next.marker !== "" ? { ...next, level: ilvl + 1 } : null;
}

function addParagraph(node: XmlNode, story: BlockStory, out: Block[]): void {
  const pPr = child(node, "w:pPr");
  const style = story.styles.get(child(pPr, "w:pStyle")?.attrs["w:val"]) ?? story.styles.defaultParagraph;
  const content = newContent();
  readInline(node, {}, content, story);
  if (story.carried) {
    joinInline(story.carried, content.inline);
    content.inline = story.carried;
    story.carried = null;
  }
  if (paragraphMarkDeleted(node)) {
    story.carried = content.inline;
    content.inline = newContent().inline;
  }
  const { text, marks } = finishInline(content.inline);
  if (text !== "") {
    const kind = kindOfStyle([style?.name ?? ""], readOutline(pPr) ?? style?.outline);
    const marker = markerOf(pPr, style, story);
    const block: Block = { ...kind, text, marks, page: 1, bbox: null };
    pushBlock(out, isFormula(node, content) ? { ...block, type: "formula", marks: [] } : withMarker(block, marker));
  }
  addAnchored(content, story, out);
}

function addAnchored(content: Content, story: BlockStory, out: Block[]): void {
  for (const { kind, part } of content.graphics) {
    const read = kind === "chart" ? readChart : readDiagram;
    out.push(...read(story.archive, part, 1, null));
  }
  out.push(...content.figures);
  for (const box of content.boxes) readBlocks(box, story, out);
}

// ---- tables ------------------------------------------------------------------------------------------------------------

interface WordCell {
  node: XmlNode;
  column: number;
  span: number;
  merge: "none" | "start" | "continue";
}

const number = (node: XmlNode | undefined) => Number(node?.attrs["w:val"] ?? 0) || 0;
/** Word allows 63 columns; damaged spans must not make millions. */
const MAX_SPAN = 200;

function* through(node: XmlNode, name: string): Generator<XmlNode> {
  for (const inner of elementsOf(node)) {
    if (inner.name === name) yield inner;
    else if (inner.name === "w:sdt") yield* through(child(inner, "w:sdtContent") ?? inner, name);
    else if (inner.name === "w:ins" || inner.name === "w:customXml" || inner.name === "w:moveTo")
      yield* through(inner, name);
  }
}

function readRow(row: XmlNode): WordCell[] {
  let column = Math.min(number(path(row, "w:trPr", "w:gridBefore")), MAX_SPAN);
  const cells: WordCell[] = [];
  for (const node of through(row, "w:tc")) {
    const properties = child(node, "w:tcPr");
    const span = Math.min(Math.max(1, number(child(properties, "w:gridSpan"))), MAX_SPAN);
    const horizontal = child(properties, "w:hMerge");
    const vertical = child(properties, "w:vMerge");
    const last = cells.at(-1);
    if (horizontal && horizontal.attrs["w:val"] !== "restart" && last) last.span += span;
    else {
      const merge = !vertical ? "none" : vertical.attrs["w:val"] === "restart" ? "start" : "continue";
      cells.push({ node, column, span, merge });
    }
    column += span;
  }
  return cells;
}

/** A frame drawn as a table of one cell: what stands in it is text, unless it is a single line. */
function isFrame(rows: XmlNode[]): boolean {
  if (rows.length !== 1) return false;
  const cells = [...through(rows[0]!, "w:tc")];
  if (cells.length !== 1) return false;
  const filled = elementsOf(cells[0]).filter(
    (n) => n.name === "w:tbl" || (n.name === "w:p" && firstDescendant(n, "w:t")),
  );
  return filled.length > 1;
}

interface TableReading {
  cells: Cell[];
  /** Tables and pictures inside cells, which follow the table. */
  beside: Block[];
  /** Cells that the row below may go on, by column. */
  open: Map<number, { cell: Cell; row: number }>;
}

/** Returns whether all text of the row is bold. */
function addRow(row: number, tr: XmlNode, reading: TableReading, story: BlockStory): boolean {
  let bold: boolean | null = null;
  for (const { node, column, span, merge } of readRow(tr)) {
    const above = reading.open.get(column);
    if (merge === "continue" && above?.row === row - 1 && above.cell.column_span === span) {
      above.cell.row_span++;
      above.row = row;
      continue;
    }
    const blocks: Block[] = [];
    readBlocks(node, story, blocks);
    const { text, rest } = cellText(blocks);
    reading.beside.push(...rest);
    const said = blocks.filter((b) => b.text !== "" && b.type !== "table" && b.type !== "figure");
    if (said.length > 0)
      bold = (bold ?? true) && said.every((b) => b.type === "heading" || isWholly("bold", b.text, b.marks));
    const cell: Cell = { row, column, row_span: 1, column_span: span, text, header: false, bbox: null };
    reading.cells.push(cell);
    if (merge === "none") reading.open.delete(column);
    else reading.open.set(column, { cell, row });
  }
  return bold ?? false;
}

/** Rows marked as header; else the first, where style or bold type sets it off from the second. */
function countHeaderRows(node: XmlNode, rows: XmlNode[], bold: boolean[], story: BlockStory): number {
  const marked = rows.findIndex((tr) => toggle(path(tr, "w:trPr", "w:tblHeader")) !== true);
  if (marked !== 0) return marked < 0 ? 1 : marked;
  if (rows.length < 2) return 0;
  const properties = child(node, "w:tblPr");
  const look = child(properties, "w:tblLook")?.attrs ?? {};
  const setOff = look["w:firstRow"] === "1" || (Number.parseInt(look["w:val"] ?? "0", 16) & 0x20) !== 0;
  const style = story.styles.get(child(properties, "w:tblStyle")?.attrs["w:val"]);
  return (setOff && style?.boldFirstRow === true) || (bold[0] && !bold[1]) ? 1 : 0;
}

function addTable(node: XmlNode, story: BlockStory, out: Block[]): void {
  const rows = [...through(node, "w:tr")].filter((tr) => !path(tr, "w:trPr", "w:del"));
  if (isFrame(rows)) {
    for (const tc of through(rows[0]!, "w:tc")) readBlocks(tc, story, out);
    return;
  }
  const reading: TableReading = { cells: [], beside: [], open: new Map() };
  const bold = rows.map((tr, row) => addRow(row, tr, reading, story));
  const headerRows = countHeaderRows(node, rows, bold, story);
  for (const cell of reading.cells) cell.header = cell.row < headerRows;
  const caption = path(node, "w:tblPr", "w:tblCaption")?.attrs["w:val"] ?? null;
  if (reading.cells.length > 0) out.push(tableBlock(reading.cells, { page: 1, rows: rows.length, caption }));
  out.push(...reading.beside);
}

// ---- the body ----------------------------------------------------------------------------------------------------------

type Handler = (node: XmlNode, story: BlockStory, out: Block[]) => void;

const insideBody: Record<string, Handler> = {
  "w:p": addParagraph,
  "w:tbl": addTable,
  "w:sdt": (node, story, out) => readBlocks(child(node, "w:sdtContent"), story, out),
  "w:ins": (node, story, out) => readBlocks(node, story, out),
  "w:moveTo": (node, story, out) => readBlocks(node, story, out),
  "w:customXml": (node, story, out) => readBlocks(node, story, out),
  "mc:AlternateContent": (node, story, out) => readBlocks(chooseAlternative(node), story, out),
};

export function readBlocks(parent: XmlNode | undefined, story: BlockStory, out: Block[]): void {
  for (const node of elementsOf(parent)) insideBody[node.name]?.(node, story, out);
}
