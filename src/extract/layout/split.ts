// Ruled tables often rule only rows or only columns: what the rules leave together is divided by how the text lines up.
import type { Box } from "../document.ts";
import { median, unite, widthOf } from "./geometry.ts";
import { cutPiece, makePieces, type TextLine } from "./lines.ts";
import type { FoundCell, FoundTable } from "./tables.ts";

/** A cell over several columns whose pieces each stand in a column of their own is several cells. */
export function splitColumns(table: FoundTable, xs: number[]): FoundTable {
  const cells: FoundCell[] = [];
  for (const cell of table.cells) {
    const parts = cell.columnSpan > 1 && cell.words.length > 1 ? divide(cell, xs, table.page) : null;
    cells.push(...(parts ?? [cell]));
  }
  return { ...table, cells };
}

function divide(cell: FoundCell, xs: number[], page: number): FoundCell[] | null {
  const upright = cell.words.filter((word) => word.rotation === 0);
  const pieces = makePieces(upright, page).flatMap((piece) => cutPiece(piece, xs));
  const placed = pieces.map((piece) => ({ piece, ...columnsOf(piece, xs, cell) }));
  const beside = placed.some((a) => placed.some((b) => a.last < b.first));
  if (!beside) return null;
  // columns bridged by one piece stay together
  const starts = new Set<number>();
  for (let column = cell.column; column < cell.column + cell.columnSpan; column++)
    if (!placed.some(({ first, last }) => first < column && last >= column)) starts.add(column);
  const columns = [...starts].sort((a, b) => a - b);
  if (columns.length < 2) return null;
  return columns.map((column, i) => {
    const end = columns[i + 1] ?? cell.column + cell.columnSpan;
    const words = placed.filter(({ first }) => first >= column && first < end).flatMap(({ piece }) => piece.words);
    const box: Box = [xs[column]!, cell.box[1], xs[end]!, cell.box[3]];
    return { ...cell, column, columnSpan: end - column, box, words };
  });
}

/** Columns a piece stands in; a hair over the border does not count. */
function columnsOf(piece: TextLine, xs: number[], cell: FoundCell): { first: number; last: number } {
  const slack = 0.25 * piece.size;
  let [first, last] = [cell.column, cell.column];
  const end = cell.column + cell.columnSpan;
  for (let column = cell.column; column < end; column++) {
    if (piece.box[0] + slack >= xs[column]!) first = column;
    if (piece.box[2] - slack > xs[column]!) last = column;
  }
  return { first, last: Math.max(first, last) };
}

/** A band counts as rows of text when this share of its line breaks was made on purpose. */
const FORCED_SHARE = 0.7;

/** A row of the grid that holds several rows of text, aligned over its columns, becomes as many rows. */
export function splitRows(table: FoundTable): FoundTable {
  const insertions = new Map<number, { cuts: number[]; spanning: Set<FoundCell> }>();
  for (let row = 0; row < table.rows; row++) {
    const band = table.cells.filter((cell) => cell.row === row && cell.rowSpan === 1 && cell.words.length);
    const cuts = band.length >= 2 ? findCuts(band, table) : null;
    if (cuts) insertions.set(row, cuts);
  }
  if (!insertions.size) return table;
  const starts: number[] = [];
  let next = 0;
  for (let row = 0; row < table.rows; row++) {
    starts.push(next);
    next += 1 + (insertions.get(row)?.cuts.length ?? 0);
  }
  starts.push(next);
  const cells: FoundCell[] = [];
  for (const cell of table.cells) {
    const band = cell.rowSpan === 1 ? insertions.get(cell.row) : undefined;
    const start = starts[cell.row]!;
    const cuts = band?.cuts;
    if (!cuts || band.spanning.has(cell)) {
      cells.push({ ...cell, row: start, rowSpan: starts[cell.row + cell.rowSpan]! - start });
      continue;
    }
    const edges = [cell.box[1], ...cuts, cell.box[3]];
    for (let i = 0; i + 1 < edges.length; i++) {
      const [top, bottom] = [edges[i]!, edges[i + 1]!];
      const words = cell.words.filter((word) => {
        const middle = (word.box[1] + word.box[3]) / 2;
        return (middle >= top || i === 0) && (middle < bottom || i + 2 === edges.length);
      });
      cells.push({ ...cell, row: start + i, rowSpan: 1, box: [cell.box[0], top, cell.box[2], bottom], words });
    }
  }
  return { ...table, rows: next, cells };
}

