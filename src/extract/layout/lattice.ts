// Ruled tables: rules that cross make a grid; grid places without a rule between them are one cell.
import type { Box } from "../document.ts";
import { type Rule, type Rules, SAME_RULE } from "./rules.ts";

export interface GridCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
}

export interface Grid {
  box: Box;
  xs: number[];
  ys: number[];
  cells: GridCell[];
}

/** Rules meet when they come this close, in points. */
const TOUCH = 3.5;
/** Part of a cell's side that a rule must cover to divide it from its neighbour. */
const COVER = 0.55;
/** No page has more rows or columns than this. */
const MAX_LINES = 400;

/** Where columns of text end inside a box: rows of text that stand on both sides of the gap, by their height. */
export type TextGaps = (box: Box) => { x: number; bases: number[] }[];

export function findGrids(rules: Rules, textGaps: TextGaps): Grid[] {
  return connect(rules)
    .map((group) => toGrid(group, textGaps))
    .filter((grid): grid is Grid => grid !== null);
}

/** Groups of rules that touch each other. */
function connect({ horizontal, vertical }: Rules): Rules[] {
  const parents = [...horizontal, ...vertical].map((_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (parents[root] !== root) root = parents[root]!;
    parents[i] = root;
    return root;
  };
  for (const [i, h] of horizontal.entries())
    for (const [k, v] of vertical.entries())
      if (v.at >= h.from - TOUCH && v.at <= h.to + TOUCH && h.at >= v.from - TOUCH && h.at <= v.to + TOUCH)
        parents[rootOf(i)] = rootOf(horizontal.length + k);
  const groups = new Map<number, Rules>();
  const groupOf = (i: number): Rules => {
    const root = rootOf(i);
    const group = groups.get(root) ?? { horizontal: [], vertical: [] };
    groups.set(root, group);
    return group;
  };
  for (const [i, rule] of horizontal.entries()) groupOf(i).horizontal.push(rule);
  for (const [k, rule] of vertical.entries()) groupOf(horizontal.length + k).vertical.push(rule);
  return [...groups.values()];
}

function toGrid({ horizontal, vertical }: Rules, textGaps: TextGaps): Grid | null {
  if (!horizontal.length || !vertical.length || horizontal.length + vertical.length < 3) return null;
  const ruled = cluster([...vertical.map((rule) => rule.at), ...openEnds(horizontal, vertical)]);
  const ys = cluster([...horizontal.map((rule) => rule.at), ...openEnds(vertical, horizontal)]);
  if (ruled.length < 2 || ys.length < 2 || (ruled.length === 2 && ys.length === 2)) return null;
  return makeGrid(ruled, ys, { horizontal, vertical }, textGaps);
}

/** The grid of given lines; gaps in the text are lines too, but divide only what stands beside each other. */
export function makeGrid(
  ruled: number[],
  ys: number[],
  { horizontal, vertical }: Rules,
  textGaps: TextGaps,
): Grid | null {
  const box: Box = [ruled[0]!, ys[0]!, ruled.at(-1)!, ys.at(-1)!];
  const gaps = textGaps(box).filter(
    ({ x, bases }) => ruled.every((other) => Math.abs(other - x) > 2 * TOUCH) && isColumnGap(bases, ys),
  );
  const xs = [...ruled, ...gaps.map(({ x }) => x)].sort((a, b) => a - b);
  if (xs.length > MAX_LINES || ys.length > MAX_LINES) return null;
  const cells = mergeCells(xs, ys, horizontal, vertical);
  return { box, xs, ys, cells };
}

/** A gap that only one of many rows has is a wide space in a cell's own text. */
function isColumnGap(bases: number[], ys: number[]): boolean {
  const bands = new Set(bases.map((base) => ys.findIndex((y) => y > base))).size;
  return ys.length > 4 ? bands >= 2 : bands >= 2 || bases.length >= 3;
}

/** Rules that reach past the last one across them leave out an outer border there. */
function openEnds(rules: Rule[], across: Rule[]): number[] {
  const outer = [Math.min(...across.map((rule) => rule.at)), Math.max(...across.map((rule) => rule.at))] as const;
  const ends = [Math.min(...rules.map((rule) => rule.from)), Math.max(...rules.map((rule) => rule.to))] as const;
  return ends.filter((end, side) => {
    const beyond = side ? end - outer[1] : outer[0] - end;
    const sharing = rules.filter((rule) => Math.abs((side ? rule.to : rule.from) - end) < TOUCH).length;
    return beyond > 2 * TOUCH && (sharing >= 2 || rules.length === 1);
  });
}

function cluster(values: number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const groups: number[][] = [];
  for (const value of sorted) {
    const group = groups.at(-1);
    if (group && value - group.at(-1)! <= SAME_RULE + 0.8) group.push(value);
    else groups.push([value]);
  }
  return groups.map((group) => group.reduce((sum, value) => sum + value, 0) / group.length);
}

function mergeCells(xs: number[], ys: number[], horizontal: Rule[], vertical: Rule[]): GridCell[] {
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  const covers = (rules: Rule[], at: number, from: number, to: number): boolean => {
    let covered = 0;
    for (const rule of rules)
      if (Math.abs(rule.at - at) <= SAME_RULE + 0.8)
        covered += Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from));
    return covered >= COVER * (to - from);
  };
  const owner = Array.from({ length: rows * columns }, (_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (owner[root] !== root) root = owner[root]!;
    owner[i] = root;
    return root;
  };
  const join = (a: number, b: number): void => {
    const [x, y] = [rootOf(a), rootOf(b)];
    if (x !== y) owner[Math.max(x, y)] = Math.min(x, y);
  };
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const at = r * columns + c;
      if (c + 1 < columns && !covers(vertical, xs[c + 1]!, ys[r]!, ys[r + 1]!)) join(at, at + 1);
      if (r + 1 < rows && !covers(horizontal, ys[r + 1]!, xs[c]!, xs[c + 1]!)) join(at, at + columns);
    }
  return squareUp(rows, columns, rootOf).map(({ row, column, rowSpan, columnSpan }) => ({
    row,
    column,
    rowSpan,
    columnSpan,
    box: [xs[column]!, ys[row]!, xs[column + columnSpan]!, ys[row + rowSpan]!],
  }));
}

