// ODS: cells keep the text they show, so it is taken as it is. Repeats are followed only where they hold something.

import { Fault } from "../../errors.ts";
import { commentText } from "./odf-inline.ts";
import { readOdfStyles } from "./odf-styles.ts";
import { addressOf, MAX_SHEET_CELLS, newSheet, type Sheet, tooManyCells } from "./sheet.ts";
import type { SheetCell } from "./sheet-regions.ts";
import type { SheetEntry } from "./xlsx-book.ts";
import { child, childrenNamed, elementsOf, parseXml, path, type XmlNode } from "./xml.ts";

/** One past the last row and column of any program. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** A row or cell with content is seldom repeated more than a few times; a million is an attack. */
const MAX_FILLED_REPEAT = 1000;

const count = (node: XmlNode, name: string, most: number) =>
  Math.min(Math.max(1, Number(node.attrs[name] ?? 1) || 1), most);

/** Blanks are elements in ODF. */
function shownText(node: XmlNode): string {
  let text = "";
  for (const inner of node.children) {
    if (typeof inner === "string") text += inner.replace(/\s+/g, " ");
    else if (inner.name === "text:s" || inner.name === "text:tab") text += " ";
    else if (inner.name === "text:line-break") text += "\n";
    else if (inner.name !== "office:annotation") text += shownText(inner);
  }
  return text;
}

interface Cursor {
  sheet: Sheet;
  row: number;
}

interface Opened {
  sheets: Map<XmlNode, Cursor>;
  /** Styles are known only once the whole part is read. */
  styleNames: Map<SheetCell, string>;
  filled: number;
}

function addCell(opened: Opened, cursor: Cursor, tc: XmlNode, rows: number, column: number): void {
  const text = childrenNamed(tc, "text:p").map(shownText).join("\n").trim();
  const note = child(tc, "office:annotation");
  if (note) cursor.sheet.comments.push({ address: addressOf(cursor.row, column), text: commentText(note) });
  if (text === "") return;
  const type = tc.attrs["office:value-type"];
  const styleName = tc.attrs["table:style-name"];
  const columns = count(tc, "table:number-columns-repeated", MAX_FILLED_REPEAT);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const isText = type === "string" || type === undefined;
      const cell: SheetCell = { row: cursor.row + r, column: column + c, text, isText, bold: false };
      cursor.sheet.cells.push(cell);
      if (styleName) opened.styleNames.set(cell, styleName);
      if (++opened.filled > MAX_SHEET_CELLS) throw tooManyCells();
    }
  const merge = {
    rows: count(tc, "table:number-rows-spanned", MAX_ROWS),
    columns: count(tc, "table:number-columns-spanned", MAX_COLUMNS),
  };
  if (merge.rows > 1 || merge.columns > 1) cursor.sheet.merges.push({ row: cursor.row, column, ...merge });
}

function addRow(opened: Opened, cursor: Cursor, tr: XmlNode): void {
  const repeat = count(tr, "table:number-rows-repeated", MAX_ROWS);
  let column = 0;
  for (const tc of elementsOf(tr)) {
    if (tc.name === "table:table-cell" && column < MAX_COLUMNS)
      addCell(opened, cursor, tc, Math.min(repeat, MAX_FILLED_REPEAT), column);
    if (tc.name === "table:table-cell" || tc.name === "table:covered-table-cell")
      column += count(tc, "table:number-columns-repeated", MAX_COLUMNS);
  }
  cursor.row += repeat;
}

/** A table inside a cell or a chart is not a sheet. */
function sheetOf(ancestors: XmlNode[]): XmlNode | null {
  const at = ancestors.findIndex((node) => node.name === "table:table");
  return at > 0 && ancestors[at - 1]!.name === "office:spreadsheet" ? ancestors[at]! : null;
}

function hiddenStyles(root: XmlNode): Set<string | undefined> {
  const styles = childrenNamed(child(root, "office:automatic-styles"), "style:style");
  const hidden = styles.filter((style) => child(style, "style:table-properties")?.attrs["table:display"] === "false");
  return new Set(hidden.map((style) => style.attrs["style:name"]));
}

export function openOds(content: Uint8Array, styles: XmlNode | undefined): SheetEntry[] {
  const opened: Opened = { sheets: new Map(), styleNames: new Map(), filled: 0 };
  const take = (row: XmlNode, ancestors: XmlNode[]) => {
    const table = sheetOf(ancestors);
    if (!table) return;
    const cursor = opened.sheets.get(table) ?? { sheet: newSheet("", false), row: 0 };
    opened.sheets.set(table, cursor);
    addRow(opened, cursor, row);
  };
  const root = parseXml(content, { name: "table:table-row", take });
  const body = path(root, "office:body", "office:spreadsheet");
  if (!body) throw new Fault("corrupt_document", { detail: "The file holds no OpenDocument spreadsheet." });
  const resolved = readOdfStyles([styles, root]);
  for (const [cell, name] of opened.styleNames) cell.bold = resolved.style("table-cell", name).bold ?? false;
  const hidden = hiddenStyles(root);
  return childrenNamed(body, "table:table").map((table, at) => {
    const sheet = opened.sheets.get(table)?.sheet ?? newSheet("", false);
    sheet.name = table.attrs["table:name"] ?? `Sheet${at + 1}`;
    sheet.hidden = hidden.has(table.attrs["table:style-name"]);
    return { name: sheet.name, hidden: sheet.hidden, read: () => sheet };
  });
}
