// Lines in reading order → groups of lines that are one paragraph, heading or list item.
import { gapX, heightOf, middleX, overlapX, widthOf } from "./geometry.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { findMarkers, type Marker } from "./lists.ts";

export interface Group {
  lines: TextLine[];
  marker: Marker | null;
}

/** Pieces beside each other in one column become one line. */
export function joinPieces(pieces: TextLine[]): TextLine[] {
  const starts = countStarts(pieces);
  const rows = [...pieces].sort((a, b) => a.base - b.base);
  const lines: TextLine[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last && last.page === piece.page && isSameRow(last, piece) && !areColumns(last, piece, starts, rows))
      lines[lines.length - 1] = makeLine([...last.words, ...piece.words], piece.page);
    else lines.push(piece);
  }
  return lines;
}

const startOf = (line: TextLine): number => Math.round(line.rtl ? line.box[2] : line.box[0]);

/** How many pieces of the page start at each x. */
function countStarts(pieces: TextLine[]): Map<number, number> {
  const starts = new Map<number, number>();
  for (const piece of pieces) starts.set(startOf(piece), (starts.get(startOf(piece)) ?? 0) + 1);
  return starts;
}

/** Two pieces that each start where other lines do stand in two columns, unless a line next to them bridges the gap. */
function areColumns(a: TextLine, b: TextLine, starts: Map<number, number>, rows: TextLine[]): boolean {
  if (gapX(a.box, b.box) < 0.95 * Math.max(a.size, b.size) || a.words.length < 3) return false;
  const popular = (line: TextLine): boolean =>
    [-1, 0, 1].reduce((sum, step) => sum + (starts.get(startOf(line) + step) ?? 0), 0) >= 3;
  if (!popular(a) || !popular(b)) return false;
  const gap = (Math.min(a.box[2], b.box[2]) + Math.max(a.box[0], b.box[0])) / 2;
  return !rows.some((row) => Math.abs(row.base - a.base) < 2 * a.size && row.box[0] < gap && row.box[2] > gap);
}

function isSameRow(a: TextLine, b: TextLine): boolean {
  const size = Math.max(a.size, b.size);
  if (Math.abs(a.base - b.base) > 0.3 * size) return false;
  if (gapX(a.box, b.box) < -0.3 * size) return false;
  return a.rtl && b.rtl ? b.box[2] <= a.box[0] + size : b.box[0] >= a.box[2] - size;
}

/** Line pitch over font size that most lines of the document have, by font size. */
export class Pitches {
  private readonly bySize = new Map<number, number>();
  private readonly common: number;

  constructor(lines: TextLine[]) {
    const counts = new Map<number, Map<number, number>>();
    for (let i = 1; i < lines.length; i++) {
      const [a, b] = [lines[i - 1]!, lines[i]!];
      if (a.page !== b.page || Math.abs(a.size - b.size) > 0.2 || overlapX(a.box, b.box) <= 0) continue;
      const pitch = (b.base - a.base) / b.size;
      if (pitch < 0.7 || pitch > 2.6) continue;
      const key = sizeKey(b.size);
      const bin = Math.round(pitch * 25);
      const bins = counts.get(key) ?? new Map<number, number>();
      counts.set(key, bins.set(bin, (bins.get(bin) ?? 0) + widthOf(a.box)));
    }
    let total = 0;
    this.common = 1.2;
    for (const [key, bins] of counts) {
      let best = 0;
      let most = 0;
      let all = 0;
      for (const bin of [...bins.keys()].sort((a, b) => a - b)) {
        const weight = bins.get(bin)! + 0.5 * ((bins.get(bin - 1) ?? 0) + (bins.get(bin + 1) ?? 0));
        all += bins.get(bin)!;
        if (weight > most * 1.15) {
          most = weight;
          best = bin;
        }
      }
      this.bySize.set(key, best / 25);
      if (all > total) {
        total = all;
        this.common = best / 25;
      }
    }
  }

