import { describe, expect, it } from "vitest";
import { readXlsx } from "../../../src/extract/readers/xlsx.ts";
import { read, zip } from "../office/make.ts";

const namespaces =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"';
const styles = `<office:automatic-styles><style:style style:name="b" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>`;
const ods = (tables: string) =>
  zip({
    "content.xml": `<office:document-content ${namespaces}>${styles}<office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
  });
const cell = (shown: string, type = "string", more = "") =>
  `<table:table-cell office:value-type="${type}" ${more}><text:p>${shown}</text:p></table:table-cell>`;
const row = (cells: string, more = "") => `<table:table-row ${more}>${cells}</table:table-row>`;
const readTables = (tables: string) => read(readXlsx, "ods", ods(tables));

describe("readXlsx on ODS", () => {
  it("takes the text that cells show, with repeats, merges, blanks and notes", async () => {
    const { blocks, pages } = await readTables(
      `<table:table table:name="Data">${row(cell("Name", "string", 'table:style-name="b"') + cell("Sum"))}${row(cell("Ann<text:s/>B") + cell("1,5 €", "currency"))}${row('<table:table-cell table:number-columns-repeated="2"/>', 'table:number-rows-repeated="3"')}${row(
        `${cell("wide", "string", 'table:number-columns-spanned="2"')}<table:covered-table-cell/>${cell("r", "string", 'table:number-columns-repeated="2"')}`,
      )}${row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048000"')}</table:table><table:table table:name="Aside" table:style-name="h">${row('<table:table-cell office:value-type="string"><office:annotation><dc:creator>Bo</dc:creator><text:p>hm</text:p></office:annotation><text:p>x</text:p></table:table-cell>')}</table:table>`,
    );
    expect(blocks[1]!.table!.cells.map((c) => `${c.address}${c.header ? "*" : ""} ${c.text}`)).toEqual([
      "A1* Name",
      "B1* Sum",
      "A2 Ann B",
      "B2 1,5 €",
    ]);
    expect(blocks[2]!.table!.cells.map((c) => [c.address, c.column, c.column_span, c.text])).toEqual([
      ["A6", 0, 2, "wide"], ["C6", 2, 1, "r"], ["D6", 3, 1, "r"],
    ]); // biome-ignore format: a table
    expect(pages.map((page) => [page.name, page.hidden ?? false])).toEqual([["Data", false], ["Aside", true]]); // biome-ignore format: a table
    expect(blocks.slice(4)).toMatchObject([
      { text: "x", address: "A1" },
      { text: "Bo: hm", role: "comment", address: "A1" },
    ]);
  });

  it("does not follow a filled cell repeated over the whole sheet", async () => {
    const filled = row(
      cell("x", "string", 'table:number-columns-repeated="16384"'),
      'table:number-rows-repeated="1048576"',
    );
    await expect(readTables(`<table:table table:name="a">${filled}</table:table>`)).rejects.toMatchObject({
      code: "document_too_complex",
    });
  });

  it("knows an encrypted file by its manifest", async () => {
    const manifest = `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`;
    const bytes = zip({ "META-INF/manifest.xml": manifest, "content.xml": "garbage" });
    await expect(read(readXlsx, "ods", bytes)).rejects.toMatchObject({ code: "encrypted_document" });
  });
});
