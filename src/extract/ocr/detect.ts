// Finds lines of text: the detector's probability map, cut into islands, each island a slanted box a little larger than it.
import { Tensor } from "onnxruntime-node";
import { detector } from "./models.ts";
import type { Pyramid, Raster, Slant } from "./raster.ts";

export interface Found extends Slant {
  /** Mean probability over the island, 0 to 1. */
  score: number;
}

const MIN_PROBABILITY = 0.3; // a pixel belongs to text from here on
const MIN_SCORE = 0.5; // mean of an island that is kept
const UNCLIP = 1.5; // the model is trained on shrunken lines; this grows them back (area × this / perimeter)
const MIN_SIDE_PX = 3; // in the map: smaller islands are specks
const MAX_LINES = 3000; // a page of newsprint has about 1000
const STRIDE = 32; // the model's own: sides must be multiples
const MAX_SHORT_SIDE_PX = 1200; // A4 at 145 dpi; finer finds no more lines
const MAX_MAP_PIXELS = 12_000_000; // a strip of 1200 × 10000
const MAX_TILE_WIDTH_PX = 1760;
const MAX_TILE_PIXELS = 2_000_000; // bounds the memory of one run to about 0.5 GB
const OVERLAP_PX = 128; // more than the height of a line, so that no line is only seen cut

/** Boxes in the pixels of the pyramid's image. */
export async function findLines(pyramid: Pyramid): Promise<Found[]> {
  const { image } = pyramid;
  const scale = scaleFor(image.width, image.height);
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const map = new Float32Array(width * height);
  const tileWidth = Math.min(width, MAX_TILE_WIDTH_PX);
  const tileHeight = Math.min(height, Math.floor(MAX_TILE_PIXELS / tileWidth));
  for (const [x0, x1] of tiles(width, tileWidth))
    for (const [y0, y1] of tiles(height, tileHeight)) {
      const box = { cx: (x0 + x1) / 2 / scale, cy: (y0 + y1) / 2 / scale, angle: 0 };
      const [w, h] = [padded(x1 - x0), padded(y1 - y0)];
      const cut = pyramid.cut({ ...box, width: (x1 - x0) / scale, height: (y1 - y0) / scale }, x1 - x0, y1 - y0);
      const found = await probabilities(cut, w, h);
      // Where tiles overlap, each counts up to the middle of the overlap: its own edge is where it is least sure.
      const [left, top] = [x0 === 0 ? 0 : OVERLAP_PX / 2, y0 === 0 ? 0 : OVERLAP_PX / 2];
      for (let y = top; y < y1 - y0; y++)
        map.set(found.subarray(y * w + left, y * w + (x1 - x0)), (y0 + y) * width + x0 + left);
    }
  return islands(map, width, height).map((box) => enlarge(box, 1 / scale));
}

/** Long strips keep their scale and become more tiles; only the shorter side counts, up to a bound on all of it. */
function scaleFor(width: number, height: number): number {
  const short = Math.min(width, height);
  return Math.min(1, MAX_SHORT_SIDE_PX / short, Math.sqrt(MAX_MAP_PIXELS / (width * height)));
}

/** [from, to) of equal tiles along a side, each reaching into the next. */
function tiles(length: number, size: number): [number, number][] {
  if (length <= size) return [[0, length]];
  const count = Math.ceil((length - OVERLAP_PX) / (size - OVERLAP_PX));
  const step = Math.ceil((length - OVERLAP_PX) / count);
  return Array.from({ length: count }, (_, i) => [i * step, Math.min(length, (i + 1) * step + OVERLAP_PX)]);
}

const padded = (length: number) => Math.ceil(length / STRIDE) * STRIDE;

/** The map of one tile, padded at its right and lower edge with the edge's own pixels. */
async function probabilities(tile: Raster, width: number, height: number): Promise<Float32Array> {
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = Math.min(y, tile.height - 1) * tile.width;
    pixels.set(tile.data.subarray(from, from + tile.width), y * width);
    pixels.fill(tile.data[from + tile.width - 1]!, y * width + tile.width, (y + 1) * width);
  }
  const session = await detector();
  const input = new Tensor("float32", normalise(pixels), [1, 3, height, width]);
  const output = await session.run({ [session.inputNames[0]!]: input });
  return output[session.outputNames[0]!]!.data as Float32Array;
}