  of(size: number): number {
    return this.bySize.get(sizeKey(size)) ?? Math.max(1.1, Math.min(this.common, 1.35));
  }
}

const sizeKey = (size: number): number => Math.round(size * 2);

/** `named` gives lines that only flow into lines of the same name. */
export function groupLines(lines: TextLine[], pitches: Pitches, named: (line: TextLine) => string): Group[] {
  const rooms = measureRooms(lines);
  const markers = findMarkers(lines);
  const groups: Group[] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const marker = markers.get(line) ?? null;
    const same = group && named(group.lines.at(-1)!) === named(line);
    if (same && continues(group, line, marker, pitches, rooms)) group.lines.push(line);
    else groups.push({ lines: [line], marker });
  }
  return groups;
}

/** For each line the space between its end and the edge of its column. */
type Rooms = Map<TextLine, number>;

function measureRooms(lines: TextLine[]): Rooms {
  const rooms: Rooms = new Map();
  let start = 0;
  for (let i = 1; i <= lines.length; i++) {
    const [a, b] = [lines[i - 1]!, lines[i]];
    const flows = b && b.page === a.page && b.base > a.base && overlapX(a.box, b.box) > 0;
    if (flows) continue;
    measureColumn(lines.slice(start, i), rooms);
    start = i;
  }
  return rooms;
}

function measureColumn(column: TextLine[], rooms: Rooms): void {
  // right-to-left text may still be set flush left, as careless writers do
  const rtl = column.filter((line) => line.rtl).length * 2 > column.length;
  const leftward = rtl && shareFlush(column, 2) >= Math.min(0.6, shareFlush(column, 0));
  const far = (line: TextLine): number => (leftward ? -line.box[0] : line.box[2]);
  // by size: a title over two columns must not widen the first of them
  const reach = new Map<number, number>();
  for (const line of column)
    reach.set(sizeKey(line.size), Math.max(reach.get(sizeKey(line.size)) ?? -Infinity, far(line)));
  const near = (line: TextLine): number => (leftward ? -line.box[2] : line.box[0]);
  const start = Math.min(...column.map(near));
  let from = 0;
  for (let i = 1; i <= column.length; i++) {
    const [a, b] = [column[i - 1]!, column[i]];
    if (b && Math.abs(near(a) - near(b)) < 1.5 && sizeKey(a.size) === sizeKey(b.size)) continue;
    // text set in on one side, a quotation, may be set in as much on the other
    const block = column.slice(from, i);
    const inset = near(block[0]!) - start;
    const own = Math.max(...block.map(far));
    const edge = Math.max(own, reach.get(sizeKey(a.size))! - inset);
    for (const line of block) rooms.set(line, edge - far(line));
    from = i;
  }
}

/** Share of lines that end, on one side, where another one does; glyphs of some scripts reach over the edge a little. */
function shareFlush(lines: TextLine[], side: 0 | 2): number {
  const ends = lines.map((line) => line.box[side]).sort((a, b) => a - b);
  const near = 0.35 * (lines[0]?.size ?? 0);
  const shared = ends.filter(
    (end, i) => end - (ends[i - 1] ?? -Infinity) < near || (ends[i + 1] ?? Infinity) - end < near,
  );
  return shared.length / lines.length;
}

function continues(group: Group, line: TextLine, marker: Marker | null, pitches: Pitches, rooms: Rooms): boolean {
  const last = group.lines.at(-1)!;
  const first = group.lines[0]!;
  if (marker) return false;
  const scale = Math.abs(last.size - line.size) / Math.max(last.size, line.size);
  if (scale > 0.07 || (scale > 0.03 && last.font !== line.font)) return false;
  if (isStyleBreak(last, line)) return false;
  if (last.page !== line.page || line.base < last.base) return continuesOver(group, line, rooms);
  const pitch = (line.base - last.base) / line.size;
  const usual = pitches.of(line.size);
  const own = group.lines.length > 1 ? (last.base - group.lines.at(-2)!.base) / line.size : usual;
  if (pitch > 1.22 * Math.max(usual, Math.min(own, 1.25 * usual)) || pitch < 0.6) return false;
  if (overlapX(last.box, line.box) <= 0) return false;
  if (isEntry(last) && isEntry(line)) return false;
  if (isCentred(last, line) && !isJustified(last, line)) return line.size > 0 && sameLook(last, line);
  if (wouldFit(last, line, rooms)) return false;
  return !isIndented(first, group.lines, line);
}

