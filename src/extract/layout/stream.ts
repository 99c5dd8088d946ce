// Tables without a grid: rows of text whose pieces line up in columns, alone or between horizontal rules.
import type { Box, PositionedPage } from "../document.ts";
import { gapX, median, overlap, unite, widthOf } from "./geometry.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { findGutter } from "./order.ts";
import type { Rule } from "./rules.ts";
import type { FoundCell, FoundTable } from "./tables.ts";

export interface Row {
  pieces: TextLine[];
  base: number;
  box: Box;
  size: number;
}

/** Two rows further apart than this many times the usual distance are not one table. */
const MAX_ROW_GAP = 2.4;
const MARKER = /^(?:[•◦▪■●○‣⁃∙·–—*-]|[([]?(?:\p{N}{1,3}|\p{L}|[ivxl]{1,6})(?:\.\p{N}{1,3})*[.)\]])$/iu;
const BULLET = /^[•◦▪■●○‣⁃∙]$/u;
const LEADERS = /(?:\.\s?){4,}|…{2,}|_{4,}/u;

export function findStreams(page: PositionedPage, pieces: TextLine[], dividers: Rule[]): FoundTable[] {
  const walls = dividers
    .filter((rule) => rule.to - rule.from > WALL * page.height)
    .map((rule) => rule.at)
    .sort((a, b) => a - b);
  const rooms = [...walls, Infinity].map((wall, i) =>
    pieces.filter((piece) => piece.box[0] >= (walls[i - 1] ?? -Infinity) && piece.box[0] < wall),
  );
  return rooms
    .flatMap((room) => proseColumns(room))
    .flatMap((column) => openRegions(toRows(column)).flatMap((region) => toTable(region, page) ?? []));
}

/** A vertical rule over this part of the page's height divides columns, or two pages of a book. */
const WALL = 0.6;

/** Words a piece of prose has at least, for most of its lines. */
const PROSE_WORDS = 4;

/** The pieces of each column of prose by themselves: their rows have nothing to do with each other. */
function proseColumns(pieces: TextLine[], depth = 0): TextLine[][] {
  const gutter = depth < 3 ? findGutter(pieces) : null;
  if (gutter === null) return [pieces];
  const sides = [pieces.filter((piece) => piece.box[2] <= gutter), pieces.filter((piece) => piece.box[0] >= gutter)];
  const isProse = (side: TextLine[]): boolean =>
    side.length >= 8 && side.filter((piece) => piece.words.length >= PROSE_WORDS).length >= 0.5 * side.length;
  return sides.every(isProse) ? sides.flatMap((side) => proseColumns(side, depth + 1)) : [pieces];
}

export function toRows(pieces: TextLine[]): Row[] {
  const rows: Row[] = [];
  for (const piece of [...pieces].sort((a, b) => a.base - b.base)) {
    const row = rows.at(-1);
    if (row && piece.base - row.base < 0.4 * Math.min(piece.size, row.size)) row.pieces.push(piece);
    else rows.push({ pieces: [piece], base: piece.base, box: piece.box, size: piece.size });
  }
  for (const row of rows) {
    row.pieces = mergeMarkers(row.pieces.sort((a, b) => a.box[0] - b.box[0]));
    row.box = unite(row.pieces.map((piece) => piece.box));
    row.size = median(row.pieces.map((piece) => piece.size));
  }
  return rows;
}

/** The marker of a list item is no column: the first piece of a row that is one, and any bullet. */
function mergeMarkers(pieces: TextLine[]): TextLine[] {
  const merged: TextLine[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    const mark = last?.words.length === 1 ? last.words[0]!.text : "";
    const marker = BULLET.test(mark) || (merged.length === 1 && MARKER.test(mark));
    if (last && marker && gapX(last.box, piece.box) < 4 * piece.size)
      merged[merged.length - 1] = makeLine([...last.words, ...piece.words], piece.page);
    else merged.push(piece);
  }
  return merged;
}