/** Merged places that are no rectangle are widened until they are; what they swallow joins them. */
function squareUp(rows: number, columns: number, rootOf: (i: number) => number): Omit<GridCell, "box">[] {
  const taken = new Array<number>(rows * columns).fill(-1);
  const extents = new Map<number, { r0: number; r1: number; c0: number; c1: number }>();
  for (let i = 0; i < rows * columns; i++) {
    const root = rootOf(i);
    const [r, c] = [Math.floor(i / columns), i % columns];
    const extent = extents.get(root);
    if (!extent) extents.set(root, { r0: r, r1: r, c0: c, c1: c });
    else {
      extent.r1 = Math.max(extent.r1, r);
      extent.c0 = Math.min(extent.c0, c);
      extent.c1 = Math.max(extent.c1, c);
    }
  }
  const cells: Omit<GridCell, "box">[] = [];
  const bySize = [...extents.values()].sort((a, b) => a.r0 - b.r0 || a.c0 - b.c0);
  for (const { r0, r1, c0, c1 } of bySize) {
    // cut back to the free part of the rectangle
    if (taken[r0 * columns + c0] !== -1) {
      for (let r = r0; r <= r1; r++)
        for (let c = c0; c <= c1; c++)
          if (taken[r * columns + c] === -1) {
            taken[r * columns + c] = cells.length;
            cells.push({ row: r, column: c, rowSpan: 1, columnSpan: 1 });
          }
      continue;
    }
    let [rowEnd, columnEnd] = [r1, c1];
    for (let c = c0; c <= columnEnd; c++) if (taken[r0 * columns + c] !== -1) columnEnd = c - 1;
    for (let r = r0; r <= rowEnd; r++)
      for (let c = c0; c <= columnEnd; c++) if (taken[r * columns + c] !== -1) rowEnd = Math.min(rowEnd, r - 1);
    for (let r = r0; r <= rowEnd; r++) for (let c = c0; c <= columnEnd; c++) taken[r * columns + c] = cells.length;
    cells.push({ row: r0, column: c0, rowSpan: rowEnd - r0 + 1, columnSpan: columnEnd - c0 + 1 });
  }
  return cells;
}
