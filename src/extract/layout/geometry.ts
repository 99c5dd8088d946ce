// Boxes: [x0, y0, x1, y1], origin top left.
import type { Box } from "../document.ts";

export const widthOf = (box: Box): number => box[2] - box[0];
export const heightOf = (box: Box): number => box[3] - box[1];
export const middleX = (box: Box): number => (box[0] + box[2]) / 2;
export const middleY = (box: Box): number => (box[1] + box[3]) / 2;

export const overlap = (a0: number, a1: number, b0: number, b1: number): number =>
  Math.max(0, Math.min(a1, b1) - Math.max(a0, b0));
export const overlapX = (a: Box, b: Box): number => overlap(a[0], a[2], b[0], b[2]);
export const overlapY = (a: Box, b: Box): number => overlap(a[1], a[3], b[1], b[3]);

/** Distance between two boxes along x; negative where they overlap. */
export const gapX = (a: Box, b: Box): number => Math.max(a[0], b[0]) - Math.min(a[2], b[2]);
export const gapY = (a: Box, b: Box): number => Math.max(a[1], b[1]) - Math.min(a[3], b[3]);

export function unite(boxes: Iterable<Box>): Box {
  const all: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    if (box[0] < all[0]) all[0] = box[0];
    if (box[1] < all[1]) all[1] = box[1];
    if (box[2] > all[2]) all[2] = box[2];
    if (box[3] > all[3]) all[3] = box[3];
  }
  return all;
}

export const contains = (outer: Box, x: number, y: number): boolean =>
  x >= outer[0] && x <= outer[2] && y >= outer[1] && y <= outer[3];

export const centreInside = (inner: Box, outer: Box): boolean => contains(outer, middleX(inner), middleY(inner));

export function median(values: number[]): number {
  if (!values.length) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** The value with the largest weight after rounding to `step`; the smaller one on a tie. */
export function mode(values: Iterable<[value: number, weight: number]>, step: number): number {
  const weights = new Map<number, number>();
  for (const [value, weight] of values) {
    const key = Math.round(value / step);
    weights.set(key, (weights.get(key) ?? 0) + weight);
  }
  let best = 0;
  let most = -1;
  for (const [key, weight] of weights) {
    if (weight > most || (weight === most && key < best)) {
      best = key;
      most = weight;
    }
  }
  return best * step;
}
