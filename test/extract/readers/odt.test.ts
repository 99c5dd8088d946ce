import { describe, expect, it } from "vitest";
import { readOdp } from "../../../src/extract/readers/odp.ts";
import { readOdt } from "../../../src/extract/readers/odt.ts";
import { cellsOf, outline, read, zip } from "../office/make.ts";

const namespaces =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"';

const automatic = `<office:automatic-styles>
  <style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
  <style:style style:name="P2" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>
  <style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:style style:name="T2" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>
  <style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>
  <text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/></text:list-style>
  <text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="✗"/></text:list-style>
</office:automatic-styles>`;
const content = (body: string) =>
  `<office:document-content ${namespaces}>${automatic}<office:body>${body}</office:body></office:document-content>`;
const odt = (body: string, more: Record<string, string> = {}) =>
  zip({ "content.xml": content(`<office:text>${body}</office:text>`), ...more });
const readBody = (...args: Parameters<typeof odt>) => read(readOdt, "odt", odt(...args));
const li = (inside: string) => `<text:list-item>${inside}</text:list-item>`;
const p = (inside: string) => `<text:p>${inside}</text:p>`;

describe("readOdt", () => {
  it("reads titles, headings, marks, links, blanks and lines of code", async () => {
    const { blocks, title } = await readBody(
      `<text:p text:style-name="P1">Main</text:p><text:h text:outline-level="2">Part</text:h><text:p>
        one <text:span text:style-name="T1">two<text:s text:c="2"/></text:span><text:span text:style-name="T2">three</text:span><text:line-break/><text:a xlink:href="https://a.example/">four</text:a></text:p><text:p text:style-name="P2">a</text:p><text:p text:style-name="P2">b</text:p>`,
    );
    expect(outline(blocks)).toEqual([
      "title: Main",
      "heading 2: Part",
      "paragraph: one two  three\nfour",
      "code: a\nb",
    ]);
    expect(blocks[2]!.marks).toEqual([
      { type: "bold", start: 4, end: 7 },
      { type: "italic", start: 9, end: 14 },
      { type: "link", start: 15, end: 19, url: "https://a.example/" },
    ]);
    expect(title).toBe("Main");
  });

  it("counts lists with their levels, start values and continuations", async () => {
    const { blocks } = await readBody(
      `<text:list text:style-name="L1" xml:id="one">${li(`${p("a")}<text:list>${li(p("b"))}${li(p("c"))}</text:list>`)}${li(p("d") + p("more"))}</text:list><text:list text:style-name="L2">${li(p("e"))}</text:list><text:list text:style-name="L1" text:continue-list="one">${li(p("f"))}<text:list-item text:start-value="9">${p("g")}</text:list-item></text:list><text:list text:style-name="L1">${li(p("h"))}</text:list>`,
    );
    expect(outline(blocks)).toEqual([
      "list_item 1 [1.]: a", "list_item 2 [1.a)]: b", "list_item 2 [1.b)]: c", "list_item 1 [2.]: d", "paragraph: more",
      "list_item 1 [✗]: e", "list_item 1 [3.]: f", "list_item 1 [9.]: g", "list_item 1 [1.]: h",
    ]); // biome-ignore format: one list
  });

  it("reads tables with header rows, spans, repeats and lists inside", async () => {
    const cell = (inside: string, more = "") => `<table:table-cell ${more}>${inside}</table:table-cell>`;
    const { blocks } = await readBody(
      `<table:table><table:table-header-rows><table:table-row>${cell(p("H"), 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>${cell(p("a"), 'table:number-rows-spanned="2"')}${cell(p("b"))}</table:table-row><table:table-row><table:covered-table-cell/>${cell(`<text:list text:style-name="L1">${li(p("c"))}</text:list>`)}</table:table-row></table:table>`,
    );
    expect(cellsOf(blocks[0])).toEqual(["0,0 1x2 H H", "1,0 2x1 a", "1,1 b", "2,1 1. c"]);
  });

  it("reads notes, comments, figures, frames, headers; drops what was deleted", async () => {
    const { blocks, title, authors, language } = await readBody(
      `<text:tracked-changes><text:changed-region><text:deletion>${p("gone")}</text:deletion></text:changed-region></text:tracked-changes><text:p>Text<text:note><text:note-citation>1</text:note-citation><text:note-body>${p("below")}</text:note-body></text:note><office:annotation><dc:creator>Ann</dc:creator>${p("hm")}</office:annotation><draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:desc>A cat</svg:desc></draw:frame><draw:frame><draw:text-box>${p("boxed")}</draw:text-box></draw:frame></text:p>`,
      {
        "styles.xml": `<office:document-styles ${namespaces}><office:styles><style:default-style style:family="paragraph"><style:text-properties fo:language="de" fo:country="CH"/></style:default-style></office:styles><office:master-styles><style:master-page style:name="Standard"><style:header>${p("Top")}</style:header><style:footer>${p("Page <text:page-number>1</text:page-number>")}</style:footer></style:master-page></office:master-styles></office:document-styles>`,
        "meta.xml": `<office:document-meta ${namespaces}><office:meta><dc:title>Named</dc:title><meta:initial-creator>Ann</meta:initial-creator></office:meta></office:document-meta>`,
      },
    );
    expect(outline(blocks)).toEqual([
      "header: Top",
      "paragraph: Text[1]",
      "figure: A cat",
      "paragraph: boxed",
      "footnote: [1] below",
      "paragraph (comment): Ann: hm",
      "footer: Page 1",
    ]);
    expect([title, authors, language]).toEqual(["Named", ["Ann"], "de-CH"]);
  });

  it("shows the numbers of headings that the outline gives", async () => {
    const level = (n: number) =>
      `<text:outline-level-style text:level="${n}" style:num-format="1" text:display-levels="${n}"/>`;
    const { blocks } = await readBody(
      '<text:h text:outline-level="1">a</text:h><text:h text:outline-level="2">b</text:h><text:h text:outline-level="2">c</text:h><text:h text:outline-level="1">d</text:h><text:h text:outline-level="2">e</text:h>',
      {
        "styles.xml": `<office:document-styles ${namespaces}><office:styles><text:outline-style>${level(1)}${level(2)}</text:outline-style></office:styles></office:document-styles>`,
      },
    );
    expect(blocks.map((block) => block.text)).toEqual(["1 a", "1.1 b", "1.2 c", "2 d", "2.1 e"]);
  });

  it("refuses what is encrypted or no text", async () => {
    const manifest =
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    await expect(readBody("", { "META-INF/manifest.xml": manifest })).rejects.toMatchObject({
      code: "encrypted_document",
    });
    await expect(read(readOdt, "odt", zip({ "content.xml": content("<office:drawing/>") }))).rejects.toMatchObject({
      code: "corrupt_document",
    });
    await expect(read(readOdt, "odt", zip({ a: "b" }))).rejects.toMatchObject({ code: "corrupt_document" });
  });
});

