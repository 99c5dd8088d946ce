// Reading order of what stands on one page: the order the page draws it, where that makes sense; else cut by columns.
import type { Box } from "../document.ts";
import { gapX, heightOf, overlapX, overlapY, unite, widthOf } from "./geometry.ts";

export interface Atom {
  box: Box;
  order: number;
  size: number;
  rtl: boolean;
}

/** Steps against the reading direction, as a share of all steps, that a sound drawing order may have. */
const MAX_ODD_STEPS = 0.03;

export function inReadingOrder<T extends Atom>(atoms: T[]): T[] {
  if (atoms.length < 2) return atoms;
  const drawn = [...atoms].sort((a, b) => a.order - b.order);
  return isSound(drawn) && !isWoven(drawn) ? liftHeads(drawn) : cutColumns(drawn, 0);
}

/** What is drawn after the rest but stands above all of it is read first. */
function liftHeads<T extends Atom>(atoms: T[]): T[] {
  const [first, ...later] = atoms as [T, ...T[]];
  let top = first.box[1];
  const tops: number[] = [top];
  for (const atom of later) {
    top = Math.min(top, atom.box[1]);
    tops.push(top);
  }
  // the last place where everything from there on stands above everything before it
  let low = -Infinity;
  for (let i = atoms.length - 1; i > 0; i--) {
    low = Math.max(low, atoms[i]!.box[3]);
    if (low <= tops[i - 1]! + 1) return [...atoms.slice(i), ...atoms.slice(0, i)];
  }
  return atoms;
}

/** Share of the steps that lead to a piece beside the last one, from which on columns may be drawn row by row. */
const WOVEN_STEPS = 0.25;

/** Columns of prose drawn row by row: every second piece stands beside the one before it, across a gutter. */
function isWoven(atoms: Atom[]): boolean {
  let beside = 0;
  for (let i = 1; i < atoms.length; i++) {
    const [a, b] = [atoms[i - 1]!, atoms[i]!];
    if (isBeside(a, b) && gapX(a.box, b.box) > a.size) beside++;
  }
  if (beside < 4 || beside < WOVEN_STEPS * atoms.length) return false;
  const gutter = findGutter(atoms);
  if (gutter === null) return false;
  const sides = [atoms.filter((atom) => atom.box[2] <= gutter), atoms.filter((atom) => atom.box[0] >= gutter)];
  // prose fills its column; cells and labels do not
  return sides.every((side) => {
    const width = Math.max(...side.map((atom) => widthOf(atom.box)));
    return (
      width > 12 * side[0]!.size && side.filter((atom) => widthOf(atom.box) > 0.7 * width).length >= 0.6 * side.length
    );
  });
}

const isBeside = (a: Atom, b: Atom): boolean =>
  overlapY(a.box, b.box) > 0.5 * Math.min(heightOf(a.box), heightOf(b.box));

/** Drawing order is sound when it hardly ever jumps back up over text it has already passed in the same column. */
function isSound(atoms: Atom[]): boolean {
  let odd = 0;
  for (let i = 1; i < atoms.length; i++) {
    const [a, b] = [atoms[i - 1]!, atoms[i]!];
    if (isBeside(a, b)) {
      // beside each other: forward in the direction of the script
      const forward = a.rtl && b.rtl ? b.box[2] <= a.box[2] : b.box[0] >= a.box[0];
      if (!forward) odd++;
    } else if (b.box[1] < a.box[1] && overlapX(a.box, b.box) > 0.3 * Math.min(widthOf(a.box), widthOf(b.box))) odd++;
  }
  return odd <= Math.max(1, MAX_ODD_STEPS * atoms.length);
}

/** The search for a gutter takes quadratic time; a page of print has a few hundred pieces. */
const MAX_ATOMS = 2_500;
const MAX_CUTS = 12; // pages nest columns two or three deep

/** Splits at the emptiest vertical gutter; what crosses it divides the region into bands read one after the other. */
function cutColumns<T extends Atom>(atoms: T[], depth: number): T[] {
  if (atoms.length < 2) return atoms;
  const gutter = depth < MAX_CUTS ? findGutter(atoms) : null;
  if (gutter === null) return byRows(atoms);
  const crossing = atoms
    .filter((atom) => atom.box[0] < gutter && atom.box[2] > gutter)
    .sort((a, b) => a.box[1] - b.box[1]);
  const rest = atoms.filter((atom) => atom.box[2] <= gutter || atom.box[0] >= gutter);
  const rtl = atoms.filter((atom) => atom.rtl).length * 2 > atoms.length;
  const ordered: T[] = [];
  let remaining = rest;
  const flush = (band: T[]): void => {
    const left = band.filter((atom) => atom.box[2] <= gutter);
    const right = band.filter((atom) => atom.box[0] >= gutter);
    const [first, second] = rtl ? [right, left] : [left, right];
    ordered.push(...cutColumns(first, depth + 1), ...cutColumns(second, depth + 1));
  };
  for (const atom of crossing) {
    const middle = (atom.box[1] + atom.box[3]) / 2;
    flush(remaining.filter((other) => (other.box[1] + other.box[3]) / 2 < middle));
    remaining = remaining.filter((other) => (other.box[1] + other.box[3]) / 2 >= middle);
    ordered.push(atom);
  }
  flush(remaining);
  return ordered;
}

/** The x of the emptiest vertical gutter that has lines on both sides; null where there is none. */
export function findGutter(atoms: Atom[]): number | null {
  if (atoms.length > MAX_ATOMS) return null;
  const all = unite(atoms.map((atom) => atom.box));
  const size = atoms.map((atom) => atom.size).sort((a, b) => a - b)[atoms.length >> 1]!;
  const edges = [...new Set(atoms.flatMap((atom) => [atom.box[2] + 0.01, atom.box[0] - 0.01]))]
    .filter((x) => x > all[0] && x < all[2])
    .sort((a, b) => a - b);
  let best: { x: number; score: number } | null = null;
  // candidate gutters lie just right of where a line ends
  for (const x of edges) {
    let [left, right, cross, nearLeft, nearRight] = [0, 0, 0, -Infinity, Infinity];
    for (const { box } of atoms) {
      if (box[2] <= x) {
        left++;
        nearLeft = Math.max(nearLeft, box[2]);
      } else if (box[0] >= x) {
        right++;
        nearRight = Math.min(nearRight, box[0]);
      } else cross++;
    }
    const gutter = nearRight - nearLeft;
    if (left < 3 || right < 3 || gutter < 0.6 * size || cross > 0.5 * Math.min(left, right)) continue;
    const score = Math.min(left, right) - 2 * cross + Math.min(gutter / size, 4);
    if (!best || score > best.score) best = { x: (nearLeft + nearRight) / 2, score };
  }
  return best?.x ?? null;
}

/** Top to bottom; what stands beside each other in the direction of the script. */
function byRows<T extends Atom>(atoms: T[]): T[] {
  const sorted = [...atoms].sort((a, b) => a.box[1] - b.box[1]);
  const rows: T[][] = [];
  for (const atom of sorted) {
    const row = rows.at(-1);
    const beside = row?.some(
      (other) =>
        overlapY(other.box, atom.box) > 0.5 * Math.min(heightOf(other.box), heightOf(atom.box)) &&
        gapX(other.box, atom.box) > -1,
    );
    if (row && beside) row.push(atom);
    else rows.push([atom]);
  }
  return rows.flatMap((row) => row.sort((a, b) => (a.rtl && b.rtl ? b.box[2] - a.box[2] : a.box[0] - b.box[0])));
}
