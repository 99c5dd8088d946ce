// Tables of every office kind end here: blocks read inside a cell become its text, and cells become a table block.

import type { Block, Box, Cell } from "../document.ts";

/** Cells of one table; past this it is no table a reader can use, and every cell costs memory three times. */
export const MAX_CELLS = 500_000;

function lineOf(block: Block): string {
  return block.type === "list_item" && block.marker ? `${block.marker} ${block.text}` : block.text;
}

/** The text of a cell, a line for each block; tables and pictures inside follow the table on their own. */
export function cellText(blocks: Block[]): { text: string; rest: Block[] } {
  const lines: string[] = [];
  const rest: Block[] = [];
  for (const block of blocks) {
    if (block.type === "table" || block.type === "figure") rest.push(block);
    else lines.push(lineOf(block));
  }
  return { text: lines.join("\n"), rest };
}

interface TableShape {
  page: number;
  bbox?: Box | null;
  rows: number;
  caption?: string | null;
}

export function tableBlock(cells: Cell[], { page, bbox = null, rows, caption = null }: TableShape): Block {
  let columns = 0;
  let lowest = rows;
  for (const cell of cells) {
    columns = Math.max(columns, cell.column + cell.column_span);
    lowest = Math.max(lowest, cell.row + cell.row_span);
  }
  return { type: "table", text: "", page, bbox, table: { page, bbox, rows: lowest, columns, caption, cells } };
}

/** Rows of plain texts, the first row as header. */
export function plainTable(rows: string[][], shape: Omit<TableShape, "rows">, headerRows = 1): Block {
  const cells = rows.flatMap((texts, row) =>
    texts.map((text, column) => ({
      row, column, row_span: 1, column_span: 1, text, header: row < headerRows, bbox: null,
    })),
  ); // biome-ignore format: one cell
  return tableBlock(cells, { ...shape, rows: rows.length });
}