/** Stretches of rows that have two pieces or more, with a single one here and there. */
function openRegions(rows: Row[]): Row[][] {
  const regions: Row[][] = [];
  let open: Row[] = [];
  let trailing = 0;
  const close = (): void => {
    if (trailing) open = open.slice(0, open.length - trailing);
    if (open.length >= 3) regions.push(open);
    open = [];
    trailing = 0;
  };
  for (const row of rows) {
    const last = open.at(-1);
    const tabular = row.pieces.length >= 2 && !row.pieces.some(hasLeaders);
    if (last && row.base - last.base > MAX_ROW_GAP * 1.3 * Math.max(last.size, row.size)) close();
    if (last && Math.abs(last.size - row.size) > 0.25 * row.size) close();
    if (tabular) {
      open.push(row);
      trailing = 0;
    } else if (
      open.length &&
      trailing < 2 &&
      row.pieces.length === 1 &&
      widthOf(row.box) < 0.6 * widthOf(unite(open.map((other) => other.box)))
    ) {
      open.push(row);
      trailing++;
    } else close();
  }
  close();
  return regions;
}

const hasLeaders = (piece: TextLine): boolean => LEADERS.test(piece.words.map((word) => word.text).join(" "));

function toTable(region: Row[], page: PositionedPage): FoundTable | null {
  const { rows, columns } = tightest(region);
  if (columns.length < 2) return null;
  const placed = mergeRows(
    rows.map((row) => place(row, columns)),
    columns.length,
  );
  if (!isTable(rows, placed, columns)) return null;
  const cells: FoundCell[] = [];
  for (const [row, entries] of placed.entries())
    for (const entry of entries)
      cells.push({
        row,
        column: entry.first,
        rowSpan: 1,
        columnSpan: entry.last - entry.first + 1,
        box: unite(entry.pieces.map((piece) => piece.box)),
        words: entry.pieces.flatMap((piece) => piece.words),
      });
  return {
    page: page.number,
    box: unite(cells.map((cell) => cell.box)),
    rows: placed.length,
    columns: columns.length,
    cells,
    xs: gapsOf(columns, rows),
  };
}

/** The gaps between the columns of rows, narrow ones too. */
export const findTextGaps = (rows: Row[]) => findGaps(tightest(rows).rows);

/** Narrow gaps divide columns too, where at least half the rows have them at the same place. */
function tightest(rows: Row[]): { rows: Row[]; columns: Column[] } {
  const columns = findColumns(rows);
  const cut = rows.map((row) => ({ ...row, pieces: row.pieces.flatMap(cutWide) }));
  const finer = findColumns(cut);
  if (finer.length <= columns.length) return { rows, columns };
  const several = cut.filter((row) => row.pieces.length > 1).length;
  const supported = findGaps(cut).every(({ bases }) => bases.length >= 0.5 * several);
  return supported ? { rows: cut, columns: finer } : { rows, columns };
}

const NARROW_GAP = 0.55;

function cutWide(piece: TextLine): TextLine[] {
  const words = [...piece.words].sort((a, b) => a.box[0] - b.box[0]);
  const parts = [[words[0]!]];
  for (let i = 1; i < words.length; i++) {
    const marker = i === 1 && MARKER.test(words[0]!.text);
    if (!marker && words[i]!.box[0] - words[i - 1]!.box[2] > NARROW_GAP * piece.size) parts.push([words[i]!]);
    else parts.at(-1)!.push(words[i]!);
  }
  return parts.length === 1 ? [piece] : parts.map((part) => makeLine(part, piece.page));
}

export interface Column {
  from: number;
  to: number;
}

/** Columns are what is left between the gaps that hardly any row bridges. */
export function findColumns(rows: Row[]): Column[] {
  const counts = rows.map((row) => row.pieces.length).sort((a, b) => a - b);
  const typical = counts[Math.floor(0.7 * counts.length)]!;
  const full = rows.filter((row) => row.pieces.length >= Math.max(2, typical - 1));
  const pieces = full.flatMap((row) => row.pieces);
  if (!pieces.length) return [];
  const allowed = full.length >= 4 ? Math.max(1, Math.floor(0.1 * full.length)) : 0;
  const edges = pieces
    .flatMap(({ box }) => [
      { x: box[0], step: 1 },
      { x: box[2], step: -1 },
    ])
    .sort((a, b) => a.x - b.x || b.step - a.step);
  const columns: Column[] = [];
  let depth = 0;
  let open: number | null = null;
  for (const { x, step } of edges) {
    depth += step;
    if (open === null && depth > allowed) open = x;
    else if (open !== null && depth <= allowed) {
      columns.push({ from: open, to: x });
      open = null;
    }
  }
  // gaps narrower than a word space divide nothing
  const size = median(pieces.map((piece) => piece.size));
  const merged: Column[] = [];
  for (const column of columns) {
    const last = merged.at(-1);
    if (last && column.from - last.to < 0.35 * size) last.to = column.to;
    else merged.push({ ...column });
  }
  return merged;
}

