// Which way is up: sideways pages by the shape of their lines, upside-down ones by how surely they read, skew by the
// slant of the lines.
import type { Recogniser } from "./models.ts";
import { Pyramid, type QuarterTurn, type Slant, turn } from "./raster.ts";
import { type ReadLine, readLines } from "./read.ts";

const MIN_LONG = 2; // length over height from which a box tells its direction
const SAMPLE = 6; // lines read both ways
const SURE = 0.9; // mean confidence that settles it: upside down, lines read at .3 to .7
const MAX_SAMPLE_LENGTH = 20; // heights; longer lines cost more and tell no more

/** Most of the text runs down or up the page. */
export function isSideways(boxes: Slant[]): boolean {
  let [flat, upright] = [0, 0];
  for (const { width, height } of boxes) {
    if (width >= MIN_LONG * height) flat += width;
    if (height >= MIN_LONG * width) upright += height;
  }
  return upright > 2 * flat;
}

/** Whether lines, read as they stand, would read better after half a turn. */
export async function isUpsideDown(pyramid: Pyramid, lines: ReadLine[], model: Recogniser): Promise<boolean> {
  const long = lines.filter(({ box }) => box.width >= MIN_LONG * box.height);
  if (!long.length || surety(long) >= SURE) return false;
  const sample = long
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)
    .slice(0, SAMPLE)
    .map(({ box }) => ({ ...box, width: Math.min(box.width, MAX_SAMPLE_LENGTH * box.height) }));
  const straight = await readLines(pyramid, sample, model);
  const turned = await readLines(
    pyramid,
    sample.map((box) => ({ ...box, angle: box.angle + Math.PI })),
    model,
  );
  return surety(turned) > surety(straight);
}

function surety(lines: ReadLine[]): number {
  const characters = lines.flatMap((line) => line.characters);
  return characters.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, characters.length);
}

/** Radians, clockwise: the median slant of the lines, long ones counting more. */
export function skewOf(boxes: Slant[]): number {
  const long = boxes.filter(({ width, height }) => width >= 3 * height).sort((a, b) => a.angle - b.angle);
  const total = long.reduce((sum, { width }) => sum + width, 0);
  let sum = 0;
  for (const { angle, width } of long) {
    sum += width;
    if (sum >= total / 2) return angle;
  }
  return 0;
}

export function turned(pyramid: Pyramid, degrees: QuarterTurn): Pyramid {
  return degrees === 0 ? pyramid : new Pyramid(turn(pyramid.image, degrees));
}
