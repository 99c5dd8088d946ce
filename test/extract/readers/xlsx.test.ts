import { utils, type WorkBook, write } from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import type { Block } from "../../../src/extract/document.ts";
import { readXlsx } from "../../../src/extract/readers/xlsx.ts";
import { outline, read, relations, zip } from "../office/make.ts";

const main =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

const styles = `<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;€&quot;"/></numFmts><fonts><font/><font><b/></font></fonts><cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/><xf numFmtId="164" fontId="0"/><xf numFmtId="165" fontId="0"/><xf numFmtId="9" fontId="0"/><xf numFmtId="14" fontId="0"/></cellXfs></styleSheet>`;

interface Given {
  name?: string;
  state?: string;
  /** <row> elements. */
  rows: string;
  more?: string;
}

function xlsx(sheets: Given[], strings: string[] = [], workbookPr = ""): Uint8Array {
  const parts: Record<string, string> = {
    "_rels/.rels": relations(["r1", "officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `<workbook ${main}>${workbookPr}<sheets>${sheets.map((s, n) => `<sheet name="${s.name ?? `S${n + 1}`}" sheetId="${n + 1}" r:id="s${n + 1}"${s.state ? ` state="${s.state}"` : ""}/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ...sheets.map((_, n): [string, string, string] => [`s${n + 1}`, "worksheet", `worksheets/sheet${n + 1}.xml`]),
      ["st", "styles", "styles.xml"],
      ["ss", "sharedStrings", "sharedStrings.xml"],
    ),
    "xl/styles.xml": styles,
    "xl/sharedStrings.xml": `<sst ${main}>${strings.map((s) => `<si>${s.startsWith("<") ? s : `<t>${s}</t>`}</si>`).join("")}</sst>`,
  };
  sheets.forEach(({ rows, more = "" }, n) => {
    parts[`xl/worksheets/sheet${n + 1}.xml`] = `<worksheet ${main}><sheetData>${rows}</sheetData>${more}</worksheet>`;
  });
  return zip(parts);
}

const text = (r: string, value: string, s = 0) => `<c r="${r}" s="${s}" t="inlineStr"><is><t>${value}</t></is></c>`;
const value = (r: string, v: string | number, s = 0) => `<c r="${r}" s="${s}"><v>${v}</v></c>`;
const cells = (block: Block | undefined) =>
  block?.table?.cells.map((c) => `${c.address}${c.header ? "*" : ""} ${c.text}`);
const readBook = (bytes: Uint8Array, ...rest: [Parameters<typeof read>[3]?]) => read(readXlsx, "xlsx", bytes, ...rest);

describe("readXlsx", () => {
  it("shows values as the sheet does: dates, numbers, truth values, errors, shared and rich texts, formulas", async () => {
    const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
      <row r="2">${value("A2", 45306, 2)}${value("B2", 1234.5, 3)}</row>
      <row r="3">${value("A3", 0.25, 4)}${value("B3", 0.30000000000000004)}</row>
      <row r="4"><c r="A4" t="b"><v>1</v></c><c r="B4" t="e"><v>#DIV/0!</v></c></row>
      <row r="5"><c r="A5" t="str"><f>A1</f><v>shown</v></c><c r="B5"><f>SUM(B2:B3)</f></c></row>
      <row r="6">${value("A6", 45306, 5)}${value("B6", 12345678901)}</row>`;
    const rich = "<r><t>Ri</t></r><r><t>ch</t></r><rPh><t>guide</t></rPh>";
    const { blocks } = await readBook(xlsx([{ rows }], ["Plain &amp; simple", rich]));
    expect(cells(blocks[0])).toEqual([
      "A1* Plain & simple", "B1* Rich", "A2 2024-01-15", "B2 1,234.50 €", "A3 25%", "B3 0.3",
      "A4 TRUE", "B4 #DIV/0!", "A5 shown", "B5 =SUM(B2:B3)", "A6 1/15/2024", "B6 12345678901",
    ]); // biome-ignore format: a table
  });

  it("counts dates from 1904 where the workbook does", async () => {
    const { blocks } = await readBook(
      xlsx([{ rows: `<row r="1">${value("A1", 43844, 2)}</row>` }], [], '<workbookPr date1904="1"/>'),
    );
    expect(blocks[0]!.text).toBe("2024-01-15");
  });

  it("gives each data region a table, lone cells as text with their address", async () => {
    const rows = `<row r="1">${text("A1", "Report")}</row>
      <row r="3">${text("A3", "Name")}${text("B3", "Sum")}${text("E3", "x")}${text("F3", "y")}</row>
      <row r="4">${text("A4", "Ann")}${value("B4", 5)}${value("E4", 1)}${value("F4", 2)}</row>
      <row r="9">${text("C9", "Note")}</row>`;
    const { blocks } = await readBook(xlsx([{ rows }]));
    expect(blocks.map((block) => cells(block) ?? `${block.address} ${block.text}`)).toEqual([
      "A1 Report",
      ["A3* Name", "B3* Sum", "A4 Ann", "B4 5"],
      ["E3* x", "F3* y", "E4 1", "F4 2"],
      "C9 Note",
    ]);
    expect(blocks[2]!.table!.cells[0]).toMatchObject({ row: 0, column: 0 });
  });

  it("takes a lone text over a wider table as its title, a merged one as a cell over its columns", async () => {
    const body = `<row r="2">${text("A2", "Name")}${text("B2", "Sum")}</row><row r="3">${text("A3", "Ann")}${value("B3", 5)}</row>`;
    const lone = await readBook(xlsx([{ rows: `<row r="1">${text("A1", "Sales")}</row>${body}` }]));
    expect(outline(lone.blocks)).toEqual(["paragraph: Sales", "table: 0,0 H Name | 0,1 H Sum | 1,0 Ann | 1,1 5"]);
    const more = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>';
    const merged = await readBook(xlsx([{ rows: `<row r="1">${text("A1", "Sales")}</row>${body}`, more }]));
    expect(outline(merged.blocks)).toEqual(["table: 0,0 1x2 H Sales | 1,0 H Name | 1,1 H Sum | 2,0 Ann | 2,1 5"]);
  });

  it("takes no row of numbers for a header, but a bold one of texts over texts", async () => {
    const plain = await readBook(
      xlsx([{ rows: `<row>${value("A1", 1)}${value("B1", 2)}</row><row>${value("A2", 3)}${value("B2", 4)}</row>` }]),
    );
    expect(cells(plain.blocks[0])).toEqual(["A1 1", "B1 2", "A2 3", "B2 4"]);
    const rows = `<row>${text("A1", "k", 1)}</row><row>${text("A2", "v")}</row>`;
    expect(cells((await readBook(xlsx([{ rows }]))).blocks[0])).toEqual(["A1* k", "A2 v"]);
  });

  it("finds cells that do not say where they stand", async () => {
    const { blocks } = await readBook(
      xlsx([{ rows: "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>" }]),
    );
    expect(cells(blocks[0])).toEqual(["A1 1", "B1 2", "A2 3"]);
  });

  it("makes sheets pages, marks hidden ones, reads those asked for", async () => {
    const one = (word: string) => `<row r="1">${text("A1", word)}</row>`;
    const book = xlsx([
      { name: "First", rows: one("a") },
      { name: "Second", rows: one("b"), state: "hidden" },
      { rows: "" },
    ]);
    const { pages, blocks, page_count } = await readBook(book);
    expect(pages.map((page) => [page.number, page.name, page.hidden])).toEqual([[1, "First", undefined], [2, "Second", true], [3, "S3", undefined]]); // biome-ignore format: a table
    expect(outline(blocks)).toEqual(["heading 1: First", "paragraph: a", "heading 1: Second", "paragraph: b"]);
    expect(page_count).toBe(3);
    const some = await readBook(book, { pages: [2] });
    expect(outline(some.blocks)).toEqual(["heading 1: Second", "paragraph: b"]);
    expect(some.blocks[0]!.page).toBe(2);
  });

  it("does not walk the empty cells of a sheet that claims a million rows", async () => {
    const rows = `<row r="1">${value("A1", 1)}</row><row r="1048576">${value("XFD1048576", 2)}</row>`;
    const { blocks } = await readBook(
      xlsx([{ rows: `${rows}`, more: '<mergeCells><mergeCell ref="A1:A1048576"/></mergeCells>' }]),
    );
    expect(blocks.map((block) => block.address)).toEqual(["A1", "XFD1048576"]);
  });

  it("refuses more filled cells than it can hand on", async () => {
    const row = `<row>${"<c><v>1</v></c>".repeat(1000)}</row>`;
    await expect(readBook(xlsx([{ rows: row.repeat(401) }]))).rejects.toMatchObject({ code: "document_too_complex" });
  });

  it("treats very many scattered cells as one region", async () => {
    const rows = Array.from(
      { length: 2000 },
      (_, n) => `<row r="${n * 2 + 1}">${value(`A${n * 2 + 1}`, n)}</row>`,
    ).join("");
    const { blocks } = await readBook(xlsx([{ rows }]));
    expect(blocks.length).toBe(1);
    expect(blocks[0]!.table!.cells.length).toBe(2000);
  });
});

describe("readXlsx on what SheetJS writes", () => {
  const book = (): WorkBook => {
    const sheet = utils.aoa_to_sheet([
      ["Item", "When", "Price"],
      ["Pen", 45306, 2.5],
      ["Ink", 45307, 1234],
    ]);
    for (const address of ["B2", "B3"]) sheet[address].z = "yyyy-mm-dd";
    for (const address of ["C2", "C3"]) sheet[address].z = "#,##0.00";
    sheet["!merges"] = [{ s: { r: 4, c: 0 }, e: { r: 4, c: 1 } }];
    utils.sheet_add_aoa(sheet, [["Over two", null, "End"]], { origin: "A5" });
    const whole = utils.book_new();
    utils.book_append_sheet(whole, sheet, "Data");
    utils.book_append_sheet(whole, utils.aoa_to_sheet([["secret"]]), "Aside");
    whole.Workbook = { Sheets: [{}, { Hidden: 1 }] };
    whole.Props = { Title: "Prices", Author: "Ann" };
    return whole;
  };

  it.each([
    ["xlsx", "xlsx"],
    ["xls", "biff8"],
    ["xlsb", "xlsb"],
  ] as const)("reads %s alike", async (kind, bookType) => {
    const bytes: Buffer = write(book(), { type: "buffer", bookType });
    const { blocks, pages, title, authors } = await read(readXlsx, kind, bytes);
    expect(cells(blocks[1])).toEqual([
      "A1* Item", "B1* When", "C1* Price", "A2 Pen", "B2 2024-01-15", "C2 2.50", "A3 Ink", "B3 2024-01-16", "C3 1,234.00",
    ]); // biome-ignore format: a table
    expect(blocks[2]!.table!.cells.map((c) => [c.address, c.column_span, c.text])).toEqual([["A5", 2, "Over two"], ["C5", 1, "End"]]); // biome-ignore format: a table
    expect(pages.map((page) => [page.name, page.hidden ?? false])).toEqual([["Data", false], ["Aside", true]]); // biome-ignore format: a table
    expect([title, authors]).toEqual(["Prices", ["Ann"]]);
  });

  it("calls a cut-off binary workbook corrupt", async () => {
    const bytes: Buffer = write(book(), { type: "buffer", bookType: "biff8" });
    await expect(read(readXlsx, "xls", bytes.subarray(0, 700))).rejects.toMatchObject({ code: "corrupt_document" });
  });
});
