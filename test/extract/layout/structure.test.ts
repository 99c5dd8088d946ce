// Headings, lists, captions, footnotes, code, running text.
import { describe, expect, it } from "vitest";
import { layOut } from "../../../src/extract/layout/layout.ts";
import { blocksOf, LOREM, outline, Paper } from "./paper.ts";

const short = (blocks: [string, string][]): string[] => blocks.map(([type, text]) => `${type}: ${text.slice(0, 24)}`);

describe("headings", () => {
  function report(): Paper {
    const paper = new Paper();
    paper.text(50, 60, "Report on the Cape", { size: 24 });
    let y = 100;
    for (const [section, part] of [
      ["1 Light", "1.1 Lamp"],
      ["2 Sound", "2.1 Horn"],
    ] as const) {
      paper.text(50, y, section, { size: 16, bold: true });
      paper.text(50, y + 30, part, { size: 12, bold: true });
      y = paper.flow(50, y + 50, 400, LOREM) + 20;
    }
    return paper;
  }

  it("are told by size and weight, the largest being the title", () => {
    expect(blocksOf(report()).map(({ type, level }) => [type, level])).toEqual([
      ["title", undefined],
      ["heading", 2],
      ["heading", 3],
      ["paragraph", undefined],
      ["heading", 2],
      ["heading", 3],
      ["paragraph", undefined],
    ]);
  });

  it("of one style go by the depth of their numbers", () => {
    const paper = new Paper();
    for (const [i, text] of ["1 Light", "1.1 Lamp", "1.1.1 Wick", "2 Sound"].entries()) {
      paper.text(50, 60 + i * 150, text, { size: 14, bold: true });
      paper.flow(50, 80 + i * 150, 400, LOREM);
    }
    expect(blocksOf(paper).flatMap(({ type, level }) => (type === "heading" ? [level] : []))).toEqual([1, 2, 3, 1]);
  });

  it("may be bold lines in the size of the text, but not bold words that begin a line", () => {
    const paper = new Paper();
    paper.flow(50, 60, 400, LOREM);
    paper.text(50, 150, "The horn", { bold: true });
    paper.flow(50, 164, 400, LOREM);
    const end = paper.text(50, 260, "Note", { bold: true });
    paper.text(end + 5, 260, "that the horn is silent in summer");
    expect(short(outline(paper))).toEqual([
      "paragraph: the keeper of the lighth",
      "heading: The horn",
      "paragraph: the keeper of the lighth",
      "paragraph: Note that the horn is si",
    ]);
  });

  it("may be lines in italics that stand apart, where the style is used for them alone", () => {
    const paper = new Paper();
    let y = 60;
    for (const text of ["The lamp room", "The engine room"]) {
      paper.text(50, y, text, { italic: true, font: "Serif-Italic" });
      y = paper.flow(50, y + 14, 400, LOREM) + 16;
    }
    expect(
      outline(paper)
        .filter(([type]) => type === "heading")
        .map(([, text]) => text),
    ).toEqual(["The lamp room", "The engine room"]);
  });

  it("take level and name from the document's outline", () => {
    const paper = new Paper();
    let y = 60;
    for (const text of ["Lamp", "Wick", "Horn"]) {
      paper.text(50, y, text);
      y = paper.flow(50, y + 24, 400, LOREM) + 24;
    }
    const entries = [
      { title: "Lamp", level: 1, page: 1 },
      { title: "Wick", level: 2, page: 1 },
      { title: "Horn", level: 1, page: 2 },
    ];
    const headings = layOut([paper.page], { outline: entries }).filter((block) => block.type === "heading");
    expect(headings.map(({ text, level }) => [text, level])).toEqual([
      ["Lamp", 1],
      ["Wick", 2],
    ]);
  });

  it("take their level from the tags of a tagged document", () => {
    const paper = new Paper();
    paper.text(50, 60, "Lamp");
    for (const item of paper.page.items) item.mcid = 7;
    paper.flow(50, 90, 400, LOREM);
    const tags = new Map([[1, { headings: new Map([[7, 2]]), known: new Set([7]) }]]);
    expect(layOut([paper.page], { tags })[0]).toMatchObject({ type: "heading", text: "Lamp" });
  });

  it("are not the entries of a table of contents", () => {
    const paper = new Paper();
    paper.text(50, 60, "Lamp . . . . . . . . . . . . . 3", { bold: true });
    paper.text(50, 74, "Horn . . . . . . . . . . . . . 9", { bold: true });
    paper.flow(50, 120, 400, LOREM);
    expect(outline(paper).map(([type]) => type)).not.toContain("heading");
  });
});

