import { expect, test } from "vitest";
import { islands } from "../../../src/extract/ocr/detect.ts";

function drawMap(width: number, height: number, draw: (x: number, y: number) => number): Float32Array {
  return Float32Array.from({ length: width * height }, (_, i) => draw(i % width, Math.floor(i / width)));
}

test("a bar is one box, grown by what the model shrinks", () => {
  const map = drawMap(100, 40, (x, y) => (x >= 20 && x < 80 && y >= 15 && y < 25 ? 0.9 : 0));
  const found = islands(map, 100, 40);
  const grow = (60 * 10 * 1.5) / 140;
  expect(found).toHaveLength(1);
  expect(found[0]!.cx).toBeCloseTo(50, 5);
  expect(found[0]!.cy).toBeCloseTo(20, 5);
  expect(found[0]!.width).toBeCloseTo(60 + 2 * grow, 5);
  expect(found[0]!.height).toBeCloseTo(10 + 2 * grow, 5);
  expect(found[0]!.score).toBeCloseTo(0.9, 5);
});

test("a slanted bar keeps its angle and its length", () => {
  const angle = (8 * Math.PI) / 180;
  const map = drawMap(200, 100, (x, y) => {
    const u = (x - 100) * Math.cos(angle) + (y - 50) * Math.sin(angle);
    const v = (y - 50) * Math.cos(angle) - (x - 100) * Math.sin(angle);
    return Math.abs(u) < 80 && Math.abs(v) < 6 ? 1 : 0;
  });
  const [box] = islands(map, 200, 100);
  expect((box!.angle * 180) / Math.PI).toBeCloseTo(8, 0);
  expect(box!.width / box!.height).toBeGreaterThan(5);
});

test("specks and faint patches are no text", () => {
  const map = drawMap(100, 40, (x, y) => (x < 2 && y < 2 ? 1 : x > 40 && x < 90 && y > 10 && y < 30 ? 0.4 : 0));
  expect(islands(map, 100, 40)).toEqual([]);
});
