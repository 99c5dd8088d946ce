// Words, lines, reading order and paragraphs.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, LOREM, outline, Paper } from "./paper.ts";

const texts = (...papers: Paper[]): string[] => outline(...papers).map(([, text]) => text);

describe("lines and words", () => {
  it("joins the lines of a paragraph and gives every word its place", () => {
    const paper = new Paper();
    paper.flow(50, 100, 300, LOREM);
    const [block, ...rest] = blocksOf(paper);
    expect(rest).toEqual([]);
    expect(block?.text).toBe(LOREM);
    expect(block?.words?.map(({ start, end }) => block.text.slice(start, end))).toEqual(LOREM.split(" "));
    expect(block?.words?.[0]?.bbox).toEqual([50, 92, 65, 102.2]);
  });

  it("drops what is printed twice to look bold", () => {
    const paper = new Paper();
    paper.text(50, 100, "Total amount");
    paper.text(50.3, 100, "Total amount");
    expect(texts(paper)).toEqual(["Total amount"]);
  });

  it("keeps a raised number with its word", () => {
    const paper = new Paper();
    const end = paper.text(50, 100, "as shown");
    paper.page.items.push({ text: "12", bbox: [end, 90, end + 6, 96], size: 6, glued: true });
    paper.text(end + 11, 100, "before");
    expect(texts(paper)).toEqual(["as shown12 before"]);
  });

  it("does not glue words that stand apart, and glues a word in two styles", () => {
    const paper = new Paper();
    const end = paper.text(50, 100, "light");
    paper.page.items.push({ text: "house", bbox: [end, 92, end + 25, 102.2], size: 10, bold: true, glued: true });
    expect(texts(paper)).toEqual(["lighthouse"]);
  });

  it("leaves out text off the page and text too small to read", () => {
    const paper = new Paper();
    paper.text(50, 100, "seen");
    paper.text(700, 100, "outside");
    paper.text(50, 120, "tiny", { size: 1 });
    expect(texts(paper)).toEqual(["seen"]);
  });

  it("splits items without word boxes at their spaces", () => {
    const paper = new Paper();
    paper.page.items.push({ text: "two words", bbox: [100, 92, 190, 102], size: 10 });
    const [block] = blocksOf(paper);
    expect(block?.words?.map((word) => word.bbox[0])).toEqual([100, 140]);
  });
});

describe("hyphens at line ends", () => {
  it("joins a broken word that the document also has whole", () => {
    const paper = new Paper();
    paper.text(50, 100, "the keeper of the light-");
    paper.text(50, 112, "house and the lighthouse itself");
    expect(texts(paper)).toEqual(["the keeper of the lighthouse and the lighthouse itself"]);
  });

  it("joins halves that are no words by themselves", () => {
    const paper = new Paper();
    paper.text(50, 100, "the keeper of the har-");
    paper.text(50, 112, "bour writes his log");
    expect(texts(paper)).toEqual(["the keeper of the harbour writes his log"]);
  });

  it("keeps the hyphen of a compound that the document also has on one line", () => {
    const paper = new Paper();
    paper.text(50, 100, "a well-known keeper and a well-");
    paper.text(50, 112, "known light over the western sea");
    expect(texts(paper)).toEqual(["a well-known keeper and a well-known light over the western sea"]);
  });
});

describe("reading order", () => {
  const left = `left ${LOREM} ${LOREM}`;
  const right = `right ${LOREM} ${LOREM}`;

  function twoColumns(interleaved: boolean): Paper {
    const [a, b] = [new Paper(), new Paper()];
    a.flow(50, 100, 200, left);
    b.flow(320, 100, 200, right);
    const paper = new Paper();
    const rows = [...a.page.items, ...b.page.items];
    paper.page.items.push(
      ...(interleaved ? rows.sort((x, y) => x.bbox[1] - y.bbox[1] || x.bbox[0] - y.bbox[0]) : rows),
    );
    return paper;
  }

  it("reads columns one after the other when the page draws them so", () => {
    expect(texts(twoColumns(false)).join(" ")).toBe(`${left} ${right}`);
  });

  it("reads columns one after the other when the page draws them row by row", () => {
    expect(texts(twoColumns(true)).join(" ")).toBe(`${left} ${right}`);
  });

  it("reads a heading over two columns before them", () => {
    const paper = twoColumns(true);
    const heading = new Paper();
    heading.text(50, 60, "A heading that runs over both of the columns", { size: 20, bold: true });
    paper.page.items.push(...heading.page.items);
    expect(texts(paper)[0]).toBe("A heading that runs over both of the columns");
  });
});

