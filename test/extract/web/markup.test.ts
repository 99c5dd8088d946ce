import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDom } from "../../../src/extract/web/dom.ts";
import { boundMarkup } from "../../../src/extract/web/markup.ts";

const body = (html: string) => /<body[^>]*>(.*)<\/body><\/html>$/s.exec(boundMarkup(html))![1];

function depthOf(html: string): number {
  let deepest = 0;
  const walk = (node: { children: Iterable<unknown> }, depth: number) => {
    deepest = Math.max(deepest, depth);
    for (const child of node.children) walk(child as { children: Iterable<unknown> }, depth + 1);
  };
  walk(parseDom(html).body, 0);
  return deepest;
}

describe("one html, head and body around everything", () => {
  test("a fragment", () => {
    expect(boundMarkup("<p>x")).toBe("<!doctype html><html><head></head><body><p>x</body></html>");
  });

  test("attributes and what belongs to the head are kept, content after the end too", () => {
    const html =
      '<!doctype html><html lang="de"><meta name=a content=b><title>T</title><body class="c"><p>x</p></body></html><p>y';
    expect(boundMarkup(html)).toBe(
      '<!doctype html><html lang="de"><head><meta name=a content=b><title>T</title></head><body class="c"><p>x</p><p>y</body></html>',
    );
  });
});

describe("what never shows is left out", () => {
  test.each([
    [
      "scripts, but not linked data",
      '<script>a<b</script><script type="application/ld+json">{}</script>x',
      '<script type="application/ld+json">{}</script>x',
    ],
    [
      "styles, drawings, comments, instructions",
      "<style>p{}</style><svg><path d='>'/></svg><!-- <p> --><?php x ?>y",
      "y",
    ],
    ["an end tag that nothing opened", "a</div>b</p>", "ab"],
    ["a drawing that never ends", "<svg>text", "text"],
    ["a script that never ends", "<p>a</p><script>b", "<p>a</p>"],
  ])("%s", (_, html, expected) => {
    const page = parseDom(`<body>${html}`);
    expect(page.body.innerHTML).toBe(expected);
  });

  test("signs that are no tags stay text", () => {
    expect(body("<p>1 < 2 and <3</p>")).toBe("<p>1 &lt; 2 and &lt;3</p>");
    expect(body('<a title="a > b" href=x"y>z</a>')).toBe('<a title="a > b" href=x"y>z</a>');
  });
});

describe("bounds", () => {
  test("nesting is flattened, the text stays", () => {
    const html = `${"<div>".repeat(5_000)}deep${"</div>".repeat(5_000)}<p>after</p>`;
    expect(depthOf(html)).toBeLessThanOrEqual(150);
    expect(parseDom(html).body.textContent).toBe("deepafter");
  });

  test("paragraphs and items that are never closed are not deep", () => {
    expect(depthOf(`<ul>${"<li>x".repeat(1_000)}</ul>`)).toBe(2);
    expect(depthOf("<p>x".repeat(1_000))).toBe(1);
    expect(depthOf(`<table>${"<tr><td>x<td>y".repeat(300)}</table>`)).toBeLessThanOrEqual(4);
  });

  test("more tags than any page has are refused", () => {
    expect(() => boundMarkup("<i>x</i>".repeat(300_001))).toThrow(
      expect.objectContaining({ code: "document_too_complex" }),
    );
  });

  test("any soup is parsed", () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        "<div>",
        "</div>",
        "<p",
        ">",
        "<!--",
        "-->",
        "<b>",
        "</b>",
        "x",
        '"',
        "'",
        "=",
        "<script>",
        "</script>",
        "<td>",
        "<svg>",
        "&",
        " ",
      ),
      maxLength: 60,
    });
    fc.assert(
      fc.property(soup, (html) => {
        expect(parseDom(html).body.localName).toBe("body");
      }),
      { numRuns: 100 },
    );
  });
});
