// Tables of RTF and DOC have no grid: each row only says where its cells end. The grid is the set of all edges in the table.

import type { Block, Cell } from "../document.ts";
import { tableBlock } from "./cells.ts";

export interface EdgeShape {
  /** Right edge, in twips. */
  edge: number;
  across: "none" | "start" | "continue";
  down: "none" | "start" | "continue";
}

export interface EdgeRow {
  left: number;
  shapes: EdgeShape[];
  cells: { text: string; bold: boolean }[];
  header: boolean;
}

/** Edges closer than this are one: 20 twips are a point. */
const SAME_EDGE_TWIPS = 40;

function gridOf(rows: EdgeRow[]): number[] {
  const all = rows.flatMap((row) => [row.left, ...row.shapes.map((shape) => shape.edge)]).sort((a, b) => a - b);
  const grid: number[] = [];
  for (const edge of all) if (grid.length === 0 || edge - grid.at(-1)! > SAME_EDGE_TWIPS) grid.push(edge);
  return grid;
}

/** The last grid line at or before the edge. */
function lineOf(grid: number[], edge: number): number {
  let low = 0;
  let high = grid.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (grid[middle]! <= edge) low = middle;
    else high = middle - 1;
  }
  return low;
}

function addRow(row: EdgeRow, at: number, grid: number[], cells: Cell[], open: Map<number, Cell>): void {
  let left = row.left;
  let last: Cell | null = null;
  row.cells.forEach(({ text }, n) => {
    const shape = row.shapes[n] ?? { edge: left + SAME_EDGE_TWIPS * 2 + 1, across: "none", down: "none" };
    const column = Math.max(lineOf(grid, left), last ? last.column + last.column_span : 0);
    const column_span = Math.max(1, lineOf(grid, shape.edge) - column);
    left = Math.max(left, shape.edge);
    if (shape.across === "continue" && last) {
      last.column_span += column_span;
      return;
    }
    const above = open.get(column);
    if (shape.down === "continue" && above && above.row + above.row_span === at) {
      above.row_span++;
      last = { ...above, column, column_span };
      return;
    }
    const cell: Cell = { row: at, column, row_span: 1, column_span, text, header: row.header, bbox: null };
    cells.push(cell);
    if (shape.down === "start") open.set(column, cell);
    else open.delete(column);
    last = cell;
  });
}

export function edgeTable(rows: EdgeRow[], page: number): Block {
  const grid = gridOf(rows);
  const cells: Cell[] = [];
  const open = new Map<number, Cell>();
  for (const [at, row] of rows.entries()) addRow(row, at, grid, cells, open);
  const bold = rows
    .slice(0, 2)
    .map((row) => row.cells.some((c) => c.text !== "") && row.cells.every((c) => c.text === "" || c.bold));
  if (rows.length > 1 && !rows.some((row) => row.header) && bold[0] && !bold[1])
    for (const cell of cells) cell.header = cell.row === 0;
  return tableBlock(cells, { page, rows: rows.length });
}
