// Words → lines: pieces of a line of text without a wide gap. What stands side by side in columns or cells stays apart.
import type { Box } from "../document.ts";
import { isRightToLeft, toLogical } from "./bidi.ts";
import { gapX, heightOf, mode, overlapY, unite, widthOf } from "./geometry.ts";
import type { PlacedWord } from "./words.ts";

export interface TextLine {
  /** In reading order. */
  words: PlacedWord[];
  box: Box;
  /** Of most of its characters. */
  size: number;
  bold: boolean;
  italic: boolean;
  font: string;
  color: string;
  base: number;
  rtl: boolean;
  page: number;
  order: number;
}

/** Two pieces further apart than this many font sizes are not one piece of text. */
const PIECE_GAP = 0.95;
/** The same where the page draws something else in between: less than that is a word space or a kern. */
const JUMP_GAP = 0.28;

export function makeLine(words: PlacedWord[], page: number): TextLine {
  const visual = isLeftToRight(words) ? words : [...words].sort((a, b) => a.box[0] - b.box[0] || a.order - b.order);
  const rtl = isRightToLeft(words);
  const first = words[0]!;
  const even = words.every((word) => word.size === first.size);
  const size = even
    ? Math.round(first.size * 10) / 10
    : mode(
        words.map((word) => [word.size, word.text.length]),
        0.1,
      );
  const main = even ? words : words.filter((word) => Math.abs(word.size - size) <= 0.11);
  let [letters, bold, italic, order] = [0, 0, 0, first.order];
  let anyBold = false;
  for (const word of words) {
    const length = word.text.length;
    letters += length;
    if (word.bold || !/[\p{L}\p{N}]/u.test(word.text)) bold += length;
    if (word.bold) anyBold = true;
    if (word.italic) italic += length;
    if (word.order < order) order = word.order;
  }
  const lead = main[0] ?? first;
  return {
    words: toLogical(visual, rtl),
    box: unite((main.length ? main : words).map((word) => word.box)),
    size,
    bold: anyBold && bold >= 0.9 * letters,
    italic: italic >= 0.9 * letters,
    font: lead.font,
    color: lead.color,
    base: baseOf(lead),
    rtl,
    page,
    order,
  };
}

function isLeftToRight(words: PlacedWord[]): boolean {
  for (let i = 1; i < words.length; i++) if (words[i]!.box[0] < words[i - 1]!.box[0]) return false;
  return true;
}

const baseOf = (word: PlacedWord): number => word.box[3] - 0.215 * heightOf(word.box);

/** Pieces of lines, in drawing order. Only for words that stand upright. */
export function makePieces(words: PlacedWord[], page: number): TextLine[] {
  return mergeNeighbours(followRuns(words)).map((run) => makeLine(run, page));
}

/** Consecutive words that stand beside each other; small raised or lowered ones stay with their neighbour. */
function followRuns(words: PlacedWord[]): PlacedWord[][] {
  const runs: PlacedWord[][] = [];
  let run: PlacedWord[] = [];
  for (const word of words) {
    const last = run.at(-1);
    if (last && !isBeside(last, word)) {
      runs.push(run);
      run = [];
    }
    run.push(word);
  }
  if (run.length) runs.push(run);
  return runs;
}

function isBeside(a: PlacedWord, b: PlacedWord): boolean {
  const size = Math.max(a.size, b.size);
  const low = Math.min(heightOf(a.box), heightOf(b.box));
  if (overlapY(a.box, b.box) < 0.45 * low) return false;
  const gap = gapX(a.box, b.box);
  if (gap > PIECE_GAP * size) return false;
  // overlapping words are one line only where one of them is a small mark over the other
  return gap > -0.5 * size || Math.min(widthOf(a.box), widthOf(b.box)) < size;
}

/** Pages of more runs are drawings with letters; comparing them all would take too long. */
const MAX_RUNS = 6_000;

/** Runs of one row that touch, though the page drew them at different times. */
function mergeNeighbours(runs: PlacedWord[][]): PlacedWord[][] {
  if (runs.length > MAX_RUNS) return runs;
  const rows = runs.map((words) => ({
    words,
    box: unite(words.map((word) => word.box)),
    size: Math.max(...words.map((word) => word.size)),
  }));
  const sorted = [...rows].sort((a, b) => a.box[1] - b.box[1]);
  const gone = new Set<(typeof rows)[number]>();
  let merged = true;
  for (let pass = 0; merged && pass < 4; pass++) {
    merged = false;
    let first = 0;
    for (let i = 0; i < sorted.length; i++) {
      const a = sorted[i]!;
      if (gone.has(a)) continue;
      while (first < i && sorted[first]!.box[3] < a.box[1] - a.size * 2) first++;
      for (let k = first; k < sorted.length; k++) {
        const b = sorted[k]!;
        if (b.box[1] > a.box[3]) break;
        if (k === i || gone.has(b)) continue;
        const low = Math.min(heightOf(a.box), heightOf(b.box));
        const gap = gapX(a.box, b.box);
        const size = Math.min(a.size, b.size);
        const raised = size < 0.8 * Math.max(a.size, b.size);
        if (overlapY(a.box, b.box) < (raised ? 0.35 : 0.6) * low) continue;
        if (gap > JUMP_GAP * size || gap < -Math.max(0.35 * size, 0.2)) continue;
        a.words.push(...b.words);
        a.box = unite([a.box, b.box]);
        a.size = Math.max(a.size, b.size);
        gone.add(b);
        merged = true;
      }
    }
  }
  return rows.filter((row) => !gone.has(row)).map((row) => row.words);
}

/** A gap of this many font sizes is wider than a word space; where a column ends in it, it divides cells. */
const CELL_GAP = 0.42;

/** Cuts a piece where one of the given heights of x lies in a wide gap between its words. */
export function cutPiece(piece: TextLine, xs: number[]): TextLine[] {
  const inside = xs.filter((x) => x > piece.box[0] && x < piece.box[2]);
  if (!inside.length || piece.words.length < 2) return [piece];
  const words = [...piece.words].sort((a, b) => a.box[0] - b.box[0]);
  const parts: PlacedWord[][] = [[words[0]!]];
  for (let i = 1; i < words.length; i++) {
    const [from, to] = [words[i - 1]!.box[2], words[i]!.box[0]];
    const cut = to - from > CELL_GAP * piece.size && inside.some((x) => x > from - 1 && x < to + 1);
    if (cut) parts.push([words[i]!]);
    else parts.at(-1)!.push(words[i]!);
  }
  return parts.length === 1 ? [piece] : parts.map((part) => makeLine(part, piece.page));
}
