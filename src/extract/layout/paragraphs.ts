// Lines in reading order → groups of lines that are one paragraph, heading or list item.
import { gapX, heightOf, middleX, overlapX, widthOf } from "./geometry.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { type Marker, markerOf } from "./lists.ts";

export interface Group {
  lines: TextLine[];
  marker: Marker | null;
  /** Right edge (left for right-to-left text) that lines of this group could have reached. */
  edge: number;
}

/** Pieces beside each other in one column become one line. */
export function joinPieces(pieces: TextLine[], isDivided: (a: TextLine, b: TextLine) => boolean): TextLine[] {
  const lines: TextLine[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last && last.page === piece.page && isSameRow(last, piece) && !isDivided(last, piece))
      lines[lines.length - 1] = makeLine([...last.words, ...piece.words], piece.page);
    else lines.push(piece);
  }
  return lines;
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

export function groupLines(lines: TextLine[], pitches: Pitches): Group[] {
  const edges = findEdges(lines);
  const groups: Group[] = [];
  for (const [i, line] of lines.entries()) {
    const group = groups.at(-1);
    const marker = markerOf(line);
    if (group && continues(group, line, marker, pitches, edges)) group.lines.push(line);
    else groups.push({ lines: [line], marker, edge: edges[i]! });
  }
  return groups;
}

/** For each line how far its column reaches: the far edge of the lines around it in the same column. */
function findEdges(lines: TextLine[]): number[] {
  const edges = new Array<number>(lines.length);
  let start = 0;
  for (let i = 1; i <= lines.length; i++) {
    const [a, b] = [lines[i - 1]!, lines[i]];
    const flows = b && b.page === a.page && b.base > a.base && overlapX(a.box, b.box) > 0;
    if (flows) continue;
    const column = lines.slice(start, i);
    const rtl = column.filter((line) => line.rtl).length * 2 > column.length;
    const edge = rtl ? Math.min(...column.map((line) => line.box[0])) : Math.max(...column.map((line) => line.box[2]));
    edges.fill(edge, start, i);
    start = i;
  }
  return edges;
}

function continues(group: Group, line: TextLine, marker: Marker | null, pitches: Pitches, edges: number[]): boolean {
  const last = group.lines.at(-1)!;
  const first = group.lines[0]!;
  if (marker && isItem(group, marker, line)) return false;
  if (Math.abs(last.size - line.size) > 0.08 * Math.max(last.size, line.size)) return false;
  if (isStyleBreak(last, line)) return false;
  if (last.page !== line.page || line.base < last.base) return continuesOver(group, line, edges);
  const pitch = (line.base - last.base) / line.size;
  const usual = pitches.of(line.size);
  const own = group.lines.length > 1 ? (last.base - group.lines.at(-2)!.base) / line.size : usual;
  if (pitch > 1.22 * Math.max(usual, Math.min(own, 1.25 * usual)) || pitch < 0.6) return false;
  if (overlapX(last.box, line.box) <= 0) return false;
  if (isCentred(last, line) && !isJustified(last, line)) return line.size > 0 && sameLook(last, line);
  if (wouldFit(last, line, group.edge)) return false;
  return !isIndented(first, group.lines, line);
}

/** A bullet always starts an item; a number does where it follows the one before or opens a list. */
function isItem(_group: Group, marker: Marker, _line: TextLine): boolean {
  return !marker.ordered || marker.values.length > 0;
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
function wouldFit(last: TextLine, next: TextLine, edge: number): boolean {
  const room = last.rtl ? last.box[0] - edge : edge - last.box[2];
  return room > widthOf(next.words[0]!.box) + 0.6 * last.size;
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
function continuesOver(group: Group, line: TextLine, _edges: number[]): boolean {
  const last = group.lines.at(-1)!;
  if (last.bold !== line.bold || last.rtl !== line.rtl) return false;
  const text = last.words.at(-1)!.text;
  const next = line.words[0]!.text;
  if (/[.!?:;؟۔。]["'”’)\]]*$/u.test(text)) return false;
  if (wouldFit(last, line, group.edge)) return false;
  if (/^\p{Ll}/u.test(next)) return true;
  return group.lines.length > 1 || heightOf(line.box) > 0;
}
