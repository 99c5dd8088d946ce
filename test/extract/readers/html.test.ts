import { describe, expect, test } from "vitest";
import { outline, read, rowsOf } from "../reading.ts";

const full = (html: string, url?: string) =>
  read(`<!doctype html>${html}`, { options: { main_content: false }, ...(url ? { url } : {}) });

describe("the whole page", () => {
  test("headings, paragraphs, breaks, white space", async () => {
    const result = await full("<body> <h1>One\n two</h1><div>a  <b>b</b>c<br> d<p>e</div>f<hr>g&nbsp;h &lt;i&gt;");
    expect(outline(result)).toEqual([
      "heading 1 One two",
      "paragraph a bc\nd",
      "paragraph e",
      "paragraph f",
      "paragraph g h <i>",
    ]);
  });

  test("lists with numbers, letters, nesting and further paragraphs", async () => {
    const result = await full(
      "<ol start=3><li>three<ul><li>under</ul><li value=9><p>nine</p><p>more</p></ol><ol type=i><li>x</ol><ol reversed><li>b<li>a</ol>",
    );
    expect(outline(result)).toEqual([
      "list_item 3. three",
      "list_item • under",
      "list_item 9. nine\nmore",
      "list_item i. x",
      "list_item 2. b",
      "list_item 1. a",
    ]);
    expect(result.document.elements!.map((element) => element.level)).toEqual([1, 2, 1, 1, 1, 1]);
  });

  test("code, quotes, figures, formulas", async () => {
    const result = await full(
      '<pre class="language-ts"><code>a &lt; b\n  c</code></pre><blockquote><p>said</p></blockquote><figure><img src="/x.png" alt="A cat"><figcaption>Our cat</figcaption></figure><p>so <math alttext="x^2"><mi>x</mi></math> it is',
      "https://a.example/b/",
    );
    expect(outline(result)).toEqual([
      "code a < b\n  c",
      "paragraph said",
      "figure A cat",
      "caption Our cat",
      "paragraph so x^2 it is",
    ]);
    expect(result.document.elements![0]).toMatchObject({ language: "ts" });
    expect(result.document.elements![1]).toMatchObject({ role: "quote" });
    expect(result.document.elements![2]).toMatchObject({ url: "https://a.example/x.png" });
  });

  test("links and emphasis", async () => {
    const { document } = await full(
      '<p>a <a href="../c?d#e">link <i>here</i></a>, <a href="javascript:x()">none</a>, <a href="#f">nor this</a>',
      "https://a.example/b/",
    );
    expect(document.elements![0]!.links).toEqual([{ start: 2, end: 11, url: "https://a.example/c?d#e" }]);
    expect(document.markdown).toBe("a [link *here*](https://a.example/c?d#e), none, nor this");
  });

  test("hidden parts, scripts and controls are not there", async () => {
    const { document } = await full(
      '<p hidden>a</p><p style="color:red;display:none">b</p><div aria-hidden="true">c</div><p class="d-none">d</p><noscript>e</noscript><select><option>f</select><template>g</template><p>seen</p>',
    );
    expect(document.text).toBe("seen");
  });

  test("tables with spans, captions and heads", async () => {
    const result = await full(
      "<table><caption>Prices</caption><thead><tr><th>a<th colspan=2>b</thead><tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
    );
    expect(rowsOf(result)).toEqual([
      ["a", "b"],
      ["c", "d", "e"],
      [undefined, "f", "g"],
    ]);
    const [, wide, tall] = result.document.tables![0]!.cells;
    expect([wide!.column_span, tall!.row_span, wide!.header, tall!.header]).toEqual([2, 2, true, false]);
    expect(result.document.text).toBe("Prices\n\na\tb\nc\td\te\nf\tg");
  });

  test("a table for layout is no table", async () => {
    const result = await full("<table><tr><td><h2>Left</h2><p>words</td><td>right</td></tr></table>");
    expect(result.document.tables).toEqual([]);
    expect(result.document.text).toBe("Left\n\nwords\n\nright");
  });

  test("the charset is taken from the page", async () => {
    const page = Buffer.from(
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><body><p>\xcf\xf0\xe8\xe2\xe5\xf2</p></body></html>',
      "latin1",
    );
    expect((await read(page, { options: { main_content: false } })).document.text).toBe("Привет");
  });
});

const sentence = (topic: string) =>
  `The ${topic} of the town has been discussed for many years, and nobody expects an answer before the winter comes. `;
const paragraph = (topic: string) => `<p>${sentence(topic).repeat(3)}</p>`;
const story = `${paragraph("bridge")}${paragraph("harbour")}<h2>What happens now</h2>${paragraph("station")}${paragraph("library")}`;

/** A news page with everything around the story that such pages have. */
const page = (
  body: string,
  before = "",
  after = "",
) => `<!doctype html><html lang="en"><head><title>A bridge at last | Daily Town</title>
<meta property="og:site_name" content="Daily Town"><meta property="og:url" content="https://town.example/bridge"><meta name="author" content="Ann Lee"></head>
<body><header class="site-header"><ul><li><a href="/">Home</a><li><a href="/sport">Sport</a></ul></header>
<div class="cookie-banner">We use cookies to make this site better for everyone who visits it, every day.</div>
<main><article><h1>A bridge at last</h1><p class="byline">By Ann Lee</p><p>Updated 4 May 2022, 10:30</p>${before}<div class="article-body">${body}</div>${after}</article></main>
<aside><h3>Most read</h3><ul><li><a href="/a">Another story</a></ul></aside><footer>© 2022 Daily Town. All rights reserved.</footer></body></html>`;