/** ImageNet's mean and deviation, as the model was trained; planes in order blue, green, red. */
function normalise(pixels: Uint8Array): Float32Array {
  const planes = [
    [0.485, 0.229],
    [0.456, 0.224],
    [0.406, 0.225],
  ] as const;
  const out = new Float32Array(pixels.length * 3);
  planes.forEach(([mean, deviation], plane) => {
    const table = Float32Array.from({ length: 256 }, (_, v) => (v / 255 - mean) / deviation);
    const start = plane * pixels.length;
    for (let i = 0; i < pixels.length; i++) out[start + i] = table[pixels[i]!]!;
  });
  return out;
}

function enlarge(box: Found, by: number): Found {
  return { ...box, cx: box.cx * by, cy: box.cy * by, width: box.width * by, height: box.height * by };
}

/** Connected regions of the map above the threshold, as grown slanted boxes. */
export function islands(map: Float32Array, width: number, height: number): Found[] {
  const seen = new Uint8Array(map.length);
  const stack = new Int32Array(map.length);
  const found: Found[] = [];
  for (let start = 0; start < map.length && found.length < MAX_LINES; start++) {
    if (seen[start] || map[start]! <= MIN_PROBABILITY) continue;
    let sum = 0;
    let count = 0;
    // Only the two ends of each row can be on the hull.
    const rows = new Map<number, [number, number]>();
    let depth = 0;
    stack[depth++] = start;
    seen[start] = 1;
    while (depth > 0) {
      const at = stack[--depth]!;
      const x = at % width;
      const y = (at - x) / width;
      sum += map[at]!;
      count++;
      const row = rows.get(y);
      if (!row) rows.set(y, [x, x]);
      else if (x < row[0]) row[0] = x;
      else if (x > row[1]) row[1] = x;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const nx = x + dx;
          const ny = y + dy;
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
          const next = ny * width + nx;
          if (seen[next] || map[next]! <= MIN_PROBABILITY) continue;
          seen[next] = 1;
          stack[depth++] = next;
        }
    }
    const score = sum / count;
    if (score < MIN_SCORE) continue;
    const box = smallestBox(hull(rows));
    if (Math.min(box.width, box.height) < MIN_SIDE_PX) continue;
    const grow = (box.width * box.height * UNCLIP) / (2 * (box.width + box.height));
    found.push({ ...box, width: box.width + 2 * grow, height: box.height + 2 * grow, score });
  }
  return found;
}

type Point = [x: number, y: number];

/** Monotone chain over the row ends, as pixel corners. */
function hull(rows: Map<number, [number, number]>): Point[] {
  const points: Point[] = [];
  for (const [y, [x0, x1]] of rows) points.push([x0, y], [x0, y + 1], [x1 + 1, y], [x1 + 1, y + 1]);
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length >= 2) {
        const [a, b] = [chain.at(-2)!, chain.at(-1)!];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(points), ...half(points.reverse())];
}

/** The rectangle of least area around a hull has a side along one of its edges. Turned so that |angle| ≤ 45°. */
function smallestBox(points: Point[]): Slant {
  let best: Slant = { cx: 0, cy: 0, width: 0, height: 0, angle: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < points.length; i++) {
    const [a, b] = [points[i]!, points[(i + 1) % points.length]!];
    let angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
    angle -= Math.round(angle / (Math.PI / 2)) * (Math.PI / 2);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    let [minU, maxU, minV, maxV] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [x, y] of points) {
      const u = x * cos + y * sin;
      const v = y * cos - x * sin;
      minU = Math.min(minU, u);
      maxU = Math.max(maxU, u);
      minV = Math.min(minV, v);
      maxV = Math.max(maxV, v);
    }
    const area = (maxU - minU) * (maxV - minV);
    if (area >= least) continue;
    least = area;
    const [u, v] = [(minU + maxU) / 2, (minV + maxV) / 2];
    best = { cx: u * cos - v * sin, cy: u * sin + v * cos, width: maxU - minU, height: maxV - minV, angle };
  }
  return best;
}
