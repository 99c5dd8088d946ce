import { describe, expect, it } from "vitest";
import { readDocx } from "../../../src/extract/readers/docx.ts";
import { cellsOf, docx, item, outline, paragraph, read, relations, run, wordPart, zip } from "../office/make.ts";

const readBody = (...args: Parameters<typeof docx>) => read(readDocx, "docx", docx(...args));
const cell = (inside: string, properties = "") =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${inside.startsWith("<") ? inside : paragraph(inside)}</w:tc>`;
const row = (cells: string, properties = "") => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;

describe("readDocx", () => {
  it("tells headings by name, outline level and ancestors, and a title", async () => {
    const { blocks, title, language } = await readBody(
      paragraph("The title", '<w:pStyle w:val="Titel"/>') +
        paragraph("One", '<w:pStyle w:val="berschrift1"/>') +
        paragraph("Two", '<w:pStyle w:val="Mine"/>') +
        paragraph("Three", '<w:outlineLvl w:val="2"/>') +
        paragraph("Body again", '<w:pStyle w:val="H2"/><w:outlineLvl w:val="9"/>') +
        paragraph("  "),
    );
    expect(outline(blocks)).toEqual([
      "title: The title",
      "heading 1: One",
      "heading 2: Two",
      "heading 3: Three",
      "paragraph: Body again",
    ]);
    expect(title).toBe("The title");
    expect(language).toBe("de-DE");
  });

  it("counts lists as Word does: levels, restarts, overrides, legal numbers, bullets", async () => {
    const { blocks } = await readBody(
      item("a", 1, 0) + item("b", 1, 1) + item("c", 1, 1) + item("d", 1, 2) + item("e", 1, 0) + item("f", 1, 1) +
        item("g", 2, 0) + item("h", 2, 1) + item("i", 3, 0) + item("j", 3, 0) + item("k", 9, 0),
    ); // biome-ignore format: one list
    expect(outline(blocks)).toEqual([
      "list_item 1 [1.]: a", "list_item 2 [(a)]: b", "list_item 2 [(b)]: c", "list_item 3 [1.2.1]: d", "list_item 1 [2.]: e", "list_item 2 [(a)]: f",
      "list_item 1 [•]: g", "list_item 2 [◦]: h", "list_item 1 [5.]: i", "list_item 1 [6.]: j", "paragraph: k",
    ]); // biome-ignore format: one list
  });

  it("shows the number of a numbered heading", async () => {
    const { blocks } = await readBody(
      paragraph("First", '<w:pStyle w:val="H2"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
    );
    expect(outline(blocks)).toEqual(["heading 2: 1. First"]);
  });

  it("reads tables with merged cells, header rows, captions; nested tables follow", async () => {
    const nested = `<w:tbl>${row(cell("n1") + cell("n2"))}</w:tbl>`;
    const { blocks } = await readBody(
      `<w:tbl><w:tblPr><w:tblCaption w:val="Figures"/></w:tblPr>${row(cell("A", '<w:gridSpan w:val="2"/>') + cell("B"), "<w:tblHeader/>")}${row(
        cell("v", '<w:vMerge w:val="restart"/>') + cell("1") + cell("2"),
      )}${row(cell("", "<w:vMerge/>") + cell("3") + cell(`${paragraph("4")}${item("x", 2, 0)}${nested}`))}${row(cell("gone"), "<w:del/>")}</w:tbl>`,
    );
    expect(cellsOf(blocks[0])).toEqual([
      "0,0 1x2 H A",
      "0,2 H B",
      "1,0 2x1 v",
      "1,1 1",
      "1,2 2",
      "2,1 3",
      "2,2 4\n• x",
    ]);
    expect(blocks[0]!.table).toMatchObject({ rows: 3, columns: 3, caption: "Figures" });
    expect(cellsOf(blocks[1])).toEqual(["0,0 n1", "0,1 n2"]);
  });

  it("takes a first row set off by bold type or table style as header", async () => {
    const bold = (text: string) => cell(paragraph(run(text, "<w:b/>")));
    const byHand = `<w:tbl>${row(bold("A") + bold("B"))}${row(cell("1") + cell("2"))}</w:tbl>`;
    const byStyle = `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblLook w:firstRow="1"/></w:tblPr>${row(cell("A"))}${row(cell("1"))}</w:tbl>`;
    const plain = `<w:tbl>${row(cell("A") + cell("B"))}${row(cell("1") + cell("2"))}</w:tbl>`;
    const { blocks } = await readBody(byHand + paragraph("x") + byStyle + paragraph("y") + plain);
    const headers = blocks.flatMap((block) => (block.table ? [block.table.cells.filter((c) => c.header).length] : []));
    expect(headers).toEqual([2, 1, 0]);
  });

  it("opens a frame drawn as a table of one cell", async () => {
    const { blocks } = await readBody(`<w:tbl>${row(cell(paragraph("one") + paragraph("two")))}</w:tbl>`);
    expect(outline(blocks)).toEqual(["paragraph: one", "paragraph: two"]);
  });

  it("keeps insertions, drops deletions, joins paragraphs whose end was deleted", async () => {
    const { blocks } = await readBody(
      paragraph(
        `<w:ins>${run("new ")}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>${run("here")}</w:moveFrom>${run("kept")}`,
      ) +
        paragraph("first ", "<w:rPr><w:del/></w:rPr>") +
        paragraph("second"),
    );
    expect(outline(blocks)).toEqual(["paragraph: new kept", "paragraph: first second"]);
  });

  it("shows the results of fields, not their instructions, and links", async () => {
    const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const { blocks } = await readBody(
      paragraph(
        `${run("On page ")}${field("begin")}<w:r><w:instrText> PAGEREF x </w:instrText></w:r>${field("separate")}${run("7")}${field("end")}${run(" see ")}<w:hyperlink r:id="h">${run("there")}</w:hyperlink>`,
      ) +
        paragraph(
          `${field("begin")}<w:r><w:instrText>HYPERLINK "https://b.example/"</w:instrText></w:r>${field("separate")}${run("b")}${field("end")}`,
        ),
      {},
      [["h", "hyperlink", "https://a.example/", true]],
    );
    expect(blocks[0]!.text).toBe("On page 7 see there");
    expect(blocks[0]!.marks).toEqual([{ type: "link", start: 14, end: 19, url: "https://a.example/" }]);
    expect(blocks[1]!.marks).toEqual([{ type: "link", start: 0, end: 1, url: "https://b.example/" }]);
  });

  it("marks bold and italic, joins runs, drops hidden text, maps symbols", async () => {
    const { blocks } = await readBody(
      paragraph(
        `${run("a ")}${run("bo", "<w:b/>")}${run("ld ", "<w:b/><w:i/>")}${run("off", '<w:b w:val="0"/>')}${run("secret", "<w:vanish/>")}<w:r><w:tab/><w:sym w:font="Wingdings" w:char="F0FE"/><w:br/><w:noBreakHyphen/></w:r>`,
      ),
    );
    expect(blocks[0]!.text).toBe("a bold off\t☑\n-");
    expect(blocks[0]!.marks).toEqual([
      { type: "bold", start: 2, end: 6 },
      { type: "italic", start: 4, end: 6 },
    ]);
  });

  it("reads notes in the order of their calls, comments with their author, headers and footers once", async () => {
    const { blocks } = await readBody(
      paragraph(`${run("Text")}<w:r><w:footnoteReference w:id="5"/></w:r>${run(" more")}<w:r><w:footnoteReference w:id="2"/><w:endnoteReference w:id="1"/><w:commentReference w:id="0"/></w:r>`) +
        '<w:sectPr><w:headerReference w:type="default" r:id="hd"/><w:headerReference w:type="first" r:id="hd"/><w:footerReference r:id="ft"/></w:sectPr>',
      {
        "word/footnotes.xml": wordPart("footnotes", `<w:footnote w:id="2">${paragraph("two")}</w:footnote><w:footnote w:id="5">${paragraph(run("fi") + run("ve", "<w:b/>"))}</w:footnote>`),
        "word/endnotes.xml": wordPart("endnotes", `<w:endnote w:id="1">${paragraph("end")}</w:endnote>`),
        "word/comments.xml": wordPart("comments", `<w:comment w:id="0" w:author="Ann">${paragraph("Really?")}</w:comment>`),
        "word/header1.xml": wordPart("hdr", paragraph("Top")),
        "word/footer1.xml": wordPart("ftr", paragraph("Bottom")),
      },
      [["f", "footnotes", "footnotes.xml"], ["e", "endnotes", "endnotes.xml"], ["c", "comments", "comments.xml"], ["hd", "header", "header1.xml"], ["ft", "footer", "footer1.xml"]],
    ); // biome-ignore format: one document
    expect(outline(blocks)).toEqual([
      "header: Top",
      "paragraph: Text[1] more[2][i]",
      "footnote: [1] five",
      "footnote: [2] two",
      "footnote: [i] end",
      "paragraph (comment): Ann: Really?",
      "footer: Bottom",
    ]);
    expect(blocks[2]!.marks).toEqual([{ type: "bold", start: 6, end: 8 }]);
  });

  it("reads text boxes once, figures with their description, charts as tables, formulas", async () => {
    const box = `<w:txbxContent>${paragraph("In a box")}</w:txbxContent>`;
    const { blocks } = await readBody(
      paragraph(`${run("Anchor")}<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`) +
        paragraph('<w:r><w:drawing><wp:inline><wp:docPr descr="A cat"/><a:blip r:embed="img"/></wp:inline></w:drawing></w:r>') +
        paragraph('<w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="ch"/></w:drawing></w:r>') +
        paragraph("<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>"),
      {
        "word/chart.xml": `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><a:p><a:r><a:t>Growth</a:t></a:r></a:p></c:title><c:plotArea><c:ser><c:tx><c:pt idx="0"><c:v>Sales</c:v></c:pt></c:tx><c:cat><c:pt idx="0"><c:v>2020</c:v></c:pt><c:pt idx="1"><c:v>2021</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>1</c:v></c:pt><c:pt idx="1"><c:v>0.30000000000000004</c:v></c:pt></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>`,
      },
      [["img", "image", "media/cat.png"], ["ch", "chart", "chart.xml"]],
    ); // biome-ignore format: one document
    expect(outline(blocks)).toEqual([
      "paragraph: Anchor",
      "paragraph: In a box",
      "figure: A cat",
      "table: 0,0 H  | 0,1 H Sales | 1,0 2020 | 1,1 1 | 2,0 2021 | 2,1 0.3",
      "formula: \\frac{a}{b}",
    ]);
    expect(blocks[2]!.url).toBe("word/media/cat.png");
    expect(blocks[3]!.table!.caption).toBe("Growth");
  });

  it("reads content controls, old check boxes, and lines of code as one block", async () => {
    const { blocks } = await readBody(
      `<w:sdt><w:sdtContent>${paragraph("held")}</w:sdtContent></w:sdt>` +
        paragraph(
          '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
        ) +
        paragraph("let a;", '<w:pStyle w:val="Pre"/>') +
        paragraph("a = 1;", '<w:pStyle w:val="Pre"/>') +
        paragraph("Table 1", '<w:pStyle w:val="Cap"/>'),
    );
    expect(outline(blocks)).toEqual(["paragraph: held", "paragraph: ☒", "code: let a;\na = 1;", "caption: Table 1"]);
  });

  it("reads properties", async () => {
    const core = `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Named</dc:title><dc:creator>Ann; Bob</dc:creator><cp:keywords>k</cp:keywords><dcterms:created>2024-01-02T03:04:05Z</dcterms:created></cp:coreProperties>`;
    const { title, authors, metadata } = await readBody(paragraph("x"), { "docProps/core.xml": core });
    expect({ title, authors, metadata }).toEqual({
      title: "Named",
      authors: ["Ann", "Bob"],
      metadata: { keywords: "k", created_at: "2024-01-02T03:04:05Z" },
    });
  });

  it("reads on where a part beside the text is damaged, and says so", async () => {
    const { blocks, warnings } = await readBody(paragraph("Still here"), { "word/styles.xml": "<w:styles" });
    expect(outline(blocks)).toEqual(["paragraph: Still here"]);
    expect(warnings.map((warning) => warning.code)).toEqual(["damaged_part"]);
  });

  it("calls a package without a document corrupt", async () => {
    await expect(read(readDocx, "docx", zip({ "_rels/.rels": relations() }))).rejects.toMatchObject({
      code: "corrupt_document",
    });
    await expect(readBody("", { "word/document.xml": "<w:document><w:body>" })).rejects.toMatchObject({
      code: "corrupt_document",
    });
  });

  it("refuses tables nested without end", async () => {
    const deep = "<w:tbl><w:tr><w:tc>".repeat(500) + paragraph("x") + "</w:tc></w:tr></w:tbl>".repeat(500);
    await expect(readBody(deep)).rejects.toMatchObject({ code: "document_too_complex" });
  });
});
