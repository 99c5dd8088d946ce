// XLS of Excel 97 to 2003 (BIFF8): records of the workbook stream, one after the other, nothing allocated that they do not hold.

import { Fault } from "../../errors.ts";
import type { CompoundFile } from "./compound-file.ts";
import { type CellStyle, formatNumber } from "./number-formats.ts";
import { addressOf, MAX_SHEET_CELLS, newSheet, type Sheet, tooManyCells } from "./sheet.ts";
import { type Chunk, readBiffString, stringReader } from "./xls-strings.ts";
import type { SheetEntry } from "./xlsx-book.ts";

const record = {
  formula: 0x06, endOfStream: 0x0a, note: 0x1c, date1904: 0x22, password: 0x2f, font: 0x31, more: 0x3c, object: 0x5d, sheet: 0x85,
  multipleNumbers: 0xbd, richText: 0xd6, style: 0xe0, merges: 0xe5, strings: 0xfc, sharedText: 0xfd, boxText: 0x1b6, number: 0x203,
  text: 0x204, truthOrError: 0x205, formulaText: 0x207, packedNumber: 0x27e, format: 0x41e, begin: 0x809,
} as const; // biome-ignore format: a table

interface Entry {
  type: number;
  data: Buffer;
  /** The record and those that carry it on. */
  chunks: Chunk[];
}

/** Records from a place on; a length that reaches past the end ends them. */
function* records(stream: Buffer, from: number): Generator<Entry> {
  let at = from;
  while (at + 4 <= stream.length) {
    const type = stream.readUInt16LE(at);
    const data = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2));
    at += 4 + data.length;
    const chunks = [data];
    while (at + 4 <= stream.length && stream.readUInt16LE(at) === record.more) {
      const more = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2));
      chunks.push(more);
      at += 4 + more.length;
    }
    yield { type, data, chunks };
  }
}

export const errorWords: Record<number, string> = {
  0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A", 43: "#GETTING_DATA",
}; // biome-ignore format: a table

/** Thirty bits of an integer or of the upper part of a double, maybe times a hundred. */
export function unpackNumber(packed: number): number {
  let value: number;
  if (packed & 2) value = packed >> 2;
  else {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(packed & ~3, 4);
    value = bytes.readDoubleLE(0);
  }
  return packed & 1 ? value / 100 : value;
}

interface Book {
  stream: Buffer;
  strings: string[];
  styles: CellStyle[];
  date1904: boolean;
  filled: number;
}

interface Globals extends Book {
  fonts: boolean[];
  formats: Map<number, string>;
  xfs: { font: number; format: number }[];
  sheets: { at: number; hidden: boolean; isSheet: boolean; name: string }[];
}

/** The fifth font is never stored. */
const fontAt = (fonts: boolean[], index: number) => fonts[index > 4 ? index - 1 : index] ?? false;

const globalHandlers: Record<number, (entry: Entry, globals: Globals) => void> = {
  [record.password]: () => {
    throw new Fault("encrypted_document");
  },
  [record.date1904]: ({ data }, globals) => {
    globals.date1904 = data.readUInt16LE(0) === 1;
  },
  [record.font]: ({ data }, globals) => globals.fonts.push(data.readUInt16LE(6) >= 600),
  [record.format]: ({ data }, globals) => globals.formats.set(data.readUInt16LE(0), readBiffString(data, 2)),
  [record.style]: ({ data }, globals) => globals.xfs.push({ font: data.readUInt16LE(0), format: data.readUInt16LE(2) }),
  [record.sheet]: ({ data }, globals) =>
    globals.sheets.push({
      at: data.readUInt32LE(0),
      hidden: (data[4]! & 3) !== 0,
      isSheet: data[5] === 0,
      name: readBiffString(data, 6, 1),
    }),
  [record.strings]: ({ data, chunks }, globals) => {
    const count = data.readUInt32LE(4);
    const next = stringReader(chunks, 8);
    for (let n = 0; n < count; n++) {
      const text = next();
      if (text === null) break;
      globals.strings.push(text);
    }
  },
};

function readGlobals(stream: Buffer): Globals {
  const globals: Globals = {
    stream,
    strings: [],
    styles: [],
    date1904: false,
    filled: 0,
    fonts: [],
    formats: new Map(),
    xfs: [],
    sheets: [],
  };
  for (const entry of records(stream, 0)) {
    if (entry.type === record.endOfStream) break;
    globalHandlers[entry.type]?.(entry, globals);
  }
  globals.styles = globals.xfs.map(({ font, format }) => ({
    format: globals.formats.get(format) ?? format,
    bold: fontAt(globals.fonts, font),
  }));
  return globals;
}

interface SheetReading {
  book: Book;
  sheet: Sheet;
  /** A formula whose text follows in a record of its own. */
  pending: { row: number; column: number; style: number } | null;
  object: number;
  boxTexts: Map<number, string>;
}

function addCell(
  reading: SheetReading,
  row: number,
  column: number,
  style: number,
  value: string | number,
  isText = false,
): void {
  const { book, sheet } = reading;
  const own = book.styles[style];
  const text = (typeof value === "number" ? formatNumber(value, own?.format ?? 0, book.date1904) : value)
    .replace(/\r\n?/g, "\n")
    .trim();
  if (text === "") return;
  sheet.cells.push({ row, column, text, isText, bold: own?.bold ?? false });
  if (++book.filled > MAX_SHEET_CELLS) throw tooManyCells();
}

