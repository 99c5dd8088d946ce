// Spreadsheets: each sheet a page, each data region a table, cells as displayed with their addresses.
// XLSX and ODS by our own hands, which bounds what a sheet may cost; the binary XLS and XLSB through a library.

import { Fault } from "../../errors.ts";
import type { Block, Page, Reader, Source } from "../document.ts";
import { openArchive } from "../office/archive.ts";
import { openBinaryBook } from "../office/binary-book.ts";
import { openOdfPackage } from "../office/odf.ts";
import { openOds } from "../office/ods-book.ts";
import { type Properties, readProperties } from "../office/ooxml.ts";
import { sheetBlocks } from "../office/sheet.ts";
import { choosePages, tolerate } from "../office/whole.ts";
import { openXlsx, type SheetEntry } from "../office/xlsx-book.ts";

interface Workbook {
  sheets: SheetEntry[];
  properties: Properties;
}

type Opener = (source: Source, maxExpandedBytes: number) => Workbook;

function binaryProperties(given: Record<string, unknown>): Properties {
  const text = (key: string) => (typeof given[key] === "string" && given[key] !== "" ? (given[key] as string) : null);
  const metadata: Record<string, unknown> = {};
  const names = {
    Subject: "subject",
    Keywords: "keywords",
    Comments: "description",
    Category: "category",
    LastAuthor: "last_modified_by",
    Application: "producer",
    Company: "company",
  };
  for (const [key, name] of Object.entries(names)) if (text(key)) metadata[name] = text(key);
  for (const [key, name] of [
    ["CreatedDate", "created_at"],
    ["ModifiedDate", "modified_at"],
  ] as const) {
    const date = given[key];
    if (date instanceof Date && !Number.isNaN(date.getTime())) metadata[name] = date.toISOString();
  }
  const author = text("Author");
  return { title: text("Title"), authors: author ? [author] : [], language: null, metadata };
}

const openers: Partial<Record<Source["kind"], Opener>> = {
  xlsx: ({ bytes }, maxExpandedBytes) => {
    const archive = openArchive(bytes, maxExpandedBytes);
    return { sheets: openXlsx(archive), properties: readProperties(archive) };
  },
  ods: ({ bytes }, maxExpandedBytes) => {
    const { archive, styles, properties } = openOdfPackage(bytes, maxExpandedBytes);
    const content = archive.read("content.xml");
    if (!content) throw new Fault("corrupt_document", { detail: "The file holds no OpenDocument content." });
    return { sheets: openOds(content, styles), properties };
  },
  xlsb: ({ bytes }, maxExpandedBytes) => {
    // The library unpacks every part: all of them are judged first.
    const archive = openArchive(bytes, maxExpandedBytes);
    for (const name of archive.names) archive.check(name);
    return { sheets: openBinaryBook(bytes).sheets, properties: readProperties(archive) };
  },
  xls: ({ bytes }) => {
    const { sheets, properties } = openBinaryBook(bytes);
    return { sheets, properties: binaryProperties(properties) };
  },
};

export const readXlsx: Reader = async (source, reading) => {
  const { sheets, properties } = openers[source.kind]!(source, reading.limits.maxExpandedBytes);
  const chosen = choosePages(sheets.length, reading);
  const pages: Page[] = [];
  const blocks: Block[] = [];
  let missing = 0;
  for (const number of chosen) {
    const { name, hidden, read } = sheets[number - 1]!;
    const sheet = tolerate(reading, "a sheet", read, null, number);
    if (!sheet) missing++;
    const own = sheet ? sheetBlocks(sheet, number) : [];
    pages.push({
      number,
      width: null,
      height: null,
      unit: null,
      rotation: 0,
      ocr: false,
      name,
      ...(hidden ? { hidden } : {}),
    });
    if (sheets.length > 1 && own.length > 0)
      blocks.push({ type: "heading", level: 1, text: name, page: number, bbox: null });
    for (const block of own) blocks.push(block);
    reading.progress("read", pages.length, chosen.length);
  }
  if (missing > 0 && missing === chosen.length)
    throw new Fault("corrupt_document", { detail: "No sheet can be read." });
  return {
    title: properties.title,
    authors: properties.authors,
    language: properties.language,
    published_at: null,
    metadata: properties.metadata,
    page_count: sheets.length,
    pages,
    blocks,
  };
};
