import { expect, test } from "vitest";
import { recognise } from "../../../src/extract/ocr/ocr.ts";
import { type Damage, type Drawing, scan } from "./scan.ts";

const LINES = [
  "Rental Agreement No. 4711",
  "The tenant pays 1,250.00 EUR on the third day",
  "of each month (bank transfer only), see page 12.",
  "Signed in Dublin, 31/12/2024",
];
const LETTER: Drawing = {
  width: 320,
  height: 150,
  texts: LINES.map((text, i) => ({ x: 20, y: 35 + i * 26, size: 12, text })),
};

const read = async (image: Uint8Array, languages = ["eng"]) => recognise(image, { languages });

/** 1 - edits without replacement / both lengths. */
function similarity(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (let j = 0; j < b.length; j++) next.push(x === b[j] ? row[j]! + 1 : Math.max(next[j]!, row[j + 1]!));
    row = next;
  }
  return (2 * row[b.length]!) / (a.length + b.length);
}

test("a clean scan is read word for word, each word with its box", async () => {
  const result = await read(await scan(LETTER, 150));
  expect(result.items.map((item) => item.text)).toEqual(LINES);
  expect([result.width, result.height, result.rotation]).toEqual([667, 313, 0]);
  expect(result.confidence).toBeGreaterThan(0.95);
  const tenant = result.items[1]!.words![1]!;
  expect(tenant.text).toBe("tenant");
  // Helvetica: "The " is 1.55 em wide, "tenant" 2.89 em, with an ascender of .72 em above the baseline at 61 pt.
  const expected = [20 + 12 * 1.99, 61 - 12 * 0.72, 20 + 12 * 4.82, 61].map((pt) => (pt * 150) / 72);
  tenant.bbox.forEach((value, i) => {
    expect(Math.abs(value - expected[i]!)).toBeLessThan(10);
  });
});

test.each<[string, number, Damage, number]>([
  ["100 dpi", 100, {}, 0],
  ["300 dpi", 300, {}, 0],
  ["lying on its side", 150, { turn: 90 }, 270],
  ["upside down", 150, { turn: 180 }, 180],
  ["lying on the other side", 150, { turn: 270 }, 90],
  ["skewed by 4°", 150, { skewDegrees: 4 }, 0],
  ["skewed by -7°", 150, { skewDegrees: -7 }, 0],
  ["noisy and badly compressed", 150, { noise: 60, jpegQuality: 25 }, 0],
])("%s reads the same", async (_, dpi, damage, rotation) => {
  const result = await read(await scan(LETTER, dpi, damage));
  expect(result.rotation).toBe(rotation);
  expect(similarity(result.items.map((item) => item.text).join("\n"), LINES.join("\n"))).toBeGreaterThan(0.97);
});

test("a skewed page comes out straight: its lines keep their left edge and their distance", async () => {
  const { items } = await read(await scan(LETTER, 150, { skewDegrees: 5 }));
  const lefts = items.map((item) => item.bbox[0]);
  expect(Math.max(...lefts) - Math.min(...lefts)).toBeLessThan(8);
  const tops = items.map((item) => item.bbox[3]);
  const steps = tops.slice(1).map((top, i) => top - tops[i]!);
  for (const step of steps) expect(Math.abs(step - (26 * 150) / 72)).toBeLessThan(6);
});

test("a label and its amount far to the right are two items", async () => {
  const texts = [
    { x: 20, y: 40, size: 12, text: "Total" },
    { x: 200, y: 40, size: 12, text: "43.40" },
  ];
  const { items } = await read(await scan({ width: 260, height: 70, texts }, 150));
  expect(items.map((item) => item.text).sort()).toEqual(["43.40", "Total"]);
});

test("the rulings of a form become lines, the strokes of its letters do not", async () => {
  const rules = [
    { x0: 20, y0: 60, x1: 300, y1: 60 },
    { x0: 20, y0: 100, x1: 300, y1: 100 },
    { x0: 160, y0: 60, x1: 160, y1: 100 },
  ];
  const texts = [{ x: 30, y: 84, size: 12, text: "Hill" }];
  const { lines } = await read(await scan({ width: 320, height: 130, texts, rules }, 150, { skewDegrees: 1 }));
  const flat = lines.filter((line) => line.x1 - line.x0 > line.y1 - line.y0);
  expect(lines).toHaveLength(3);
  expect(flat).toHaveLength(2);
  for (const line of flat) expect(Math.abs(line.x1 - line.x0 - (280 * 150) / 72)).toBeLessThan(12);
});

test("German letters need the model of their script", async () => {
  const text = "Die Straßenbahn fährt täglich über die Brücke nach Köln.";
  const image = await scan({ width: 380, height: 70, texts: [{ x: 20, y: 40, size: 12, text }] }, 200);
  expect((await read(image, ["eng", "deu"])).items.map((item) => item.text)).toEqual([text]);
});

test("a blank page has no text and nothing to doubt", async () => {
  const result = await read(await scan({ width: 100, height: 100, texts: [] }, 100));
  expect(result).toMatchObject({ items: [], lines: [], confidence: 1, rotation: 0 });
});
