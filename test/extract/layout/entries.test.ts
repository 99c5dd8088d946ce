import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultLimits, defaultOptions, extract } from "../../../src/extract/extract.ts";

const invoice = readFileSync(new URL("../../../examples/invoice.pdf", import.meta.url));
const read = () =>
  extract({
    bytes: invoice,
    name: null,
    contentType: null,
    url: null,
    options: defaultOptions,
    schema: null,
    limits: defaultLimits,
  });

test("entries of an invoice stand alone, and neither they nor its sums are headings", async () => {
  const { document } = await read();
  const paragraphs = document.elements!.filter(({ type }) => type === "paragraph").map(({ text }) => text);
  for (const entry of [
    "Invoice number: HI-2026-0417",
    "Due date: 13 November 2026",
    "Subtotal 3,486.00",
    "Total GBP 4,183.20",
  ])
    expect(paragraphs).toContain(entry);
  const headings = document
    .elements!.filter(({ type }) => type === "heading" || type === "title")
    .map(({ text }) => text);
  expect(headings).toEqual(["Harbour Instruments Ltd", "INVOICE", "Bill to"]);
});
