import { describe, expect, it } from "vitest";
import { toLogical } from "../../../src/extract/layout/bidi.ts";
import { outline, Paper, tableOf } from "./paper.ts";

const order = (words: string[], rtl: boolean): string =>
  toLogical(
    words.map((text) => ({ text })),
    rtl,
  )
    .map(({ text }) => text)
    .join(" ");

describe("from places to reading order", () => {
  it("turns a right-to-left line round", () => {
    expect(order(["עולם", "שלום"], true)).toBe("שלום עולם");
  });

  it("keeps Latin words inside it in their own order", () => {
    expect(order(["היום", "Light", "House", "ראינו"], true)).toBe("ראינו Light House היום");
  });

  it("keeps a right-to-left name inside a Latin line in its own order", () => {
    expect(order(["called", "אביב", "תל", "since"], false)).toBe("called תל אביב since");
  });

  it("leaves a Latin line alone", () => {
    expect(order(["one", "two", "3"], false)).toBe("one two 3");
  });
});

describe("right-to-left pages", () => {
  it("joins lines to paragraphs, flush right", () => {
    const paper = new Paper();
    paper.rtl(500, 100, "אחד שתיים שלוש ארבע חמש שש שבע שמונה תשע");
    paper.rtl(500, 112, "עשר אחת עשרה");
    expect(outline(paper)).toEqual([["paragraph", "אחד שתיים שלוש ארבע חמש שש שבע שמונה תשע עשר אחת עשרה"]]);
  });

  it("finds numbered items at the right", () => {
    const paper = new Paper();
    paper.rtl(500, 100, "1. ראשון בכל הרשימה הזאת");
    paper.rtl(500, 112, "2. שני בכל הרשימה הזאת");
    expect(outline(paper)).toEqual([
      ["list_item", "ראשון בכל הרשימה הזאת"],
      ["list_item", "שני בכל הרשימה הזאת"],
    ]);
  });

  it("numbers the columns of a table from the right", () => {
    const paper = new Paper();
    paper.grid([100, 200, 300], [90, 110, 130]);
    paper.rtl(290, 104, "שם");
    paper.rtl(190, 104, "גיל");
    paper.rtl(290, 124, "דנה");
    paper.rtl(190, 124, "31");
    expect(tableOf(paper)).toEqual([
      ["שם", "גיל"],
      ["דנה", "31"],
    ]);
  });
});
