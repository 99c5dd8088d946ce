import { describe, expect, it } from "vitest";
import { readDoc } from "../../../src/extract/readers/doc.ts";
import { cellsOf, outline, read } from "../office/make.ts";
import { sprms, word97 } from "../office/word97.ts";

const readWord = (...args: Parameters<typeof word97>) => read(readDoc, "doc", word97(...args));

describe("readDoc", () => {
  it("tells headings by their number, ancestor and outline level, whatever they are called", async () => {
    const { blocks, title } = await readWord({
      paragraphs: [
        { text: "T\r", style: 3 },
        { text: "One\r", style: 1 },
        { text: "Two\r", style: 2 },
        { text: "Three\r", sprms: sprms.outline(2) },
        { text: "Body text\x0bsecond line\r" },
        { text: "\r" },
      ],
    });
    expect(outline(blocks)).toEqual([
      "title: T",
      "heading 1: One",
      "heading 1: Two",
      "heading 3: Three",
      "paragraph: Body text\nsecond line",
    ]);
    expect(title).toBe("T");
  });

  it("counts its lists from where they start", async () => {
    const { blocks } = await readWord({
      paragraphs: [
        { text: "a\r", sprms: sprms.list(1, 0) },
        { text: "x\r" },
        { text: "b\r", sprms: sprms.list(1, 0) },
        { text: "c\r", sprms: sprms.list(0, 0) },
      ],
    });
    expect(outline(blocks)).toEqual(["list_item 1 [3.]: a", "paragraph: x", "list_item 1 [4.]: b", "paragraph: c"]);
  });

  it("reads tables with wide and merged cells and header rows", async () => {
    const cell = (text: string) => ({ text: `${text}\x07`, sprms: sprms.cell });
    const { blocks } = await readWord({
      paragraphs: [
        cell("A"), cell("B"), { text: "\x07", sprms: sprms.row([0, 2000, 3000], [0, 0], true) },
        { text: "v\r", sprms: sprms.cell }, cell("w"), cell("1"), cell("2"), { text: "\x07", sprms: sprms.row([0, 1000, 2000, 3000], [3 << 5, 0, 0]) },
        cell(""), cell("3"), cell("4"), { text: "\x07", sprms: sprms.row([0, 1000, 2000, 3000], [1 << 5, 0, 0]) },
        { text: "after\r" },
      ],
    }); // biome-ignore format: a row a line
    expect(cellsOf(blocks[0])).toEqual(["0,0 1x2 H A", "0,2 H B", "1,0 2x1 v\nw", "1,1 1", "1,2 2", "2,1 3", "2,2 4"]);
    expect(outline(blocks.slice(1))).toEqual(["paragraph: after"]);
  });

  it("marks bold, drops hidden text, shows the results of fields and follows links", async () => {
    const { blocks } = await readWord({
      paragraphs: [{ text: 'Some bold secret \x13HYPERLINK "https://a.example/"\x14link\x15 \x13PAGE\x143\x15\r' }],
      runs: [{ length: 5 }, { length: 4, sprms: sprms.bold }, { length: 1 }, { length: 7, sprms: sprms.hidden }],
    });
    expect(blocks[0]!.text).toBe("Some bold link 3");
    expect(blocks[0]!.marks).toEqual([{ type: "bold", start: 5, end: 9 }, { type: "link", start: 10, end: 14, url: "https://a.example/" }]); // biome-ignore format: two marks
  });

  it("reads footnotes where they are called", async () => {
    const { blocks } = await readWord({
      paragraphs: [{ text: "One\x02 two\x02\r" }],
      footnotes: [
        { at: 3, text: "\x02 First\r" },
        { at: 8, text: "\x02 Second\r" },
      ],
    });
    expect(outline(blocks)).toEqual(["paragraph: One[1] two[2]", "footnote: [1] First", "footnote: [2] Second"]);
  });

  it("refuses what is encrypted, older than Word 97, or cut off", async () => {
    const paragraphs = [{ text: "x\r" }];
    await expect(readWord({ paragraphs, encrypted: true })).rejects.toMatchObject({ code: "encrypted_document" });
    await expect(readWord({ paragraphs, version: 101 })).rejects.toMatchObject({ code: "unsupported_kind" });
    await expect(read(readDoc, "doc", word97({ paragraphs }).subarray(0, 1600))).rejects.toMatchObject({
      code: "corrupt_document",
    });
  });
});
