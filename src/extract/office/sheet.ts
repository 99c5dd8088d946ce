// A sheet as all spreadsheet readers hand it over, and the blocks it becomes: a table for each data region, lone cells as text.

import { Fault } from "../../errors.ts";
import type { Block, Cell } from "../document.ts";
import { tableBlock } from "./cells.ts";
import { findRegions, type Merge, type Region, type SheetCell } from "./sheet-regions.ts";

/** Cells with content in one workbook. The result holds each some five times, as cell, text, markdown, evidence. */
export const MAX_SHEET_CELLS = 400_000;

export interface Sheet {
  name: string;
  hidden: boolean;
  cells: SheetCell[];
  merges: Merge[];
  comments: { address: string; text: string }[];
  /** Pictures, charts and text boxes that lie over the cells. */
  drawings: Block[];
}

export const newSheet = (name: string, hidden: boolean): Sheet => ({
  name,
  hidden,
  cells: [],
  merges: [],
  comments: [],
  drawings: [],
});

export function tooManyCells(): Fault {
  return new Fault("document_too_complex", {
    detail: `The workbook has more than ${MAX_SHEET_CELLS} filled cells. Choose sheets with options[pages].`,
  });
}

/** 0 → A, 26 → AA. */
export function columnName(column: number): string {
  let name = "";
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26)) name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  return name;
}

export const addressOf = (row: number, column: number) => `${columnName(column)}${row + 1}`;

/** "BC12" → row 11, column 54; null for anything else. */
export function parseAddress(address: string): { row: number; column: number } | null {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(address);
  if (!match) return null;
  let column = 0;
  for (const letter of match[1]!) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(match[2]) - 1, column: column - 1 };
}

const mergeKey = (row: number, column: number) => row * 65_536 + column;

/** Rows at the top that name the columns: text throughout, over other values, or set in bold over what is not. */
function countHeaderRows(rows: SheetCell[][], merges: Map<number, Merge>): number {
  let header = 0;
  while (header < rows.length - 1 && header < 5) {
    const row = rows[header]!;
    if (!row.every((cell) => cell.isText)) return 0;
    const wide = row.some((cell) => (merges.get(mergeKey(cell.row, cell.column))?.columns ?? 1) > 1);
    header++;
    if (!wide) break;
  }
  if (header === 0 || header >= rows.length) return 0;
  const last = rows[header - 1]!;
  const below = rows.slice(header);
  const boldOver = last.every((cell) => cell.bold) && !below[0]!.every((cell) => cell.bold);
  const otherBelow = below.some((row) => row.some((cell) => !cell.isText));
  const width = Math.max(...below.slice(0, 100).map((row) => row.length));
  const distinct = new Set(last.map((cell) => cell.text)).size === last.length;
  return boldOver || (distinct && last.length > 1 && (otherBelow || last.length >= width)) ? header : 0;
}

/** A lone cell over a wider table is its title, not a row of it. */
function splitTitles(
  rows: SheetCell[][],
  region: Region,
  merges: Map<number, Merge>,
): { titles: SheetCell[]; rows: SheetCell[][] } {
  const wide = region.right - region.left >= 1;
  let top = 0;
  while (wide && rows.length - top > 2 && rows[top]!.length === 1 && top < 5) {
    const cell = rows[top]![0]!;
    if (
      !cell.isText ||
      merges.has(mergeKey(cell.row, cell.column)) ||
      rows.slice(top + 1).every((row) => row.length === 1)
    )
      break;
    top++;
  }
  return { titles: rows.slice(0, top).flat(), rows: rows.slice(top) };
}

function loneCell(cell: SheetCell, page: number): Block {
  return { type: "paragraph", text: cell.text, page, bbox: null, address: addressOf(cell.row, cell.column) };
}

function regionBlocks(region: Region, merges: Map<number, Merge>, page: number): Block[] {
  const byRow = new Map<number, SheetCell[]>();
  for (const cell of region.cells) {
    const row = byRow.get(cell.row);
    if (row) row.push(cell);
    else byRow.set(cell.row, [cell]);
  }
  const all = [...byRow.entries()].sort(([a], [b]) => a - b).map(([, row]) => row.sort((a, b) => a.column - b.column));
  if (region.cells.length === 1) return [loneCell(region.cells[0]!, page)];
  const { titles, rows } = splitTitles(all, region, merges);
  const headerRows = countHeaderRows(rows, merges);
  const top = rows[0]![0]!.row;
  const cells: Cell[] = rows.flatMap((row, at) =>
    row.map((cell) => {
      const merge = merges.get(mergeKey(cell.row, cell.column));
      return {
        row: cell.row - top,
        column: cell.column - region.left,
        row_span: merge?.rows ?? 1,
        column_span: merge?.columns ?? 1,
        text: cell.text,
        header: at < headerRows,
        bbox: null,
        address: addressOf(cell.row, cell.column),
      };
    }),
  );
  return [...titles.map((cell) => loneCell(cell, page)), tableBlock(cells, { page, rows: region.bottom - top + 1 })];
}

export function sheetBlocks(sheet: Sheet, page: number): Block[] {
  const merges = new Map(sheet.merges.map((merge) => [mergeKey(merge.row, merge.column), merge]));
  const blocks = findRegions(sheet.cells, sheet.merges).flatMap((region) => regionBlocks(region, merges, page));
  blocks.push(...sheet.drawings);
  for (const { address, text } of sheet.comments)
    if (text !== "") blocks.push({ type: "paragraph", text, page, bbox: null, role: "comment", address });
  return blocks;
}
