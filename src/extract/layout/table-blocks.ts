// Found tables → blocks: joined over pages, without empty rows and columns, right to left where the text is, with headers.
import type { Block, Cell } from "../document.ts";
import { isRightToLeft } from "./bidi.ts";
import { compose, type Hyphenation } from "./compose.ts";
import { makePieces, type TextLine } from "./lines.ts";
import { inReadingOrder } from "./order.ts";
import { joinPieces } from "./paragraphs.ts";
import type { FoundCell, FoundTable } from "./tables.ts";

/** Columns of two pages are the same when their edges differ by less than this, in points. */
const SAME_COLUMN = 6;

/** Whether the second table goes on with the first on the next page. */
export function continuesTable(a: FoundTable, b: FoundTable): boolean {
  return (
    b.page === a.page + 1 && a.xs.length === b.xs.length && a.xs.every((x, i) => Math.abs(x - b.xs[i]!) < SAME_COLUMN)
  );
}

/** A found table and those that go on with it on later pages. */
export function joinTables([first, ...rest]: FoundTable[]): FoundTable {
  const joined: FoundTable = { ...first!, cells: [...first!.cells] };
  for (const table of rest) {
    const skip = repeatedRows(first!, table);
    for (const cell of table.cells)
      if (cell.row >= skip) joined.cells.push({ ...cell, row: cell.row - skip + joined.rows });
    joined.rows += table.rows - skip;
  }
  return joined;
}

const keyOf = (table: FoundTable, row: number): string =>
  table.cells
    .filter((cell) => cell.row === row)
    .map((cell) => `${cell.column}:${cell.words.map((word) => word.text).join(" ")}`)
    .join("|");

/** Rows at the head of a later part that repeat the head of the first. */
function repeatedRows(first: FoundTable, later: FoundTable): number {
  let count = 0;
  while (count < Math.min(first.rows, later.rows) - 1 && count < 5) {
    const key = keyOf(later, count);
    if (key !== keyOf(first, count) || !/\p{L}/u.test(key)) break;
    count++;
  }
  return count;
}

/** Rows and columns without any text of their own go; double rules and spacers leave such. */
export function dropEmpty(table: FoundTable): FoundTable {
  const filled = table.cells.filter((cell) => cell.words.length);
  const number = (count: number, start: (cell: FoundCell) => number): { places: number[]; used: Set<number> } => {
    const used = new Set(filled.map(start));
    const places: number[] = [];
    let next = 0;
    for (let i = 0; i < count; i++) places.push(used.has(i) ? next++ : Math.max(0, next - 1));
    places.push(next);
    return { places, used };
  };
  const rows = number(table.rows, (cell) => cell.row);
  const columns = number(table.columns, (cell) => cell.column);
  const span = (used: Set<number>, from: number, size: number): number => {
    let count = 0;
    for (let i = from; i < from + size; i++) if (used.has(i)) count++;
    return Math.max(1, count);
  };
  const cells = table.cells
    .filter((cell) => cell.words.length || (rows.used.has(cell.row) && columns.used.has(cell.column)))
    .map((cell) => ({
      ...cell,
      row: rows.places[cell.row]!,
      column: columns.places[cell.column]!,
      rowSpan: span(rows.used, cell.row, cell.rowSpan),
      columnSpan: span(columns.used, cell.column, cell.columnSpan),
    }));
  return { ...table, cells, rows: rows.places.at(-1)!, columns: columns.places.at(-1)! };
}

/** The lines of a cell in reading order; turned text after the upright. */
function linesOf(cell: FoundCell, page: number): TextLine[] {
  const upright = cell.words.filter((word) => word.rotation === 0);
  const turned = cell.words.filter((word) => word.rotation !== 0);
  const lines = joinPieces(inReadingOrder(makePieces(upright, page)));
  return turned.length ? [...lines, ...turnedLines(turned, page)] : lines;
}

/** Text set at a right angle, line by line in its own direction. */
function turnedLines(words: PlacedWords, page: number): TextLine[] {
  return words.map((word) => ({ ...makePieces([{ ...word, rotation: 0 }], page)[0]! }));
}
type PlacedWords = FoundCell["words"];

export function toTableBlock(found: FoundTable, hyphenation: Hyphenation): Block {
  const table = dropEmpty(found);
  const rtl = isRightToLeft(table.cells.flatMap((cell) => cell.words));
  const cells: Cell[] = table.cells
    .map((cell) => {
      const { text, words } = compose(linesOf(cell, table.page), hyphenation);
      return {
        row: cell.row,
        column: rtl ? table.columns - cell.column - cell.columnSpan : cell.column,
        row_span: cell.rowSpan,
        column_span: cell.columnSpan,
        text,
        header: false,
        bbox: cell.box,
        words,
      };
    })
    .sort((a, b) => a.row - b.row || a.column - b.column);
  markHeaders(cells, table);
  const { page, rows, columns } = table;
  return {
    type: "table",
    text: "",
    page,
    bbox: table.box,
    table: { page, bbox: table.box, rows, columns, caption: null, cells },
  };
}

/** The first row, and those its cells reach into, where they are words over figures or set in bold over plain text. */
function markHeaders(cells: Cell[], table: FoundTable): void {
  if (table.rows < 2) return;
  const first = cells.filter((cell) => cell.row === 0);
  const isWords = (cell: Cell): boolean => !/^[\d\s.,%()€$£+-]*$/.test(cell.text) || cell.text === "";
  if (!first.every(isWords)) return;
  const depth = Math.max(...first.map((cell) => cell.row_span));
  for (const cell of cells) if (cell.row < depth) cell.header = true;
}
