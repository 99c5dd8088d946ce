// Spreadsheets: each sheet a page, each data region a table, cells as displayed with their addresses.
// By our own hands, which bounds what a sheet may cost: the library runs out of memory on damaged files. Only what is older than
// Excel 97 goes through it.

import { Fault } from "../../errors.ts";
import type { Block, Page, Reader, Source } from "../document.ts";
import { openArchive } from "../office/archive.ts";
import { openBinaryBook } from "../office/binary-book.ts";
import { isCompoundFile, openCompoundFile } from "../office/compound-file.ts";
import { openOdfPackage } from "../office/odf.ts";
import { openOds } from "../office/ods-book.ts";
import { type Properties, readProperties } from "../office/ooxml.ts";
import { sheetBlocks } from "../office/sheet.ts";
import { readSummary } from "../office/summary.ts";
import { choosePages, tolerate } from "../office/whole.ts";
import { openXls } from "../office/xls-book.ts";
import { openXlsb } from "../office/xlsb-book.ts";
import { openXlsx, type SheetEntry } from "../office/xlsx-book.ts";

interface Workbook {
  sheets: SheetEntry[];
  properties: Properties;
}

type Opener = (source: Source, maxExpandedBytes: number) => Workbook;

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
    const archive = openArchive(bytes, maxExpandedBytes);
    return { sheets: openXlsb(archive), properties: readProperties(archive) };
  },
  xls: ({ bytes }) => {
    const file = isCompoundFile(bytes) ? openCompoundFile(bytes) : null;
    const sheets = file && openXls(file);
    if (file && sheets) return { sheets, properties: readSummary(file) };
    const old = openBinaryBook(bytes);
    return {
      sheets: old.sheets,
      properties: file ? readSummary(file) : { title: null, authors: [], language: null, metadata: {} },
    };
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
