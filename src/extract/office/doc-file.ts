// The binary Word file (97 to 2003) up to its text: header, pieces, runs of paragraph and character properties.

import { Fault } from "../../errors.ts";
import type { CompoundFile } from "./compound-file.ts";
import { number, readSprms, type Sprms, sprm } from "./doc-sprms.ts";

/** Places of the tables inside the header, by their number in the specification. */
const tables = {
  styles: 1, footnoteRefs: 2, footnoteTexts: 3, commentRefs: 4, commentTexts: 5, headers: 11, characters: 12, paragraphs: 13,
  pieces: 33, commentAuthors: 36, endnoteRefs: 46, endnoteTexts: 47, lists: 73, listOverrides: 74,
} as const; // biome-ignore format: a table

export interface DocFile {
  /** All text: the body, then footnotes, headers, comments, endnotes, text boxes. */
  text: string;
  /** Lengths of these parts, in that order. */
  parts: {
    body: number;
    footnotes: number;
    headers: number;
    macros: number;
    comments: number;
    endnotes: number;
    boxes: number;
  };
  table(name: keyof typeof tables): Buffer;
  /** From the table's place to the end of its stream: levels of lists stand behind their table. */
  from(name: keyof typeof tables): Buffer;
  paragraphAt(cp: number): { style: number; sprms: Sprms };
  /** Sorted by position; text between has no properties of its own. */
  charactersAt(cp: number): { sprms: Sprms; end: number };
}

interface Piece {
  start: number;
  end: number;
  offset: number;
  wide: boolean;
}

interface Run {
  start: number;
  end: number;
  style: number;
  sprms: Sprms;
}

const PAGE_BYTES = 512;
const corrupt = (detail: string) => new Fault("corrupt_document", { detail });

function readPieces(clx: Buffer): Piece[] {
  let at = 0;
  while (at + 3 < clx.length && clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 2) throw corrupt("The text of the document cannot be found.");
  const plc = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
  const count = Math.floor((plc.length - 4) / 12);
  const pieces: Piece[] = [];
  for (let n = 0; n < count; n++) {
    const raw = plc.readUInt32LE((count + 1) * 4 + n * 8 + 2);
    const wide = (raw & 0x40000000) === 0;
    const offset = wide ? raw & 0x3fffffff : (raw & 0x3fffffff) >>> 1;
    const piece = { start: plc.readUInt32LE(n * 4), end: plc.readUInt32LE(n * 4 + 4), offset, wide };
    if (piece.end > piece.start) pieces.push(piece);
  }
  return pieces;
}

/** Pieces may overlap in a damaged file; the text can never be longer than the file. */
function readText(main: Buffer, pieces: Piece[]): string {
  const narrow = new TextDecoder("windows-1252");
  const parts: string[] = [];
  let length = 0;
  for (const { start, end, offset, wide } of pieces) {
    if (start !== length || end > main.length) throw corrupt("The pieces of the text do not fit together.");
    length = end;
    const bytes = main.subarray(offset, offset + (end - start) * (wide ? 2 : 1));
    const text = wide ? bytes.toString("utf16le") : narrow.decode(bytes);
    parts.push(text.padEnd(end - start, " ").slice(0, end - start));
  }
  return parts.join("");
}

/** Pages of 512 bytes that hold the properties of runs; offsets count in the file, not in the text. */
function readRuns(main: Buffer, plc: Buffer, ofParagraphs: boolean): Run[] {
  const runs: Run[] = [];
  const count = Math.floor((plc.length - 4) / 8);
  for (let n = 0; n < count; n++) {
    const start = (plc.readUInt32LE((count + 1) * 4 + n * 4) & 0x3fffff) * PAGE_BYTES;
    const page = main.subarray(start, start + PAGE_BYTES);
    if (page.length < PAGE_BYTES) continue;
    const size = page[PAGE_BYTES - 1]!;
    for (let r = 0; r < size; r++) {
      const slot = (size + 1) * 4 + r * (ofParagraphs ? 13 : 1);
      if (slot >= PAGE_BYTES) break;
      const at = page[slot]! * 2;
      const run = { start: page.readUInt32LE(r * 4), end: page.readUInt32LE(r * 4 + 4) };
      runs.push({ ...run, ...(ofParagraphs ? paragraphRun(page, at) : characterRun(page, at)) });
    }
  }
  return runs.sort((a, b) => a.start - b.start);
}