describe("readOdp", () => {
  const frame = (inside: string, more = "") =>
    `<draw:frame ${more}><draw:text-box>${inside}</draw:text-box></draw:frame>`;
  const at = (x: number, y: number) => `svg:x="${x}cm" svg:y="${y}cm" svg:width="2cm" svg:height="2cm"`;
  const styles = `<office:document-styles ${namespaces}><office:automatic-styles><style:page-layout style:name="PM1"><style:page-layout-properties fo:page-width="25.4cm" fo:page-height="10in"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="M" style:page-layout-name="PM1"/></office:master-styles></office:document-styles>`;
  const odp = (slides: string) =>
    zip({ "content.xml": content(`<office:presentation>${slides}</office:presentation>`), "styles.xml": styles });

  const slides = `<draw:page draw:master-page-name="M">${frame(p("low"), at(1, 8))}${frame(`<text:list text:style-name="L2">${li(p("point"))}</text:list>`, `presentation:class="outline" ${at(1, 4)}`)}${frame(p("Title"), `presentation:class="title" ${at(1, 12)}`)}${frame(p("prompt"), `presentation:class="subtitle" presentation:placeholder="true" ${at(1, 1)}`)}${frame(p("9"), `presentation:class="page-number" ${at(1, 15)}`)}<presentation:notes>${frame(p("Say"), 'presentation:class="notes"')}</presentation:notes></draw:page><draw:page draw:style-name="dp1">${frame(p("Second"), 'presentation:class="title"')}</draw:page>`;

  it("makes slides pages with title first, reading order, notes, size and whether hidden", async () => {
    const { blocks, pages, page_count } = await read(readOdp, "odp", odp(slides));
    expect(outline(blocks)).toEqual([
      "heading 1: Title",
      "list_item 1 [✗]: point",
      "paragraph: low",
      "footer: 9",
      "paragraph (notes): Say",
      "heading 1: Second",
    ]);
    expect(pages[0]).toEqual({
      number: 1,
      width: 720,
      height: 720,
      unit: "pt",
      rotation: 0,
      ocr: false,
      name: "Title",
    });
    expect(pages[1]).toMatchObject({ name: "Second", hidden: true, width: null });
    expect(page_count).toBe(2);
    expect(blocks[2]!.bbox).toEqual([28.35, 226.77, 85.04, 283.46]);
  });

  it("reads the slides asked for", async () => {
    const { blocks } = await read(readOdp, "odp", odp(slides), { pages: [2] });
    expect(outline(blocks)).toEqual(["heading 1: Second"]);
  });
});