const LABEL = /^\p{L}[\p{L}\p{N} .#°/()-]{1,40}:\s\S/u;
/** Wider than any space that fills a justified line. */
const WIDE_GAP = 2.5;

/** "Due date: 13 November", or a name and a value with a wide gap between: one of several entries, not a line of prose. */
function isEntry(line: TextLine): boolean {
  if (line.words.length > 12) return false;
  const gaps = line.words.slice(1).map((word, i) => word.box[0] - line.words[i]!.box[2]);
  return Math.max(0, ...gaps) > WIDE_GAP * line.size || LABEL.test(line.words.map((word) => word.text).join(" "));
}

/** A change from bold to plain or back over whole lines. */
const isStyleBreak = (a: TextLine, b: TextLine): boolean =>
  a.bold !== b.bold && (a.bold ? !b.words[0]!.bold : !a.words.at(-1)!.bold);

const sameLook = (a: TextLine, b: TextLine): boolean =>
  a.bold === b.bold && Math.abs(a.size - b.size) < 0.3 && a.color === b.color;

const isCentred = (a: TextLine, b: TextLine): boolean =>
  Math.abs(middleX(a.box) - middleX(b.box)) < 0.4 * a.size && Math.abs(a.box[0] - b.box[0]) > 0.8 * a.size;

const isJustified = (a: TextLine, b: TextLine): boolean =>
  Math.abs(a.box[0] - b.box[0]) < 0.5 * a.size && Math.abs(a.box[2] - b.box[2]) < 0.5 * a.size;

/** The first word of the next line had room on this one, so the line was ended on purpose. */
function wouldFit(last: TextLine, next: TextLine, rooms: Rooms): boolean {
  if (/\p{L}[-\u00ad\u2010]$/u.test(last.words.at(-1)!.text) && /^\p{Ll}/u.test(next.words[0]!.text)) return false;
  return rooms.get(last)! > widthOf(next.words[0]!.box) + (last.rtl ? 0.7 : 0.3) * last.size;
}

/** The first line of a paragraph set in, or a line set out of a paragraph. */
function isIndented(first: TextLine, lines: TextLine[], next: TextLine): boolean {
  const start = (line: TextLine): number => (line.rtl ? -line.box[2] : line.box[0]);
  const last = lines.at(-1)!;
  const shift = start(next) - start(last);
  const em = next.size;
  if (lines.length === 1) {
    // hanging: the second line set in is the same paragraph; set out, only where the first was an indented one
    if (shift < -0.6 * em) return shift < -4.5 * em;
    return false;
  }
  if (shift > 0.7 * em) return true;
  if (shift < -0.7 * em)
    return Math.abs(start(next) - start(first)) > 0.7 * em || start(first) < start(last) - 0.7 * em;
  return false;
}

/** From the foot of a column or page to the head of the next. */
function continuesOver(group: Group, line: TextLine, rooms: Rooms): boolean {
  const last = group.lines.at(-1)!;
  if (last.bold !== line.bold || last.rtl !== line.rtl) return false;
  const text = last.words.at(-1)!.text;
  const next = line.words[0]!.text;
  if (/[.!?:;؟۔。]["'”’)\]]*$/u.test(text)) return false;
  if (wouldFit(last, line, rooms)) return false;
  if (/^\p{Ll}/u.test(next)) return true;
  return group.lines.length > 1 || heightOf(line.box) > 0;
}
