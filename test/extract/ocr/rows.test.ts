import { expect, test } from "vitest";
import type { TextItem } from "../../../src/extract/document.ts";
import { alignRows } from "../../../src/extract/ocr/rows.ts";

const item = (text: string, x: number, y: number, height = 20): TextItem => ({
  text,
  bbox: [x, y, x + 50, y + height],
  size: height,
  words: [{ text, bbox: [x, y, x + 50, y + height] }],
});

test("an amount a few pixels above its label comes after it, at one height", () => {
  const [label, amount] = alignRows([item("43.40", 300, 96), item("Total", 10, 104)]);
  expect([label!.text, amount!.text]).toEqual(["Total", "43.40"]);
  expect(label!.bbox).toEqual([10, 100, 60, 120]);
  expect(amount!.words![0]!.bbox).toEqual([300, 100, 350, 120]);
});

test("the lines of a column stay apart, also beside a column half a line lower", () => {
  const left = [0, 22, 44].map((y, i) => item(`L${i}`, 0, y));
  const right = [11, 33, 55].map((y, i) => item(`R${i}`, 200, y));
  const rows = alignRows([...left, ...right]);
  for (const column of ["L", "R"]) {
    const tops = rows.filter(({ text }) => text.startsWith(column)).map(({ bbox }) => bbox[1]);
    expect(tops).toHaveLength(3);
    expect(tops[1]! - tops[0]!).toBeGreaterThan(10);
    expect(tops[2]! - tops[1]!).toBeGreaterThan(10);
  }
});
