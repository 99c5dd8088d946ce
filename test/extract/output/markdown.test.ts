import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, Cell, Document } from "../../../src/extract/document.ts";
import { renderMarkdown } from "../../../src/extract/output/markdown.ts";
import { numberDocument } from "../../../src/extract/output/number.ts";
import { renderText } from "../../../src/extract/output/text.ts";
import { parseMarkdown } from "../../../src/extract/readers/markdown.ts";

const block = (part: Partial<Block>): Block => ({ type: "paragraph", text: "", page: 1, bbox: null, ...part });
const cell = (row: number, column: number, text: string, more: Partial<Cell> = {}): Cell => ({
  row, column, text, row_span: 1, column_span: 1, header: row === 0, bbox: null, ...more,
}); // biome-ignore format: one cell

function numbered(blocks: Block[]) {
  const document: Document = {
    title: null,
    authors: [],
    language: null,
    published_at: null,
    metadata: {},
    page_count: 1,
    pages: [],
    blocks,
  };
  return numberDocument(document).elements;
}
const markdownOf = (...blocks: Partial<Block>[]) => renderMarkdown(numbered(blocks.map(block)));
const textOf = (...blocks: Partial<Block>[]) => renderText(numbered(blocks.map(block)));

describe("blocks", () => {
  test("headings, paragraphs, quotes, code", () => {
    const parts: Partial<Block>[] = [
      { type: "title", text: "T" },
      { type: "heading", level: 3, text: "H" },
      { text: "first line\nsecond" },
      { text: "said", role: "quote" },
      { type: "code", text: "a ``` b", language: "js" },
    ];
    expect(markdownOf(...parts)).toBe("# T\n\n### H\n\nfirst line  \nsecond\n\n> said\n\n````js\na ``` b\n````");
    expect(textOf(...parts)).toBe("T\n\nH\n\nfirst line\nsecond\n\nsaid\n\na ``` b");
  });

  test("lists keep their numbers and stand under the text of the item above", () => {
    const items: Partial<Block>[] = [
      { type: "list_item", marker: "9.", level: 1, text: "nine" },
      { type: "list_item", marker: "•", level: 2, text: "under" },
      { type: "list_item", marker: "10.", level: 1, text: "ten" },
      { type: "list_item", marker: "(a)", level: 1, text: "letter" },
    ];
    expect(markdownOf(...items)).toBe("9. nine\n   - under\n10. ten\n- (a) letter");
    expect(textOf(...items)).toBe("9. nine\n  • under\n10. ten\n(a) letter");
  });

  test("running headers and footers stay out, figures are only in markdown", () => {
    const parts: Partial<Block>[] = [
      { type: "header", text: "Page 1" },
      { text: "words" },
      { type: "figure", text: "a cat", url: "https://x.y/c(1).png" },
      { type: "footer", text: "Draft" },
    ];
    expect(markdownOf(...parts)).toBe("words\n\n![a cat](https://x.y/c%281%29.png)");
    expect(textOf(...parts)).toBe("words");
  });

  test("a table is GFM, with spans HTML", () => {
    const cells = [cell(0, 0, "a|b"), cell(0, 1, "c"), cell(1, 0, "two\nlines"), cell(1, 1, "<x>")];
    const table = { page: 1, bbox: null, rows: 2, columns: 2, caption: null, cells };
    expect(markdownOf({ type: "table", table })).toBe("| a\\|b | c |\n| --- | --- |\n| two<br>lines | \\<x> |");
    expect(textOf({ type: "table", table })).toBe("a|b\tc\ntwo lines\t<x>");
    const wide = { ...table, cells: [cell(0, 0, "both & all", { column_span: 2 }), cell(1, 0, "l"), cell(1, 1, "r")] };
    expect(markdownOf({ type: "table", table: wide })).toBe(
      '<table>\n<tr><th colspan="2">both &amp; all</th></tr>\n<tr><td>l</td><td>r</td></tr>\n</table>',
    );
  });

  test("a caption that stands only on the table is shown once", () => {
    const table = { page: 1, bbox: null, rows: 1, columns: 1, caption: "Prices", cells: [cell(0, 0, "x")] };
    expect(textOf({ type: "table", table })).toBe("Prices\n\nx");
    expect(textOf({ type: "caption", text: "Prices" }, { type: "table", table })).toBe("Prices\n\nx");
  });
});