export interface Entry {
  first: number;
  last: number;
  pieces: TextLine[];
}

export function place(row: Row, columns: Column[]): Entry[] {
  const entries: Entry[] = [];
  for (const piece of row.pieces) {
    const hits = columns.flatMap((column, i) => {
      const common = overlap(piece.box[0], piece.box[2], column.from, column.to);
      return common > 0.3 * Math.min(widthOf(piece.box), column.to - column.from) || common > 1.2 * piece.size
        ? [i]
        : [];
    });
    const nearest = hits.length ? hits : [nearestColumn(piece, columns)];
    const [first, last] = [Math.min(...nearest), Math.max(...nearest)];
    const same = entries.find((entry) => entry.first <= last && first <= entry.last);
    if (same) {
      same.pieces.push(piece);
      same.first = Math.min(same.first, first);
      same.last = Math.max(same.last, last);
    } else entries.push({ first, last, pieces: [piece] });
  }
  return entries;
}

function nearestColumn(piece: TextLine, columns: Column[]): number {
  const middle = (piece.box[0] + piece.box[2]) / 2;
  let best = 0;
  let least = Infinity;
  for (const [i, column] of columns.entries()) {
    const distance = Math.max(column.from - middle, middle - column.to, 0);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

/** A row with text in few columns, closer to its neighbour than rows are, goes on with the cells of that neighbour. */
function mergeRows(rows: Entry[][], columns: number): Entry[][] {
  const pitches = rows.slice(1).map((row, i) => baseOf(row) - baseOf(rows[i]!));
  const spaced = spacedStarts(rows, pitches);
  const usual = median(pitches);
  const merged: Entry[][] = [];
  for (const [i, row] of rows.entries()) {
    const previous = merged.at(-1);
    const pitch = pitches[i - 1] ?? Infinity;
    const size = row[0]!.pieces[0]!.size;
    const few = row.length <= Math.max(1, 0.4 * columns) && row.every((entry) => entry.first === entry.last);
    const wordy = row.every((entry) => !/^[\d.,%()\s-]+$/.test(textOf(entry)));
    const close = pitch < 0.85 * usual || (row[0]!.first > 0 && pitch < 1.35 * size && pitch <= 1.05 * usual);
    const goesOn = spaced ? !spaced.has(i) : few && wordy && close && fits(row, previous);
    if (previous && goesOn) addTo(previous, row);
    else merged.push(row.map((entry) => ({ ...entry, pieces: [...entry.pieces] })));
  }
  return merged;
}

const baseOf = (row: Entry[]): number => row[0]!.pieces[0]!.base;

const fits = (row: Entry[], previous: Entry[] | undefined): boolean =>
  !!previous && row.every((entry) => previous.some((other) => other.first <= entry.first && other.last >= entry.last));

function addTo(row: Entry[], more: Entry[]): void {
  for (const entry of more) {
    const cell = row.find((other) => other.first <= entry.last && entry.first <= other.last);
    if (cell) cell.pieces.push(...entry.pieces);
    else row.push({ ...entry, pieces: [...entry.pieces] });
  }
}

/** Where cells of several lines are parted by wider gaps: the rows after those gaps; null where gaps say nothing. */
function spacedStarts(rows: Entry[][], pitches: number[]): Set<number> | null {
  if (rows.length < 4) return null;
  const tight = [...pitches].sort((a, b) => a - b)[Math.floor(0.15 * pitches.length)]!;
  const starts = new Set([0, ...pitches.flatMap((pitch, i) => (pitch > 1.15 * tight ? [i + 1] : []))]);
  const within = rows.filter((_, i) => !starts.has(i));
  if (starts.size < 3 || within.length < 3) return null;
  const mean = (list: Entry[][]): number => list.reduce((sum, row) => sum + row.length, 0) / list.length;
  const heads = rows.filter((_, i) => starts.has(i));
  const led = heads.filter((row) => row[0]!.first === 0 || row.at(-1)!.last > 1).length;
  // rows of a table in groups are all alike; lines that go on with a cell fill fewer columns
  return mean(within) <= 0.7 * mean(heads) && led >= 0.8 * heads.length ? starts : null;
}

const textOf = (entry: Entry): string =>
  entry.pieces.flatMap((piece) => piece.words.map((word) => word.text)).join(" ");

/** Prose in columns fills its lines; cells end where they like. */
function isTable(rows: Row[], placed: Entry[][], columns: Column[]): boolean {
  const filled = placed.reduce((sum, row) => sum + row.length, 0);
  const wide = placed.filter((row) => row.length >= 2).length;
  if (placed.length < 2 || wide < 2) return false;
  let [forced, all, numbers, words, cells] = [0, 0, 0, 0, 0];
  for (const [i, column] of columns.entries()) {
    const available = (columns[i + 1]?.from ?? column.to) - (columns[i - 1]?.to ?? column.from);
    const lines = rows.flatMap((row) =>
      row.pieces.filter((piece) => overlap(piece.box[0], piece.box[2], column.from, column.to) > 0),
    );
    for (const [k, line] of lines.entries()) {
      cells++;
      words += line.words.length;
      if (/\d/.test(line.words[0]!.text)) numbers++;
      const next = lines[k + 1];
      if (!next) continue;
      all++;
      const figures = /\d/.test(line.words[0]!.text) && /\d/.test(next.words[0]!.text) && line.words.length === 1;
      if (figures || available - line.size - widthOf(line.box) > widthOf(next.words[0]!.box)) forced++;
    }
  }
  const share = all ? forced / all : 1;
  const density = filled / (placed.length * columns.length);
  if (density < 0.4 || wide < 0.6 * placed.length) return false;
  if (columns.length === 2) return placed.length >= 4 && share >= 0.75 && words / cells < 5 && numbers >= 0.3 * cells;
  if (words / cells >= 6 || placed.length < 3) return false;
  if (numbers >= 0.15 * cells) return share >= 0.55;
  // without figures only columns that start or end at the same place are believed
  return (
    share >= 0.5 &&
    density >= 0.6 &&
    placed.length >= 4 &&
    words / cells < 4.5 &&
    columns.every((column) => isAligned(column, rows))
  );
}

/** The gaps between columns, and the rows that stand on both sides of each. */
function findGaps(rows: Row[]): { x: number; bases: number[] }[] {
  const columns = findColumns(rows);
  const placed = rows.map((row) => ({ base: row.base, entries: place(row, columns) }));
  return columns.slice(1).map((column, i) => {
    let [left, right] = [columns[i]!.to, column.from];
    const bases: number[] = [];
    let [far, near] = [left, right];
    for (const { base, entries } of placed) {
      const before = entries.filter((entry) => entry.last <= i);
      const after = entries.filter((entry) => entry.first > i);
      if (before.length && after.length) bases.push(base);
      for (const entry of before) far = Math.max(far, ...entry.pieces.map((piece) => piece.box[2]));
      for (const entry of after) near = Math.min(near, ...entry.pieces.map((piece) => piece.box[0]));
    }
    // a long label that reaches into the gap moves the border, as long as it does not reach the next column
    if (far < near) [left, right] = [far, near];
    return { x: (left + right) / 2, bases };
  });
}

/** Outer edges and the gaps between columns. */
const gapsOf = (columns: Column[], rows: Row[]): number[] => [
  columns[0]!.from,
  ...findGaps(rows).map(({ x }) => x),
  columns.at(-1)!.to,
];

/** Part of a column's pieces that must share one of its two commonest edges. */
const ALIGNED = 0.75;

function isAligned(column: Column, rows: Row[]): boolean {
  const own = rows.flatMap((row) =>
    row.pieces.filter((piece) => overlap(piece.box[0], piece.box[2], column.from, column.to) > 0),
  );
  const shared = (side: 0 | 2): number => {
    const counts = new Map<number, number>();
    for (const piece of own) {
      const key = Math.round(piece.box[side] / 2);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const [first = 0, second = 0] = [...counts.values()].sort((a, b) => b - a);
    return first + second;
  };
  return Math.max(shared(0), shared(2)) >= ALIGNED * own.length;
}