function paragraphRun(page: Buffer, at: number): { style: number; sprms: Sprms } {
  if (at === 0 || at + 3 >= PAGE_BYTES) return { style: 0, sprms: new Map() };
  const short = page[at]!;
  const from = short === 0 ? at + 2 : at + 1;
  const length = short === 0 ? page[at + 1]! * 2 : short * 2 - 1;
  if (from + 2 > PAGE_BYTES) return { style: 0, sprms: new Map() };
  return { style: page.readUInt16LE(from), sprms: readSprms(page.subarray(from + 2, from + length)) };
}

function characterRun(page: Buffer, at: number): { style: number; sprms: Sprms } {
  return { style: 0, sprms: at === 0 ? new Map() : readSprms(page.subarray(at + 1, at + 1 + page[at]!)) };
}

function findRun<T extends { start: number; end: number }>(runs: T[], at: number): T | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle]!.start <= at) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  return run && run.start <= at && at < run.end ? run : undefined;
}

/** Where the next run after a gap begins. */
function nextStart(runs: Run[], at: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.start <= at) low = middle + 1;
    else high = middle;
  }
  return runs[low]?.start ?? Number.MAX_SAFE_INTEGER;
}

const nothing: Sprms = new Map();

/** Properties too long for a page stand in a stream of their own; the page only says where. */
function withStored(sprms: Sprms, stored: Buffer | null): Sprms {
  const at = number(sprms, sprm.storedElsewhere) ?? number(sprms, sprm.tableStoredElsewhere);
  if (at === undefined || !stored || at < 0 || at + 2 > stored.length) return sprms;
  return new Map([...sprms, ...readSprms(stored.subarray(at + 2, at + 2 + stored.readUInt16LE(at)))]);
}

export function openDoc(file: CompoundFile): DocFile {
  const main = file.stream("WordDocument");
  if (!main || main.length < 0x200) throw corrupt("The file holds no Word document.");
  if (main.readUInt16LE(0) !== 0xa5ec && main.readUInt16LE(0) !== 0xa5dc)
    throw corrupt("The header of the document is damaged.");
  const flags = main.readUInt16LE(0x0a);
  if (flags & 0x0100) throw new Fault("encrypted_document");
  if (main.readUInt16LE(2) < 0xc1)
    throw new Fault("unsupported_kind", { detail: "Word documents older than Word 97 are not read." });
  const side = file.stream(flags & 0x0200 ? "1Table" : "0Table");
  if (!side) throw corrupt("A part of the Word document is missing.");
  const place = (name: keyof typeof tables) => {
    const at = 0x9a + tables[name] * 8;
    return at + 8 <= main.length
      ? { from: main.readUInt32LE(at), length: main.readUInt32LE(at + 4) }
      : { from: 0, length: 0 };
  };
  const table = (name: keyof typeof tables) => {
    const { from, length } = place(name);
    return side.subarray(from, Math.min(side.length, from + length));
  };
  const stored = file.stream("Data");
  const pieces = readPieces(table("pieces"));
  const paragraphs = readRuns(main, table("paragraphs"), true);
  const characters = readRuns(main, table("characters"), false);
  const offsetOf = (cp: number) => {
    const piece = findRun(pieces, cp);
    return piece ? { offset: piece.offset + (cp - piece.start) * (piece.wide ? 2 : 1), piece } : null;
  };
  const long = (at: number) => Math.max(0, main.readInt32LE(at));
  return {
    text: readText(main, pieces),
    parts: {
      body: long(0x4c), footnotes: long(0x50), headers: long(0x54), macros: long(0x58), comments: long(0x5c), endnotes: long(0x60), boxes: long(0x64),
    }, // biome-ignore format: a table
    table,
    from: (name) => side.subarray(place(name).from + place(name).length),
    paragraphAt(cp) {
      const place = offsetOf(cp);
      const run = place && findRun(paragraphs, place.offset);
      return run ? { style: run.style, sprms: withStored(run.sprms, stored) } : { style: 0, sprms: nothing };
    },
    charactersAt(cp) {
      const place = offsetOf(cp);
      if (!place) return { sprms: nothing, end: cp + 1 };
      const run = findRun(characters, place.offset);
      const unit = place.piece.wide ? 2 : 1;
      const until = run?.end ?? nextStart(characters, place.offset);
      const left = Math.floor((until - place.offset) / unit);
      return { sprms: run?.sprms ?? nothing, end: Math.min(place.piece.end, cp + Math.max(1, left)) };
    },
  };
}