describe("inline marks", () => {
  const marked = (text: string, ...marks: NonNullable<Block["marks"]>) => markdownOf({ text, marks });

  test("nested, touching and crossing ones", () => {
    expect(marked("a bold word", { type: "bold", start: 2, end: 6 })).toBe("a **bold** word");
    expect(marked("all of it", { type: "bold", start: 0, end: 9 }, { type: "italic", start: 4, end: 6 })).toBe(
      "**all *of* it**",
    );
    expect(marked("one two", { type: "bold", start: 0, end: 4 }, { type: "bold", start: 4, end: 7 })).toBe(
      "**one two**",
    );
    expect(marked("abcdef", { type: "bold", start: 0, end: 4 }, { type: "italic", start: 2, end: 6 })).toBe(
      "**ab*cd***ef",
    );
  });

  test("links and code", () => {
    expect(marked("see [1] here", { type: "link", start: 4, end: 7, url: "https://x.y/a b" })).toBe(
      "see [[1\\]](https://x.y/a%20b) here",
    );
    expect(marked("run a`b now", { type: "code", start: 4, end: 7 })).toBe("run ``a`b`` now");
  });

  test("a mark that markdown could not close is left out", () => {
    expect(marked("note:more", { type: "bold", start: 0, end: 5 })).toBe("note:more");
  });
});

describe("escaping", () => {
  test.each([
    ["2 * 3 * 4 and snake_case stay", "2 * 3 * 4 and snake_case stay"],
    ["*star* _under_ `tick`", "\\*star\\* \\_under\\_ \\`tick\\`"],
    ["# no heading", "\\# no heading"],
    ["1. no list", "1\\. no list"],
    ["- no list", "\\- no list"],
    ["* no list", "\\* no list"],
    ["> no quote", "\\> no quote"],
    ["a < b & c, R&D; AT&T", "a < b & c, R\\&D; AT&T"],
    ["<b>no tag</b>", "\\<b>no tag\\</b>"],
    ["[x](y)", "[x\\](y)"],
    ["---", "\\---"],
  ])("%s", (text, markdown) => {
    expect(markdownOf({ text })).toBe(markdown);
  });

  test("any paragraph reads back as itself", () => {
    const signs = fc.constantFrom(..."ab12 .,:;!?#*_-+>=~`[]()<>&|\\/\"'\n".split(""));
    fc.assert(
      fc.property(fc.string({ unit: signs, minLength: 1, maxLength: 40 }), (raw) => {
        const text = raw
          .split("\n")
          .map((line) => line.trim().replace(/ +/g, " "))
          .filter(Boolean)
          .join("\n");
        fc.pre(text !== "");
        const back = parseMarkdown(markdownOf({ text }));
        expect(back.map(({ type, text: read }) => [type, read])).toEqual([["paragraph", text]]);
      }),
      { numRuns: 300 },
    );
  });

  test("any table reads back as itself", () => {
    const word = fc
      .string({ unit: fc.constantFrom(..."ab1 |*_\\`<>&[]()".split("")), maxLength: 8 })
      .map((text) => text.trim().replace(/ +/g, " "));
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word, word), { minLength: 2, maxLength: 5 }), (rows) => {
        fc.pre(rows.every((row) => row.some((text) => text !== "")));
        const cells = rows.flatMap((row, r) => row.map((text, c) => cell(r, c, text)));
        const markdown = markdownOf({
          type: "table",
          table: { page: 1, bbox: null, rows: rows.length, columns: 3, caption: null, cells },
        });
        const [back] = parseMarkdown(markdown);
        expect(back?.table?.cells.map(({ text }) => text)).toEqual(rows.flat());
      }),
      { numRuns: 200 },
    );
  });
});
