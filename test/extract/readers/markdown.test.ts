import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../src/extract/readers/markdown.ts";
import { outline, read, rowsOf } from "../reading.ts";

const markdown = (text: string) => read(text, { name: "a.md" });

describe("blocks", () => {
  test("headings of both styles, paragraphs over lines, hard breaks", async () => {
    const result = await markdown("# One #\nTwo\n===\nThree\n---\n\nsoft\nbreak  \nhard\\\nbreak\n\n***\n####### no");
    expect(outline(result)).toEqual([
      "heading 1 One",
      "heading 1 Two",
      "heading 2 Three",
      "paragraph soft break\nhard\nbreak",
      "paragraph ####### no",
    ]);
  });

  test("lists with nesting, numbers, further paragraphs and boxes", async () => {
    const result = await markdown("- a\n- b\n  1. one\n  2. two\n\n     more\n- [x] done\n\n3) three");
    expect(outline(result)).toEqual([
      "list_item • a",
      "list_item • b",
      "list_item 1. one",
      "list_item 2. two\nmore",
      "list_item • ☑ done",
      "list_item 3) three",
    ]);
    expect(result.document.elements!.map((element) => element.level)).toEqual([1, 1, 2, 2, 1, 1]);
  });

  test("code, quotes, rules, images", async () => {
    const result = await markdown("```py\nx = '# no'\n```\n\n    indented\n\n> said\nlazily\n\n![a cat](cat.png)");
    expect(outline(result)).toEqual(["code x = '# no'", "code indented", "paragraph said lazily", "figure a cat"]);
    expect(result.document.elements![0]).toMatchObject({ language: "py" });
    expect(result.document.elements![2]).toMatchObject({ role: "quote" });
    expect(result.document.elements![3]).toMatchObject({ url: "cat.png" });
  });

  test("tables", async () => {
    const result = await markdown("| a | b |\n|---|:-:|\n| 1 \\| 2 | **x** |\n| only |\n\nafter");
    expect(rowsOf(result)).toEqual([["a", "b"], ["1 | 2", "x"], ["only"]]);
    expect(result.document.tables![0]!.cells.map((cell) => cell.header)).toEqual([true, true, false, false, false]);
  });

  test("front matter tells title, authors and date", async () => {
    const { document } = await markdown(
      '---\ntitle: "A: B"\nauthor: Ann, Bob\ndate: 2024-05-06\ntopic: x\n---\n# Heading\n',
    );
    expect(document).toMatchObject({
      title: "A: B",
      authors: ["Ann", "Bob"],
      published_at: "2024-05-06",
      metadata: { topic: "x" },
    });
    expect((await markdown("# Heading\n\ntext")).document.title).toBe("Heading");
  });
});

describe("inline", () => {
  test("marks stand where their text is", () => {
    const [block] = parseMarkdown(
      'a **b *c* d** `e*f` [g **h**](http://x.y/z_(1) "t") <http://q.r> ~~s~~ snake_case_word 2*3*4',
    );
    const marks = block!.marks!.map(({ type, start, end, url }) => [type, block!.text.slice(start, end), url]);
    expect(block!.text).toBe("a b c d e*f g h http://q.r s snake_case_word 2*3*4".replace("2*3*4", "234"));
    expect(marks).toContainEqual(["bold", "b c d", undefined]);
    expect(marks).toContainEqual(["italic", "c", undefined]);
    expect(marks).toContainEqual(["code", "e*f", undefined]);
    expect(marks).toContainEqual(["link", "g h", "http://x.y/z_(1)"]);
    expect(marks).toContainEqual(["link", "http://q.r", "http://q.r"]);
    expect(marks).toContainEqual(["strike", "s", undefined]);
  });

  test("escapes, entities and tags", () => {
    expect(parseMarkdown("\\*no\\* &amp; &#65; &nosuch; <b>bold</b> a<br>b 1 < 2")[0]!.text).toBe(
      "*no* & A &nosuch; bold a\nb 1 < 2",
    );
  });

  test("what never closes is text", () => {
    expect(parseMarkdown("a **b *c [d](e `f")[0]!.text).toBe("a **b *c [d](e `f");
  });
});

test("nesting without end is bounded", async () => {
  const { document } = await markdown(`${">".repeat(20_000)} deep`);
  expect(document.text).toContain("deep");
});
