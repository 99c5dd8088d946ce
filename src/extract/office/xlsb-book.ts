// XLSB: the parts of an XLSX as binary records, each a type and a length in seven-bit steps.

import { Fault } from "../../errors.ts";
import type { Archive } from "./archive.ts";
import { type CellStyle, formatNumber } from "./number-formats.ts";
import { mainPartName, readRelations, relationOf } from "./ooxml.ts";
import { MAX_SHEET_CELLS, newSheet, type Sheet, tooManyCells } from "./sheet.ts";
import { errorWords, unpackNumber } from "./xls-book.ts";
import type { SheetEntry } from "./xlsx-book.ts";

const record = {
  row: 0, packedNumber: 2, error: 3, truth: 4, number: 5, text: 6, sharedText: 7, formulaText: 8, formulaNumber: 9, formulaTruth: 10,
  formulaError: 11, string: 19, font: 43, format: 44, style: 47, properties: 153, sheet: 156, merge: 176, cellStylesBegin: 617, cellStylesEnd: 618,
} as const; // biome-ignore format: a table

interface Entry {
  type: number;
  data: Buffer;
}

function* records(part: Uint8Array | null): Generator<Entry> {
  if (!part) return;
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  let at = 0;
  while (at + 2 <= bytes.length) {
    let type = bytes[at++]!;
    if (type & 0x80) type = (type & 0x7f) | ((bytes[at++] ?? 0) << 7);
    let length = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const step = bytes[at++] ?? 0;
      length |= (step & 0x7f) << shift;
      if (!(step & 0x80)) break;
    }
    yield { type, data: bytes.subarray(at, at + length) };
    at += length;
  }
}

function wideString(data: Buffer, at: number): string {
  const count = data.readUInt32LE(at);
  return count === 0xffffffff ? "" : data.toString("utf16le", at + 4, Math.min(data.length, at + 4 + count * 2));
}

interface Book {
  archive: Archive;
  strings: string[];
  styles: CellStyle[];
  date1904: boolean;
  filled: number;
}

function readStyles(part: Uint8Array | null): CellStyle[] {
  const fonts: boolean[] = [];
  const formats = new Map<number, string>();
  const styles: CellStyle[] = [];
  let inCellStyles = false;
  for (const { type, data } of records(part)) {
    if (type === record.font) fonts.push(data.readUInt16LE(4) >= 600);
    else if (type === record.format) formats.set(data.readUInt16LE(0), wideString(data, 2));
    else if (type === record.cellStylesBegin) inCellStyles = true;
    else if (type === record.cellStylesEnd) inCellStyles = false;
    else if (type === record.style && inCellStyles) {
      const format = data.readUInt16LE(2);
      styles.push({ format: formats.get(format) ?? format, bold: fonts[data.readUInt16LE(4)] ?? false });
    }
  }
  return styles;
}

const readStrings = (part: Uint8Array | null) =>
  [...records(part)].filter(({ type }) => type === record.string).map(({ data }) => wideString(data, 1));

type Value = { text: string } | { number: number } | { said: string };

/** The value behind column and style. Records 13 to 18 are 2 to 7 without the column: the one after the last. */
const values: Record<number, (data: Buffer, book: Book) => Value> = {
  [record.packedNumber]: (data) => ({ number: unpackNumber(data.readInt32LE(0)) }),
  [record.number]: (data) => ({ number: data.readDoubleLE(0) }),
  [record.formulaNumber]: (data) => ({ number: data.readDoubleLE(0) }),
  [record.text]: (data) => ({ text: wideString(data, 0) }),
  [record.formulaText]: (data) => ({ text: wideString(data, 0) }),
  [record.sharedText]: (data, book) => ({ text: book.strings[data.readUInt32LE(0)] ?? "" }),
  [record.truth]: (data) => ({ said: data[0] ? "TRUE" : "FALSE" }),
  [record.formulaTruth]: (data) => ({ said: data[0] ? "TRUE" : "FALSE" }),
  [record.error]: (data) => ({ said: errorWords[data[0]!] ?? "#ERROR" }),
  [record.formulaError]: (data) => ({ said: errorWords[data[0]!] ?? "#ERROR" }),
};
const FIRST_CELL = 1;
const FIRST_SHORT_CELL = 12;
const LAST_SHORT_CELL = 18;

interface Cursor {
  row: number;
  column: number;
}

function addCell(sheet: Sheet, book: Book, cursor: Cursor, { type, data }: Entry): void {
  const short = type >= FIRST_SHORT_CELL;
  cursor.column = short ? cursor.column + 1 : data.readUInt32LE(0) & 0x3fff;
  const style = book.styles[data.readUInt32LE(short ? 0 : 4) & 0xffffff];
  const value = values[short ? type - FIRST_SHORT_CELL + 1 : type]?.(data.subarray(short ? 4 : 8), book);
  if (!value) return;
  const shown =
    "number" in value
      ? formatNumber(value.number, style?.format ?? 0, book.date1904)
      : "text" in value
        ? value.text
        : value.said;
  const text = shown.replace(/\r\n?/g, "\n").trim();
  if (text === "") return;
  sheet.cells.push({ ...cursor, text, isText: "text" in value, bold: style?.bold ?? false });
  if (++book.filled > MAX_SHEET_CELLS) throw tooManyCells();
}

function readSheet(book: Book, part: string, name: string, hidden: boolean): Sheet {
  const sheet = newSheet(name, hidden);
  const cursor: Cursor = { row: 0, column: -1 };
  for (const entry of records(book.archive.read(part))) {
    const { type, data } = entry;
    if (type === record.row) {
      cursor.row = data.readUInt32LE(0) & 0xfffff;
      cursor.column = -1;
    } else if (type >= FIRST_CELL && type <= LAST_SHORT_CELL) addCell(sheet, book, cursor, entry);
    else if (type === record.merge && data.length >= 16) {
      const [top, bottom, left, right] = [0, 4, 8, 12].map((at) => data.readUInt32LE(at)) as [
        number,
        number,
        number,
        number,
      ];
      if (bottom >= top && right >= left)
        sheet.merges.push({ row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 });
    }
  }
  return sheet;
}

function corruptIfShort<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Fault("corrupt_document", { detail: "The records of the workbook are damaged.", cause });
  }
}

export function openXlsb(archive: Archive): SheetEntry[] {
  const main = mainPartName(archive, "xl/workbook.bin");
  const relations = readRelations(archive, main);
  const part = (type: string) => {
    const target = relationOf(relations, type)?.target;
    return target ? archive.read(target) : null;
  };
  return corruptIfShort(() => {
    const book: Book = {
      archive,
      strings: readStrings(part("sharedStrings")),
      styles: readStyles(part("styles")),
      date1904: false,
      filled: 0,
    };
    const sheets: SheetEntry[] = [];
    for (const { type, data } of records(archive.read(main))) {
      if (type === record.properties) book.date1904 = (data[0]! & 1) === 1;
      if (type !== record.sheet) continue;
      const id = wideString(data, 8);
      const name = wideString(data, 12 + id.length * 2);
      const hidden = data.readUInt32LE(0) !== 0;
      const target = relations.get(id);
      const sheetPart = target?.type === "worksheet" ? target.target : "";
      sheets.push({ name, hidden, read: () => corruptIfShort(() => readSheet(book, sheetPart, name, hidden)) });
    }
    if (sheets.length === 0) throw new Fault("corrupt_document", { detail: "The workbook has no sheets." });
    return sheets;
  });
}
