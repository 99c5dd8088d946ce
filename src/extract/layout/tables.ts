// Tables of a page: grids from rules, shades and aligned text, filled with the words that stand in their cells.
import type { Box, PositionedPage } from "../document.ts";
import { findBands } from "./bands.ts";
import { centreInside, middleX, middleY, overlapX, overlapY } from "./geometry.ts";
import { findGrids, type Grid, type TextGaps } from "./lattice.ts";
import type { TextLine } from "./lines.ts";
import { findRules } from "./rules.ts";
import { splitColumns, splitRows } from "./split.ts";
import { findStreams, findTextGaps, toRows } from "./stream.ts";
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
  /** Edges of the columns, of a table in several pages the same on each. */
  xs: number[];
}

export function findTables(page: PositionedPage, words: PlacedWord[], pieces: TextLine[]): FoundTable[] {
  const { drawn, shaded } = findRules(page, pieces);
  const tables: FoundTable[] = [];
  const add = (grid: Grid, atLeast: { rows: number; columns: number }): void => {
    if (tables.some((table) => overlapX(table.box, grid.box) > 0 && overlapY(table.box, grid.box) > 0)) return;
    const whole = fillGrid(grid, words, page);
    if (isCrossed(whole)) return;
    const table = splitRows(whole);
    const [rows, columns] = [
      new Set(table.cells.filter((cell) => cell.words.length).map((cell) => cell.row)).size,
      new Set(table.cells.filter((cell) => cell.words.length).map((cell) => cell.column)).size,
    ];
    if (rows >= atLeast.rows && columns >= atLeast.columns && rows * columns > 1) tables.push(table);
  };
  const textGaps: TextGaps = (box) => {
    const rows = toRows(pieces.filter((piece) => centreInside(piece.box, box)));
    return rows.some((row) => row.pieces.length > 1) ? findTextGaps(rows) : [];
  };
  for (const grid of findGrids(drawn, textGaps)) add(grid, { rows: 1, columns: 1 });
  const free = (): TextLine[] => pieces.filter((piece) => !tables.some((table) => centreInside(piece.box, table.box)));
  for (const grid of findGrids(shaded, textGaps))
    if (grid.xs.length > 2 && grid.ys.length > 3) add(grid, { rows: 2, columns: 2 });
  for (const grid of findBands(page, free(), drawn.horizontal, textGaps)) add(grid, { rows: 2, columns: 2 });
  tables.push(...findStreams(page, free(), drawn.vertical));
  return tables.sort((a, b) => a.box[1] - b.box[1]);
}

/** Part of the words that may stick out of their cells in a table; more, and the lines are a drawing behind the text. */
const MAX_CROSSING = 0.08;

function isCrossed(table: FoundTable): boolean {
  let [crossing, all] = [0, 0];
  for (const { box, words } of table.cells)
    for (const word of words) {
      if (word.rotation) continue;
      all++;
      const slack = 0.35 * word.size;
      if (
        word.box[0] < box[0] - slack ||
        word.box[2] > box[2] + slack ||
        word.box[1] < box[1] - slack ||
        word.box[3] > box[3] + slack
      )
        crossing++;
    }
  return crossing > MAX_CROSSING * all;
}

function fillGrid(grid: Grid, words: PlacedWord[], page: PositionedPage): FoundTable {
  const cells: FoundCell[] = grid.cells.map((cell) => ({ ...cell, words: [] }));
  const columns = grid.xs.length - 1;
  const at: FoundCell[] = [];
  for (const cell of cells)
    for (let r = cell.row; r < cell.row + cell.rowSpan; r++)
      for (let c = cell.column; c < cell.column + cell.columnSpan; c++) at[r * columns + c] = cell;
  for (const word of words)
    if (centreInside(word.box, grid.box))
      at[placeOf(grid.ys, middleY(word.box)) * columns + placeOf(grid.xs, middleX(word.box))]?.words.push(word);
  const whole: FoundTable = { page: page.number, box: grid.box, rows: grid.ys.length - 1, columns, cells, xs: grid.xs };
  return splitColumns(whole, grid.xs);
}

/** Index of the interval between two of the sorted values in which a value lies. */
function placeOf(values: number[], value: number): number {
  for (let i = 1; i < values.length; i++) if (value <= values[i]!) return i - 1;
  return values.length - 2;
}