describe("lists", () => {
  it("have their markers apart from their text, and items over several lines", () => {
    const paper = new Paper();
    paper.text(50, 100, "• bring the oil and the wick up to the lamp room before");
    paper.text(60, 112, "sunset");
    paper.text(50, 124, "• light the lamp");
    expect(blocksOf(paper).map(({ type, marker, text }) => [type, marker, text])).toEqual([
      ["list_item", "•", "bring the oil and the wick up to the lamp room before sunset"],
      ["list_item", "•", "light the lamp"],
    ]);
  });

  it("are found where the bullet is drawn as a shape", () => {
    const paper = new Paper();
    for (const [i, text] of ["oil for the lamp", "wick"].entries()) {
      paper.shade(50, 94.5 + i * 12, 53, 97.5 + i * 12, "000000");
      paper.text(62, 100 + i * 12, text);
    }
    expect(outline(paper)).toEqual([
      ["list_item", "oil for the lamp"],
      ["list_item", "wick"],
    ]);
  });

  it("nest by how far they are set in", () => {
    const paper = new Paper();
    paper.text(50, 100, "1. lamp");
    paper.text(70, 112, "a) wick");
    paper.text(70, 124, "b) oil");
    paper.text(50, 136, "2. horn");
    expect(blocksOf(paper).map(({ marker, level }) => [marker, level])).toEqual([
      ["1.", 1],
      ["a)", 2],
      ["b)", 2],
      ["2.", 1],
    ]);
  });

  it("need numbers that count on: a measure or a year at the start of a line is no marker", () => {
    const paper = new Paper();
    paper.flow(
      50,
      100,
      300,
      "the wick is cut to a length of about three quarters of one inch or 12. that is all of it",
    );
    expect(outline(paper).map(([type]) => type)).toEqual(["paragraph"]);
  });
});

describe("other blocks", () => {
  it("captions, footnotes and code are told from paragraphs", () => {
    const paper = new Paper();
    let y = paper.flow(50, 60, 400, LOREM);
    paper.text(50, y + 10, "Figure 3: The lamp room in winter");
    paper.text(50, y + 40, "while (night):", { font: "Courier" });
    paper.text(70, y + 52, "turn(lamp)", { font: "Courier" });
    y = paper.flow(50, y + 80, 400, LOREM);
    paper.text(50, y + 40, "1 After the log of the year 1871.", { size: 7 });
    expect(blocksOf(paper).map(({ type, text }) => [type, text])).toEqual([
      ["paragraph", LOREM],
      ["caption", "Figure 3: The lamp room in winter"],
      ["code", "while (night):\n    turn(lamp)"],
      ["paragraph", LOREM],
      ["footnote", "1 After the log of the year 1871."],
    ]);
  });

  it("links are kept as marks", () => {
    const paper = new Paper();
    paper.text(50, 100, "see the harbour office for tides");
    paper.page.links.push({ bbox: [68, 90, 140, 104], url: "https://harbour.example/" });
    const [block] = blocksOf(paper);
    const link = block?.marks?.find((mark) => mark.type === "link");
    expect(block?.text.slice(link?.start, link?.end)).toBe("the harbour");
    expect(link?.url).toBe("https://harbour.example/");
  });

  it("carry the confidence of OCR", () => {
    const paper = new Paper();
    paper.page.items.push({ text: "blurred", bbox: [50, 90, 100, 100], size: 10, confidence: 0.5 });
    paper.page.items.push({ text: "crisp it", bbox: [105, 90, 140, 100], size: 10, confidence: 1 });
    expect(blocksOf(paper)[0]?.confidence).toBe(0.75);
  });
});

describe("running text", () => {
  const pages = (count: number, draw: (paper: Paper, number: number) => void): Paper[] =>
    Array.from({ length: count }, (_, i) => {
      const paper = new Paper(i + 1);
      draw(paper, i + 1);
      paper.flow(50, 150, 400, `${["Morning", "Noon", "Evening", "Night"][i]} ${LOREM}`);
      return paper;
    });

  it("at the head and foot of pages becomes header and footer", () => {
    const papers = pages(3, (paper, number) => {
      paper.text(50, 40, "Log of the Cape Light");
      paper.text(290, 770, `Page ${number} of 3`);
    });
    expect(outline(...papers).map(([type]) => type)).toEqual(
      new Array(3).fill(["header", "paragraph", "footer"]).flat(),
    );
  });

  it("counts with the pages where it is a number alone", () => {
    const papers = pages(4, (paper, number) => paper.text(300, 770, String(number + 10)));
    expect(
      outline(...papers)
        .filter(([type]) => type === "footer")
        .map(([, text]) => text),
    ).toEqual(["11", "12", "13", "14"]);
  });

  it("is not what only one page has", () => {
    const papers = pages(3, (paper, number) => {
      if (number === 2) paper.text(50, 40, "An unusual day");
    });
    expect(outline(...papers).map(([type]) => type)).not.toContain("header");
  });

  it("of a right-to-left document is found as well", () => {
    const papers = pages(2, (paper) => paper.rtl(500, 40, "יומן המגדלור"));
    expect(outline(...papers).filter(([type]) => type === "header")).toHaveLength(2);
  });
});
