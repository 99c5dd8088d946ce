import { describe, expect, it } from "vitest";
import { readRtf } from "../../../src/extract/readers/rtf.ts";
import { cellsOf, outline, read } from "../office/make.ts";

const head =
  "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset2 Symbol;}{\\f3\\fcharset128 MS Mincho;}}{\\colortbl;\\red0;}{\\stylesheet{Normal;}{\\s1\\b heading 1;}{\\s2\\sbasedon1 My heading;}{\\s3\\outlinelevel2 \\'dcberschrift 3;}{\\s4 Title;}}";
const readText = (body: string) => read(readRtf, "rtf", Buffer.from(`${head}${body}}`, "latin1"));

describe("readRtf", () => {
  it("tells headings by style, ancestor and outline level", async () => {
    const { blocks } = await readText(
      "\\pard\\s4 T\\par\\pard\\s1 One\\par\\pard\\s2 Two\\par\\pard\\s3 Three\\par\\pard Four\\par\\pard\\outlinelevel1 Five",
    );
    expect(outline(blocks)).toEqual([
      "title: T",
      "heading 1: One",
      "heading 1: Two",
      "heading 3: Three",
      "paragraph: Four",
      "heading 2: Five",
    ]);
  });

  it("decodes bytes by font, two-byte characters, Unicode with its fallback, and signs", async () => {
    const { blocks } = await readText(
      "caf\\'e9 {\\f1 \\'ef\\'f0} {\\f3 \\'93\\'fa} {\\uc2\\u8364 EU!}\\u-10179?\\u-8704? {\\f2 \\'61} a\\emdash b\\~c\\_d\\{\\}\\\\\\line e\\tab f\\-g",
    );
    expect(blocks[0]!.text).toBe("café пр 日 €!\ud83d\ude00 α a—b c-d{}\\\ne\tfg");
  });

  it("marks bold and italic, drops hidden and deleted text, follows links", async () => {
    const { blocks } = await readText(
      'a {\\b bold \\i both} {\\v hidden}{\\deleted gone}{\\field{\\*\\fldinst{HYPERLINK "https://a.example/"}}{\\fldrslt link}} {\\field{\\*\\fldinst PAGE}{\\fldrslt 3}}{\\*\\unknown x}{\\bkmkstart y}',
    );
    expect(blocks[0]!.text).toBe("a bold both link 3");
    expect(blocks[0]!.marks).toEqual([
      { type: "bold", start: 2, end: 11 },
      { type: "italic", start: 7, end: 11 },
      { type: "link", start: 12, end: 16, url: "https://a.example/" },
    ]);
  });

  it("takes list markers as they are written", async () => {
    const { blocks } = await readText(
      "{\\listtext\\f2 \\'b7\\tab}\\pard\\ls1\\ilvl0 one\\par{\\listtext a)\\tab}\\pard\\ls1\\ilvl1 two\\par{\\pntext 3.\\tab}three\\par\\pard four",
    );
    expect(outline(blocks)).toEqual([
      "list_item 1 [•]: one",
      "list_item 2 [a)]: two",
      "list_item 2 [3.]: three",
      "paragraph: four",
    ]);
  });

  it("keeps a heading that carries an empty marker of its outline", async () => {
    const { blocks } = await readText("\\pard\\s1\\ilvl0{\\listtext\\pard\\plain\\tab}\\ls1 One\\par\\pard\\ls1 two");
    expect(outline(blocks)).toEqual(["heading 1: One", "list_item 1 [•]: two"]);
  });

  it("lays tables on the grid of their edges: wide cells, merges, header rows", async () => {
    const { blocks } = await readText(
      "\\trowd\\trhdr\\cellx2000\\cellx3000\\pard\\intbl A\\cell B\\cell\\row" +
        "\\trowd\\clvmgf\\cellx1000\\cellx2010\\cellx3000\\pard\\intbl v\\cell 1\\cell 2\\par 3\\cell\\row" +
        "\\trowd\\clvmrg\\cellx1000\\clmgf\\cellx2000\\clmrg\\cellx3000\\pard\\intbl\\cell w\\cell\\cell\\row\\pard after",
    );
    expect(cellsOf(blocks[0])).toEqual(["0,0 1x2 H A", "0,2 H B", "1,0 2x1 v", "1,1 1", "1,2 2\n3", "2,1 1x2 w"]);
    expect(outline(blocks.slice(1))).toEqual(["paragraph: after"]);
  });

  it("reads notes, comments, headers, text boxes, figures and properties", async () => {
    const { blocks, title, authors, metadata } = await readText(
      "{\\info{\\title Named}{\\author Ann}{\\creatim\\yr2024\\mo3\\dy5\\hr9\\min7}}{\\header Top\\par}{\\footer Bottom\\par}Text{\\super\\chftn}{\\footnote {\\super\\chftn} Below}{\\*\\atnauthor Bo}{\\*\\annotation Hm}{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt Boxed\\par}}}{\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv A cat}}}\\pngblip 89504e47}}{\\nonshppict{\\pict 00}}",
    );
    expect(outline(blocks)).toEqual([
      "header: Top",
      "paragraph: Text[1]",
      "paragraph: Boxed",
      "figure: A cat",
      "footnote: [1] Below",
      "paragraph (comment): Bo: Hm",
      "footer: Bottom",
    ]);
    expect([title, authors, metadata]).toEqual(["Named", ["Ann"], { created_at: "2024-03-05T09:07:00" }]);
  });

  it("reads what there is of a cut-off file, and skips binary data", async () => {
    const { blocks } = await read(
      readRtf,
      "rtf",
      Buffer.from(`${head}{\\pict\\bin4 }}{{}one {\\b two\\par {three \\trowd\\cellx100\\intbl x\\cell`, "latin1"),
    );
    expect(outline(blocks)).toEqual(["paragraph: one two", "figure: ", "table: 0,0 three x"]);
  });

  it("refuses groups nested without end and what is no RTF", async () => {
    await expect(readText("{".repeat(3000))).rejects.toMatchObject({ code: "document_too_complex" });
    await expect(read(readRtf, "rtf", Buffer.from("hello"))).rejects.toMatchObject({ code: "corrupt_document" });
  });
});
