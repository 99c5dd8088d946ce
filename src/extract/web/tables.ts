// An HTML table as a grid of cells with their spans; a table that only places things on the page is none.

import type { Cell, Table } from "../document.ts";
import type { DomElement } from "./dom.ts";
import { isHidden } from "./hidden.ts";
import { blockText, countTags, textWithin } from "./words.ts";

// HTML's own bounds for colspan; rowspan may reach 65,534 but is cut to the rows there are.
const MAX_COLUMN_SPAN = 1000;
// Places a table may fill, spans included: 5,000 rows of 100 columns.
const MAX_PLACES = 500_000;

/** null where the table is for layout: its content then reads as ordinary blocks. */
export function readTable(element: DomElement, page: number): Table | null {
  const rows = rowsOf(element);
  if (isLayout(element, rows)) return null;
  const taken: boolean[][] = [];
  const cells: Cell[] = [];
  let columns = 0;
  let places = 0;
  for (const [row, line] of rows.entries()) {
    let column = 0;
    for (const source of line) {
      taken[row] ??= [];
      while (taken[row][column]) column++;
      const columnSpan = span(source.getAttribute("colspan"), MAX_COLUMN_SPAN);
      const wanted =
        source.getAttribute("rowspan") === "0" ? rows.length : span(source.getAttribute("rowspan"), 65_534);
      const rowSpan = Math.min(wanted, rows.length - row);
      places += rowSpan * columnSpan;
      if (places > MAX_PLACES) break;
      for (let r = row; r < row + rowSpan; r++) {
        taken[r] ??= [];
        for (let c = column; c < column + columnSpan; c++) taken[r]![c] = true;
      }
      const header = source.localName === "th" || source.parentElement?.parentElement?.localName === "thead";
      cells.push({
        row,
        column,
        row_span: rowSpan,
        column_span: columnSpan,
        text: blockText(source),
        header,
        bbox: null,
      });
      column += columnSpan;
      columns = Math.max(columns, column);
    }
  }
  const caption = [...element.children].find((child) => child.localName === "caption");
  const filled = cells.some((cell) => cell.text !== "");
  return {
    page,
    bbox: null,
    rows: rows.length,
    columns,
    caption: (caption && blockText(caption).replace(/\s+/g, " ")) || null,
    cells: filled ? cells : [],
  };
}

function span(value: string | null, most: number): number {
  const number = Number.parseInt(value ?? "1", 10);
  return Number.isFinite(number) && number > 0 ? Math.min(number, most) : 1;
}

function rowsOf(table: DomElement): DomElement[][] {
  const rows: DomElement[][] = [];
  for (const child of table.children) {
    const lines = /^(thead|tbody|tfoot)$/.test(child.localName)
      ? child.children
      : child.localName === "tr"
        ? [child]
        : [];
    for (const line of lines) {
      if (line.localName !== "tr" || isHidden(line)) continue;
      const cells = [...line.children].filter((cell) => /^t[dh]$/.test(cell.localName) && !isHidden(cell));
      if (cells.length) rows.push(cells);
    }
  }
  return rows;
}

const dataTags = new Set("th thead caption".split(" "));
const blockTags = new Set("p div ul ol h1 h2 h3 h4 img".split(" "));
const pageTags = new Set("h1 h2 h3 form iframe".split(" "));

// A cell with this much text is a place on the page, not a value.
const LONG_CELL_CHARS = 1200;

function isLayout(table: DomElement, rows: DomElement[][]): boolean {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none") return true;
  if (countTags(table, new Set(["table"]), 1) > 0) return true;
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (columns <= 1) return !rows.some((row) => row.some((cell) => cell.localName === "th"));
  if (countTags(table, dataTags, 1) > 0) return false;
  const cells = rows.flat();
  if (cells.some((cell) => textWithin(cell, LONG_CELL_CHARS) === null)) return true;
  return countTags(table, rows.length === 1 ? blockTags : pageTags, 1) > 0;
}