/** Heights at which a band of cells is cut into rows, and the cells that reach over all of them; null where it is one row. */
function findCuts(band: FoundCell[], table: FoundTable): { cuts: number[]; spanning: Set<FoundCell> } | null {
  const columns = band.map((cell) => ({
    cell,
    lines: rowsOf(
      makePieces(
        cell.words.filter((word) => word.rotation === 0),
        table.page,
      ),
    ),
  }));
  const tall = columns.filter(({ lines }) => lines.length >= 2);
  if (tall.length < 2) return null;
  let [forced, all] = [0, 0];
  for (const { cell, lines } of tall)
    for (let i = 1; i < lines.length; i++) {
      all++;
      if (isForced(lines[i - 1]!, lines[i]!, cell)) forced++;
    }
  if (forced < FORCED_SHARE * all) return null;
  const rows = alignRows(tall.map(({ lines }) => lines));
  const figures = tall.filter(({ lines }) => lines.every(isNumber)).length;
  if (rows.length === 2 && (figures * 2 < tall.length || forced < all)) return null;
  const full = rows.filter((row) => row.columns >= Math.max(2, 0.5 * tall.length)).length;
  if (full < 0.6 * rows.length) return null;
  // a line in a single column under a full row goes on with a cell of that row
  const heads = rows.filter((row, i) => i === 0 || row.columns > 1 || row.first);
  const isOnRow = (line: TextLine): boolean => heads.some((row) => Math.abs(row.base - line.base) < 0.45 * line.size);
  const spanning = new Set(
    columns.filter(({ lines }) => lines.length === 1 && !isOnRow(lines[0]!)).map(({ cell }) => cell),
  );
  return { cuts: heads.slice(1).map((row) => row.top - 0.5), spanning };
}

/** Figures never flow from line to line; words do, unless the next one had room on the line before. */
function isForced(a: TextLine, b: TextLine, cell: FoundCell): boolean {
  if (isNumber(a) && isNumber(b)) return true;
  const room = widthOf(cell.box) - widthOf(a.box) - 0.6 * b.size;
  return room > widthOf(b.words[0]!.box) + 0.3 * b.size;
}

const isNumber = (line: TextLine): boolean =>
  line.words.every((word) => /^[\p{N}\p{Sc}.,:%()<>=*†‡–—−+-]+$/u.test(word.text));

/** Pieces of one cell joined into rows of text. */
function rowsOf(pieces: TextLine[]): TextLine[] {
  const rows: TextLine[] = [];
  for (const piece of [...pieces].sort((a, b) => a.base - b.base)) {
    const last = rows.at(-1);
    if (last && Math.abs(last.base - piece.base) < 0.5 * piece.size) last.box = unite([last.box, piece.box]);
    else rows.push({ ...piece });
  }
  return rows;
}

function alignRows(columns: TextLine[][]): { base: number; top: number; columns: number; first: boolean }[] {
  const size = median(columns.flatMap((lines) => lines.map((line) => line.size)));
  const all = columns
    .flatMap((lines, column) => lines.map((line) => ({ line, column })))
    .sort((a, b) => a.line.base - b.line.base);
  const rows: { base: number; top: number; columns: number; first: boolean }[] = [];
  for (const { line, column } of all) {
    const last = rows.at(-1);
    if (last && line.base - last.base < 0.45 * size) {
      last.columns++;
      last.top = Math.min(last.top, line.box[1]);
      last.first ||= column === 0;
    } else rows.push({ base: line.base, top: line.box[1], columns: 1, first: column === 0 });
  }
  return rows;
}