const main = async (html: string) => (await read(html)).document;
const clean = main(page(story));

describe("the article", () => {
  test("is found without the page around it", async () => {
    const { text, title, authors } = await clean;
    expect(title).toBe("A bridge at last");
    expect(authors).toEqual(["Ann Lee"]);
    expect(text!.split("\n\n").map((part) => part.slice(0, 16))).toEqual([
      "The bridge of th",
      "The harbour of t",
      "What happens now",
      "The station of t",
      "The library of t",
    ]);
  });

  test.each([
    ["a share bar", '<div class="social-share"><a href="#">Tweet</a> <a href="#">Post it</a></div>'],
    [
      "related links",
      '<h3>Related stories</h3><ul><li><a href="/1">A tunnel instead of it</a></li><li><a href="/2">The ferry stays</a></li></ul>',
    ],
    ["a pointer in the text", '<p><strong>Read more:</strong> <a href="/3">How the old bridge fell down</a></p>'],
    ["a line that is one link", '<p><a href="/4">MAYOR SAYS NO TO EVERYTHING</a></p>'],
    ["a newsletter box", "<p>Sign up for our newsletter and get the news in your inbox every morning.</p>"],
    ["a picture's credit", "<p>Photo: Bo Kim</p>"],
    ["an advertisement's label", "<div>Advertisement</div>"],
    ["a pointer in German", '<p>Lesen Sie auch: <a href="/5">Die Brücke von gestern</a></p>'],
    ["tags", '<div class="tags">Tags: <a href="/t/1">bridge</a>, <a href="/t/2">town</a></div>'],
    [
      "comments",
      `<section id="comments"><h3>Comments</h3><div class="comment"><p>${sentence("nonsense")}</p></div></section>`,
    ],
    [
      "teasers",
      `<div>${["one", "two", "three"].map((name) => `<div class="card"><a href="/${name}"><h3>Story ${name}</h3></a><p>${sentence(name).slice(0, 90)}</p></div>`).join("")}</div>`,
    ],
  ])("leaves out %s", async (_, junk) => {
    const { text } = await clean;
    expect((await main(page(`${paragraph("bridge")}${junk}${story.slice(paragraph("bridge").length)}`))).text).toBe(
      text,
    );
    expect((await main(page(story, "", junk))).text).toBe(text);
  });

  test("keeps what belongs to it", async () => {
    const more = `<table><tr><th>Year</th><th>Cost</th></tr><tr><td>2020</td><td>5 million</td></tr></table><ul><li>steel from the north</li><li>stone from the south</li></ul>
      <blockquote><p>We will cross it when we come to it.</p></blockquote><pre>load = 40 t</pre><figure><img src="/plan.png"><figcaption>The plan</figcaption></figure>
      <p>See <a href="https://far.example/report">the report</a> for the figures that the council gave.</p>`;
    const document = await main(page(`${story}${more}${paragraph("council")}`));
    const types = document.elements!.map((element) => element.type);
    expect(types).toEqual([
      "paragraph",
      "paragraph",
      "heading",
      "paragraph",
      "paragraph",
      "table",
      "list_item",
      "list_item",
      "paragraph",
      "code",
      "figure",
      "paragraph",
      "paragraph",
    ]);
    expect(document.elements![10]).toMatchObject({ text: "The plan", url: "https://town.example/plan.png" });
    expect(document.text).not.toContain("The plan");
  });

  test("links to elsewhere on lines of their own stay: they are what it is about", async () => {
    const { text } = await main(
      page(`${story}<p><a href="https://shop.example/x">Get it at the shop for 39.99</a></p>${paragraph("market")}`),
    );
    expect(text).toContain("Get it at the shop for 39.99");
  });

  test("a page that is a list of links is not emptied", async () => {
    const links = Array.from(
      { length: 12 },
      (_, i) => `<li><a href="/doc/${i}">Chapter ${i} of the handbook</a></li>`,
    ).join("");
    const { text } = await main(`<!doctype html><html><body><h1>Handbook</h1><ul>${links}</ul></body></html>`);
    expect(text).toContain("Chapter 11 of the handbook");
  });

  test("is the one that bears the title, not the longest", async () => {
    const other = `<article><h2><a href="/other">Another</a></h2>${paragraph("castle").repeat(8)}</article>`;
    const { text } = await main(page(story).replace("</main>", `${other}</main>`));
    expect(text).toBe((await clean).text);
  });

  test("names that mislead do not lose it", async () => {
    const { text } = await main(
      `<!doctype html><html><body><div class="sidebar comments share">${story}</div></body></html>`,
    );
    expect(text).toContain("The library of the town");
  });
});

test.each([
  ["unclosed tags", `<p>${sentence("bridge")}<div><b>${sentence("harbour")}<i>${sentence("station")}`],
  ["no body", sentence("bridge")],
  ["frames of nothing", `<html><head></head></html>${sentence("bridge")}`],
])("broken markup: %s", async (_, html) => {
  expect((await read(html, { contentType: "text/html", name: "a.html" })).document.text).toContain(
    "The bridge of the town",
  );
});
