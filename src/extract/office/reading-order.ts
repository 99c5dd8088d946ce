// The order in which boxes on a slide are read: cut along empty bands, into rows or columns, whichever agrees better with the
// order in which the author laid them down.

import type { Box } from "../document.ts";

export interface Placed {
  bbox: Box;
  /** Place in the file. */
  index: number;
}

/** Boxes may overlap by a few points and still be seen as separate. */
const OVERLAP_PT = 4;
/** Counting inversions is quadratic; a slide with more boxes than this is a drawing. */
const MAX_CUT = 400;

/** Groups along one axis with empty bands between them. */
function cut<T extends Placed>(items: T[], low: 0 | 1): T[][] {
  const high = (low + 2) as 2 | 3;
  const sorted = [...items].sort((a, b) => a.bbox[low] - b.bbox[low] || a.index - b.index);
  const groups: T[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const item of sorted) {
    const last = groups.at(-1);
    if (last && item.bbox[low] < end - OVERLAP_PT) last.push(item);
    else groups.push([item]);
    end = Math.max(end, item.bbox[high]);
  }
  return groups;
}

function inversions(groups: Placed[][]): number {
  const order = groups.flatMap((group) => group.map((item) => item.index).sort((a, b) => a - b));
  let count = 0;
  for (let a = 0; a < order.length; a++) for (let b = a + 1; b < order.length; b++) if (order[a]! > order[b]!) count++;
  return count;
}

const byPlace = (a: Placed, b: Placed) => a.bbox[1] - b.bbox[1] || a.bbox[0] - b.bbox[0] || a.index - b.index;

export function readingOrder<T extends Placed>(items: T[], depth = 0): T[] {
  if (items.length < 2) return items;
  if (items.length > MAX_CUT || depth > 20) return [...items].sort(byPlace);
  const rows = cut(items, 1);
  const columns = cut(items, 0);
  const choices = [rows, columns].filter((groups) => groups.length > 1);
  if (choices.length === 0) return [...items].sort(byPlace);
  const chosen = choices.length === 2 && inversions(columns) < inversions(rows) ? columns : choices[0]!;
  return chosen.flatMap((group) => readingOrder(group, depth + 1));
}
