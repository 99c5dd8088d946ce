// Finds the ruled lines of tables and forms: long thin dark runs along rows and columns of an upright image.
import type { Box, Line } from "../document.ts";
import type { Raster } from "./raster.ts";

const WINDOW_PX = 15; // half width of the neighbourhood a pixel must be darker than
const DARKER_BY = 24; // grey levels; faint print on a receipt is about 40
const MAX_GAP_PX = 3; // breaks of a scanned line
const MAX_DRIFT_PX = 1; // rows a line may step between neighbouring runs: a slope of the rest of the skew
const MAX_MISS_PX = 8; // by which two rulings of a corner may miss each other
const USUAL_TEXT_PX = 20; // where there is no text to measure
const MAX_SLOPE = 0.02; // what deskewing leaves over where there is little text to go by
const MAX_LINES = 2000; // graph paper is no table

/** The boxes of the lines of text tell rulings from strokes of bold letters, which run together in small print. */
export function findRulings(image: Raster, text: Box[]): Line[] {
  const heights = text.map(([, y0, , y1]) => y1 - y0).sort((a, b) => a - b);
  const textHeight = heights[heights.length >> 1] ?? USUAL_TEXT_PX;
  const dark = binarise(image);
  const minLength = Math.max(30, 2.5 * textHeight);
  const maxThickness = Math.max(3, 0.25 * textHeight);
  const across = joinRuns(runs(dark, image.width, image.height), minLength, maxThickness).map(
    ({ from, to, at, thickness }): Line => ({ x0: from, y0: at, x1: to, y1: at, width: thickness }),
  );
  const turned = transpose(dark, image.width, image.height);
  const down = joinRuns(runs(turned, image.height, image.width), minLength, maxThickness).map(
    ({ from, to, at, thickness }): Line => ({ x0: at, y0: from, x1: at, y1: to, width: thickness }),
  );
  if (across.length + down.length > MAX_LINES) return [];
  return meeting(
    across.filter((line) => !isInText(line, text)),
    down,
  );
}

/** Only what meets another ruling makes cells: the dashes between the parts of a receipt would make one row of each part. */
function meeting(across: Line[], down: Line[]): Line[] {
  const meet = (flat: Line, upright: Line) =>
    upright.x0 >= flat.x0 - MAX_MISS_PX &&
    upright.x0 <= flat.x1 + MAX_MISS_PX &&
    flat.y0 >= upright.y0 - MAX_MISS_PX &&
    flat.y0 <= upright.y1 + MAX_MISS_PX;
  return [
    ...across.filter((flat) => down.some((upright) => meet(flat, upright))),
    ...down.filter((upright) => across.some((flat) => meet(flat, upright))),
  ];
}

/** Runs through the middle of text for more than half of its length; underlines and cell borders touch only its edges. */
function isInText({ x0, x1, y0 }: Line, text: Box[]): boolean {
  let covered = 0;
  for (const [left, top, right, bottom] of text) {
    const inset = 0.2 * (bottom - top);
    if (y0 > top + inset && y0 < bottom - inset) covered += Math.max(0, Math.min(x1, right) - Math.max(x0, left));
  }
  return covered > 0.5 * (x1 - x0);
}

/** 1 where a pixel is darker than the mean around it. */
function binarise({ width, height, data }: Raster): Uint8Array {
  const dark = new Uint8Array(data.length);
  const columns = new Int32Array(width);
  const side = (v: number, max: number) => Math.min(max, Math.max(0, v));
  for (let y = 0; y <= Math.min(WINDOW_PX, height - 1); y++)
    for (let x = 0; x < width; x++) columns[x]! += data[y * width + x]!;
  let rows = Math.min(WINDOW_PX, height - 1) + 1;
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x <= side(WINDOW_PX, width - 1); x++) sum += columns[x]!;
    let count = side(WINDOW_PX, width - 1) + 1;
    for (let x = 0; x < width; x++) {
      if (data[y * width + x]! + DARKER_BY < sum / (count * rows)) dark[y * width + x] = 1;
      if (x + WINDOW_PX + 1 < width) {
        sum += columns[x + WINDOW_PX + 1]!;
        count++;
      }
      if (x >= WINDOW_PX) {
        sum -= columns[x - WINDOW_PX]!;
        count--;
      }
    }
    const enter = y + WINDOW_PX + 1;
    const leave = y - WINDOW_PX;
    if (enter < height) {
      for (let x = 0; x < width; x++) columns[x]! += data[enter * width + x]!;
      rows++;
    }
    if (leave >= 0) {
      for (let x = 0; x < width; x++) columns[x]! -= data[leave * width + x]!;
      rows--;
    }
  }
  return dark;
}

function transpose(dark: Uint8Array, width: number, height: number): Uint8Array {
  const out = new Uint8Array(dark.length);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[x * height + y] = dark[y * width + x]!;
  return out;
}

interface Run {
  row: number;
  from: number;
  to: number;
}

const MIN_RUN_PX = 16; // a slanted line falls into runs; those of letters are mostly shorter

function runs(dark: Uint8Array, width: number, height: number): Run[] {
  const found: Run[] = [];
  for (let row = 0; row < height; row++) {
    let from = -1;
    let last = -1;
    for (let x = 0; x < width; x++) {
      if (!dark[row * width + x]) continue;
      if (from >= 0 && x - last - 1 > MAX_GAP_PX) {
        if (last + 1 - from >= MIN_RUN_PX) found.push({ row, from, to: last + 1 });
        from = x;
      } else if (from < 0) from = x;
      last = x;
    }
    if (from >= 0 && last + 1 - from >= MIN_RUN_PX) found.push({ row, from, to: last + 1 });
  }
  return found;
}

interface Stroke {
  from: number;
  to: number;
  at: number;
  thickness: number;
}

/** Runs that touch in neighbouring rows are one stroke. */
function joinRuns(list: Run[], minLength: number, maxThickness: number): Stroke[] {
  const parent = list.map((_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]!]!;
      i = parent[i]!;
    }
    return i;
  };
  let low = 0;
  for (let i = 0; i < list.length; i++) {
    const run = list[i]!;
    while (list[low]!.row < run.row - 1 - MAX_DRIFT_PX) low++;
    for (let j = low; j < i; j++) {
      const other = list[j]!;
      if (other.from <= run.to + MAX_GAP_PX && run.from <= other.to + MAX_GAP_PX) parent[root(j)] = root(i);
    }
  }
  const groups = new Map<number, Run[]>();
  list.forEach((run, i) => {
    const key = root(i);
    const group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  });
  const strokes: Stroke[] = [];
  for (const group of groups.values()) {
    let [from, to, area, weighted, first, last] = [Infinity, -Infinity, 0, 0, Infinity, -Infinity];
    for (const run of group) {
      first = Math.min(first, run.row);
      last = Math.max(last, run.row);
      from = Math.min(from, run.from);
      to = Math.max(to, run.to);
      area += run.to - run.from;
      weighted += (run.to - run.from) * (run.row + 0.5);
    }
    const length = to - from;
    const thickness = area / length;
    if (length < minLength || thickness > maxThickness || thickness < 0.6) continue;
    if (last + 1 - first > thickness + 2 + MAX_SLOPE * length) continue; // letters, not a stroke
    strokes.push({ from, to, at: weighted / area, thickness });
  }
  return strokes;
}
