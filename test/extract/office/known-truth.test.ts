// The same text in every kind, made in code: it has to come back whole, in order, with its structure.

import { describe, expect, it } from "vitest";
import { makers } from "../../../bench/kinds-documents.ts";
import type { Block } from "../../../src/extract/document.ts";
import { readerFor } from "../../../src/extract/readers/readers.ts";
import { read } from "./make.ts";

const sheets = new Set(["xlsx", "xls", "xlsb", "ods"]);
/** Subject and addresses come before the body of a mail. */
const headBlocks: Record<string, number> = { eml: 2, msg: 2 };

function rowsOf(block: Block): string[][] {
  const rows: string[][] = [];
  for (const cell of block.table?.cells ?? []) {
    rows[cell.row] ??= [];
    rows[cell.row]![cell.column] = cell.text;
  }
  return rows;
}

const tokens = (texts: string[]) => texts.join(" ").split(/\s+/);
const texts = (blocks: Block[], type: Block["type"]) =>
  blocks.filter((block) => block.type === type).map((block) => block.text);

async function readMade(kind: (typeof makers)[number][0], make: () => Uint8Array): Promise<Block[]> {
  const { blocks } = await read(await readerFor(kind), kind, make());
  return blocks.slice(headBlocks[kind] ?? 0);
}

describe("known truth", () => {
  it.each(makers.filter(([kind]) => !sheets.has(kind)))("comes back from %s", async (kind, make, truth) => {
    const blocks = await readMade(kind, make);
    expect(texts(blocks, "heading")).toEqual(truth.map((section) => section.heading));
    expect(texts(blocks, "list_item")).toEqual(truth.flatMap((section) => section.items));
    // The maker of DOC sets only the first row as a table.
    const rows = truth.map((section) => (kind === "doc" ? section.rows.slice(0, 1) : section.rows));
    expect(blocks.filter((block) => block.table).map(rowsOf)).toEqual(rows);
    const words = tokens(blocks.flatMap((block) => (block.table ? rowsOf(block).flat() : [block.text])));
    expect(words).toEqual(tokens(truth.flatMap((s) => [s.heading, ...s.paragraphs, ...s.items, ...s.rows.flat()])));
  });

  it.each(makers.filter(([kind]) => sheets.has(kind)))("comes back from the cells of %s", async (kind, make, truth) => {
    const blocks = await readMade(kind, make);
    truth.forEach((section, n) => {
      const own = blocks.filter((block) => block.page === n + 1);
      expect(rowsOf(own.at(-1)!)).toEqual(section.rows);
      const shown = own.slice(1, -1).flatMap((block) => (block.table ? rowsOf(block).flat() : [block.text]));
      expect(shown.join("").replace(/\s+/g, "")).toBe(
        [...section.paragraphs, ...section.items].join("").replace(/\s+/g, ""),
      );
    });
  });
});
