// Tables of a page: cells from ruled grids and from text that lines up, filled with the words that stand in them.
import type { Block, Box, Cell, PositionedPage, Table } from "../document.ts";
import { compose, type Hyphenation } from "./compose.ts";
import { centreInside, middleX, middleY, overlapX, overlapY, unite } from "./geometry.ts";
import { findGrids, type Grid } from "./lattice.ts";
import { makePieces, type TextLine } from "./lines.ts";
import { inReadingOrder } from "./order.ts";
import { joinPieces } from "./paragraphs.ts";
import { findRules } from "./rules.ts";
import { splitColumns, splitRows } from "./split.ts";
import { findStreams } from "./stream.ts";
import type { PlacedWord } from "./words.ts";

export interface FoundCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
  words: PlacedWord[];
}

export interface FoundTable {
  page: number;
  box: Box;
  rows: number;
  columns: number;
  cells: FoundCell[];
  ruled: boolean;
}

export function findTables(page: PositionedPage, words: PlacedWord[], pieces: TextLine[]): FoundTable[] {
  const { drawn, shaded } = findRules(page, pieces);
  const tables: FoundTable[] = [];
  const add = (grid: Grid): void => {
    if (tables.some((table) => overlapX(table.box, grid.box) > 0 && overlapY(table.box, grid.box) > 0)) return;
    const table = fillGrid(grid, words, page);
    if (table) tables.push(table);
  };
  for (const grid of findGrids(drawn)) add(grid);
  for (const grid of findGrids(shaded)) if (grid.xs.length > 2) add(grid);
  const inGrids = (piece: TextLine): boolean => tables.some((table) => centreInside(piece.box, table.box));
  const free = pieces.filter((piece) => !inGrids(piece));
  tables.push(...findStreams(page, free, drawn.horizontal));
  return tables.sort((a, b) => a.box[1] - b.box[1]);
}

function fillGrid(grid: Grid, words: PlacedWord[], page: PositionedPage): FoundTable | null {
  const inside = words.filter((word) => centreInside(word.box, grid.box));
  if (!inside.length) return null;
  const cells: FoundCell[] = grid.cells.map((cell) => ({ ...cell, words: [] }));
  const at = new Map<string, FoundCell>();
  for (const cell of cells)
    for (let r = cell.row; r < cell.row + cell.rowSpan; r++)
      for (let c = cell.column; c < cell.column + cell.columnSpan; c++) at.set(`${r},${c}`, cell);
  for (const word of inside) {
    const row = placeOf(grid.ys, middleY(word.box));
    const column = placeOf(grid.xs, middleX(word.box));
    at.get(`${row},${column}`)?.words.push(word);
  }
  const whole: FoundTable = {
    page: page.number,
    box: grid.box,
    rows: grid.ys.length - 1,
    columns: grid.xs.length - 1,
    cells,
    ruled: true,
  };
  const table = splitRows(dropEmpty(splitColumns(whole, grid.xs)));
  const filled = table.cells.filter((cell) => cell.words.length);
  return filled.length >= 2 ? table : null;
}

/** Index of the interval between two of the sorted values in which a value lies. */
function placeOf(values: number[], value: number): number {
  for (let i = 1; i < values.length; i++) if (value <= values[i]!) return i - 1;
  return values.length - 2;
}

/** Rows and columns without any text of their own go; double rules and spacers leave such. */
function dropEmpty(table: FoundTable): FoundTable {
  const filled = table.cells.filter((cell) => cell.words.length);
  const keep = (count: number, start: (cell: FoundCell) => number): number[] => {
    const used = new Set(filled.map(start));
    const places: number[] = [];
    let next = 0;
    for (let i = 0; i < count; i++) {
      places.push(used.has(i) ? next : Math.max(0, next - 1));
      if (used.has(i)) next++;
    }
    places.push(next);
    return places;
  };
  const rows = keep(table.rows, (cell) => cell.row);
  const columns = keep(table.columns, (cell) => cell.column);
  const usedRows = new Set(filled.map((cell) => cell.row));
  const usedColumns = new Set(filled.map((cell) => cell.column));
  const span = (places: Set<number>, from: number, size: number): number => {
    let count = 0;
    for (let i = from; i < from + size; i++) if (places.has(i)) count++;
    return Math.max(1, count);
  };
  const cells = table.cells
    .filter((cell) => cell.words.length || (usedRows.has(cell.row) && usedColumns.has(cell.column)))
    .map((cell) => ({
      ...cell,
      row: rows[cell.row]!,
      column: columns[cell.column]!,
      rowSpan: span(usedRows, cell.row, cell.rowSpan),
      columnSpan: span(usedColumns, cell.column, cell.columnSpan),
    }));
  return { ...table, cells, rows: rows.at(-1)!, columns: columns.at(-1)! };
}

/** The lines of a cell in reading order. */
export function linesOf(cell: FoundCell, page: number): TextLine[] {
  const upright = cell.words.filter((word) => word.rotation === 0);
  const lines = joinPieces(inReadingOrder(makePieces(upright, page)));
  return lines;
}

export function toBlock(table: FoundTable, hyphenation: Hyphenation): Block {
  const cells: Cell[] = table.cells.map((cell) => {
    const lines = linesOf(cell, table.page);
    const { text, words } = composeCell(lines, hyphenation);
    return {
      row: cell.row,
      column: cell.column,
      row_span: cell.rowSpan,
      column_span: cell.columnSpan,
      text,
      header: false,
      bbox: cell.box,
      words,
    };
  });
  const result: Table = {
    page: table.page,
    bbox: table.box,
    rows: table.rows,
    columns: table.columns,
    caption: null,
    cells,
  };
  return { type: "table", text: "", page: table.page, bbox: table.box, table: result };
}

const composeCell = (lines: TextLine[], hyphenation: Hyphenation) => compose(lines, hyphenation);

export const boxOfWords = (words: PlacedWord[]): Box => unite(words.map((word) => word.box));