const place = (data: Buffer) => [data.readUInt16LE(0), data.readUInt16LE(2), data.readUInt16LE(4)] as const;

function formula(data: Buffer, reading: SheetReading): void {
  const [row, column, style] = place(data);
  if (data.readUInt16LE(12) !== 0xffff) {
    addCell(reading, row, column, style, data.readDoubleLE(6));
    return;
  }
  if (data[6] === 0) reading.pending = { row, column, style };
  else if (data[6] === 1) addCell(reading, row, column, style, data[8] ? "TRUE" : "FALSE");
  else if (data[6] === 2) addCell(reading, row, column, style, errorWords[data[8]!] ?? "#ERROR");
}

const cellHandlers: Record<number, (entry: Entry, reading: SheetReading) => void> = {
  [record.number]: ({ data }, reading) => addCell(reading, ...place(data), data.readDoubleLE(6)),
  [record.packedNumber]: ({ data }, reading) => addCell(reading, ...place(data), unpackNumber(data.readInt32LE(6))),
  [record.multipleNumbers]: ({ data }, reading) => {
    const first = data.readUInt16LE(2);
    for (let at = 4, n = 0; at + 8 <= data.length; at += 6, n++)
      addCell(reading, data.readUInt16LE(0), first + n, data.readUInt16LE(at), unpackNumber(data.readInt32LE(at + 2)));
  },
  [record.sharedText]: ({ data }, reading) =>
    addCell(reading, ...place(data), reading.book.strings[data.readUInt32LE(6)] ?? "", true),
  [record.text]: ({ data }, reading) => addCell(reading, ...place(data), readBiffString(data, 6), true),
  [record.richText]: ({ data }, reading) => addCell(reading, ...place(data), readBiffString(data, 6), true),
  [record.truthOrError]: ({ data }, reading) => {
    const value = data[7] === 0 ? (data[6] ? "TRUE" : "FALSE") : (errorWords[data[6]!] ?? "#ERROR");
    addCell(reading, ...place(data), value);
  },
  [record.formula]: ({ data }, reading) => formula(data, reading),
  [record.formulaText]: ({ chunks }, reading) => {
    if (!reading.pending) return;
    const { row, column, style } = reading.pending;
    reading.pending = null;
    addCell(reading, row, column, style, stringReader(chunks, 0)() ?? "", true);
  },
  [record.merges]: ({ data }, { sheet }) => {
    for (let at = 2; at + 8 <= data.length; at += 8) {
      const [row, last, column, right] = [0, 2, 4, 6].map((n) => data.readUInt16LE(at + n)) as [
        number,
        number,
        number,
        number,
      ];
      if (last >= row && right >= column)
        sheet.merges.push({ row, column, rows: last - row + 1, columns: right - column + 1 });
    }
  },
  [record.object]: ({ data }, reading) => {
    reading.object = data.readUInt16LE(6);
  },
  [record.boxText]: ({ data, chunks }, reading) => {
    const [, text] = chunks;
    const length = data.readUInt16LE(10);
    if (text && length > 0)
      reading.boxTexts.set(
        reading.object,
        text.toString(text[0]! & 1 ? "utf16le" : "latin1", 1, 1 + length * (text[0]! & 1 ? 2 : 1)),
      );
  },
  [record.note]: ({ data }, { sheet, boxTexts }) => {
    const text = boxTexts.get(data.readUInt16LE(6))?.replace(/\r\n?/g, "\n").trim();
    if (text) sheet.comments.push({ address: addressOf(data.readUInt16LE(0), data.readUInt16LE(2)), text });
  },
};

function readSheet(book: Book, at: number, name: string, hidden: boolean): Sheet {
  const reading: SheetReading = { book, sheet: newSheet(name, hidden), pending: null, object: -1, boxTexts: new Map() };
  // Charts inside a sheet are streams inside its stream.
  let depth = 0;
  for (const entry of records(book.stream, at)) {
    if (entry.type === record.begin) depth++;
    else if (entry.type === record.endOfStream && --depth <= 0) break;
    else if (depth === 1) tryRecord(() => cellHandlers[entry.type]?.(entry, reading));
  }
  return reading.sheet;
}

/** A record too short for what it should hold is passed over. */
function tryRecord(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/** null for a workbook older than Excel 97. */
export function openXls(file: CompoundFile): SheetEntry[] | null {
  const stream = file.stream("Workbook");
  if (!stream || stream.length < 8 || stream.readUInt16LE(0) !== record.begin || stream.readUInt16LE(4) !== 0x0600)
    return null;
  let globals: Globals;
  try {
    globals = readGlobals(stream);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault("corrupt_document", { detail: "The records of the workbook are damaged.", cause });
  }
  if (globals.sheets.length === 0) throw new Fault("corrupt_document", { detail: "The workbook has no sheets." });
  return globals.sheets.map(({ at, hidden, isSheet, name }) => ({
    name,
    hidden,
    read: () => (isSheet ? readSheet(globals, at, name, hidden) : newSheet(name, hidden)),
  }));
}