describe("paragraphs", () => {
  it("ends one where the next word had room on the line", () => {
    const paper = new Paper();
    const y = paper.flow(50, 100, 300, `${LOREM} End.`);
    paper.flow(50, y, 300, `Next ${LOREM}`);
    expect(texts(paper)).toEqual([`${LOREM} End.`, `Next ${LOREM}`]);
  });

  it("ends one at a first line that is set in", () => {
    const paper = new Paper();
    const one = "aaaaaaaaa ".repeat(12).trim();
    const y = paper.flow(50, 100, 300, one);
    paper.text(65, y, "bbbbbbbbb ".repeat(5).trim());
    paper.flow(50, y + 12, 300, "bbbbbbbbb ".repeat(12).trim());
    expect(texts(paper)).toHaveLength(2);
  });

  it("ends one at a wider gap", () => {
    const paper = new Paper();
    const one = "aaaaaaaaa ".repeat(12).trim();
    const y = paper.flow(50, 100, 300, one);
    paper.flow(50, y + 6, 300, one.replaceAll("a", "b"));
    expect(texts(paper)).toHaveLength(2);
  });

  it("goes on over the end of a column and of a page", () => {
    const [first, second] = [new Paper(1), new Paper(2)];
    first.flow(50, 700, 300, "aaaaaaaaa ".repeat(12).trim());
    second.flow(50, 60, 300, "bbbbbbbbb ".repeat(12).trim());
    expect(texts(first, second)).toEqual([`${"aaaaaaaaa ".repeat(12)}${"bbbbbbbbb ".repeat(12).trim()}`]);
  });

  it("does not go on over a page after a full stop", () => {
    const [first, second] = [new Paper(1), new Paper(2)];
    first.flow(50, 700, 300, `${"aaaaaaaaa ".repeat(11)}aaaaaaaa.`);
    second.flow(50, 60, 300, "Bbbbbbbbb ".repeat(12).trim());
    expect(texts(first, second)).toHaveLength(2);
  });
});

describe("turned pages", () => {
  it("reads a page set sideways and returns boxes on the page as it is", () => {
    const paper = new Paper(1, 600, 800);
    // reading downwards: the first word is the upper one
    for (const [i, word] of ["words", "going", "down"].entries())
      paper.page.items.push({ text: word, bbox: [300, 100 + i * 40, 310, 130 + i * 40], size: 10, rotation: 90 });
    const [block] = blocksOf(paper);
    expect(block?.text).toBe("words going down");
    expect(block?.bbox).toEqual([300, 100, 310, 210]);
    expect(block?.words?.[2]?.bbox).toEqual([300, 180, 310, 210]);
  });

  it("keeps a turned note beside upright text, after it", () => {
    const paper = new Paper();
    paper.flow(50, 100, 300, LOREM);
    paper.page.items.push({ text: "aside", bbox: [20, 200, 30, 225], size: 10, rotation: 270 });
    expect(texts(paper)).toEqual([LOREM, "aside"]);
  });
});

it("loses no word and invents none, wherever they stand", () => {
  const word = fc.record({
    text: fc.stringMatching(/^[a-z]{1,8}$/),
    x: fc.integer({ min: 0, max: 550 }),
    y: fc.integer({ min: 20, max: 780 }),
    size: fc.constantFrom(8, 10, 10, 10, 14, 20),
    bold: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), (words) => {
      const paper = new Paper();
      for (const [i, { text, x, y, size, bold }] of words.entries()) paper.text(x, y, `${text}${i}`, { size, bold });
      const read = blocksOf(paper).flatMap((block) =>
        block.table
          ? block.table.cells.flatMap((cell) => cell.text.split(/\s+/))
          : [block.marker ?? "", ...block.text.split(/\s+/)],
      );
      const letters = (all: string[]): string => [...all.join("")].sort().join("");
      expect(letters(read)).toBe(letters(words.map(({ text }, i) => `${text}${i}`)));
    }),
    { numRuns: 150 },
  );
});
