import { expect, test } from "vitest";
import type { Character, ReadLine } from "../../../src/extract/ocr/read.ts";
import { settle } from "../../../src/extract/ocr/settle.ts";
import { wordsIn } from "../../../src/extract/ocr/spaces.ts";

/** A strip 48 px high; each character is a dark bar 12 px wide with 4 px around it, "_" a blank of 8 px more. */
function drawLine(text: string, spaceBefore = 0): ReadLine {
  const marks: { text: string; from: number }[] = [];
  let width = 4;
  for (const sign of text) {
    if (sign === "_") width += 8;
    else {
      marks.push({ text: sign, from: width });
      width += 16;
    }
  }
  const data = new Uint8Array(width * 48).fill(250);
  for (const { from } of marks) for (let y = 10; y < 38; y++) data.fill(20, y * width + from, y * width + from + 12);
  const characters = marks.map(({ text: sign, from }) => character(sign, { at: (from + 6) / width, spaceBefore }));
  return { box: { cx: 0, cy: 0, width, height: 48, angle: 0 }, characters, strip: { width, height: 48, data } };
}

const character = (text: string, more: Partial<Character> = {}): Character => ({
  text,
  at: 0,
  confidence: 0.9,
  spaceBefore: 0,
  rival: null,
  ...more,
});
const texts = (line: ReadLine) => wordsIn(line).map((word) => word.map(({ text }) => text).join(""));

const FAINT = 0.02; // what the model gives a space it does not write

test("a wide blank is a space where the model has an inkling of one, the usual blank is not", () => {
  expect(texts(drawLine("TAX__INVOICE", FAINT))).toEqual(["TAX", "INVOICE"]);
  expect(texts(drawLine("TAXINVOICE", FAINT))).toEqual(["TAXINVOICE"]);
});

test("a space the model wrote needs a blank on the paper, but a narrower one", () => {
  const line = drawLine("NO_REFUND");
  expect(texts(line)).toEqual(["NOREFUND"]);
  line.characters[2]!.spaceBefore = 1;
  expect(texts(line)).toEqual(["NO", "REFUND"]);
});

test("digits stay with their decimal point", () => {
  expect(texts(drawLine("12.50", FAINT))).toEqual(["12.50"]);
});

test("Chinese is written without spaces", () => {
  expect(texts(drawLine("发__票", FAINT))).toEqual(["发票"]);
});

const word = (text: string, rivals: Record<number, [string, number]>) =>
  [...text].map((sign, i) => {
    const rival = rivals[i];
    return character(sign, { rival: rival ? { text: rival[0], confidence: rival[1] } : null });
  });
const settled = (characters: Character[]) =>
  settle(characters)
    .map(({ text }) => text)
    .join("");

test("one digit among letters and one letter among digits give way to a likely rival", () => {
  expect(settled(word("INV0ICE", { 3: ["O", 0.3] }))).toBe("INVOICE");
  expect(settled(word("4750O", { 4: ["0", 0.4] }))).toBe("47500");
});

test("codes stay as they were read", () => {
  expect(settled(word("INV0ICE", { 3: ["O", 0.01] }))).toBe("INV0ICE");
  expect(settled(word("A4", { 1: ["A", 0.4] }))).toBe("A4");
  expect(settled(word("X12Y34", { 0: ["1", 0.4], 3: ["4", 0.4] }))).toBe("X12Y34");
});
