// One page: its words, its tables, and what is left as pieces of lines, in reading order.
import type { Box, PositionedPage } from "../document.ts";
import { makeLine, makePieces, type TextLine } from "./lines.ts";
import { inReadingOrder } from "./order.ts";
import { joinPieces } from "./paragraphs.ts";
import { type FoundTable, findTables } from "./tables.ts";
import { turnPage } from "./turn.ts";
import { type PlacedWord, wordsOf } from "./words.ts";

export interface Sheet {
  page: PositionedPage;
  pieces: TextLine[];
  tables: FoundTable[];
  /** Text at a right angle to the rest. */
  turned: TextLine[];
}

/** A line of text, or a table in its place. */
export type Entry = TextLine | FoundTable;
export const isTable = (entry: Entry): entry is FoundTable => "cells" in entry;

export function readSheet(page: PositionedPage): Sheet {
  const words = wordsOf(page);
  const upright = words.filter((word) => word.rotation === 0);
  const pieces = makePieces(upright, page.number);
  const tables = findTables(page, words, pieces);
  const inTables = new Set(tables.flatMap((table) => table.cells.flatMap((cell) => cell.words)));
  const isFree = (word: PlacedWord): boolean => !inTables.has(word);
  return {
    page,
    pieces: inTables.size ? pieces.flatMap((piece) => outside(piece, isFree)) : pieces,
    tables,
    turned: readTurned(page, words.filter(isFree)),
  };
}

/** What of a piece is not in a table. */
function outside(piece: TextLine, isFree: (word: PlacedWord) => boolean): TextLine[] {
  if (piece.words.every(isFree)) return [piece];
  const words = piece.words.filter(isFree);
  return words.length ? makePieces(words, piece.page) : [];
}

/** Lines of text turned by a right angle; slanted text is a stamp or a watermark. */
function readTurned(page: PositionedPage, words: PlacedWord[]): TextLine[] {
  const lines: TextLine[] = [];
  for (const turn of [90, 270] as const) {
    const own = words.filter((word) => word.rotation === turn);
    if (!own.length) continue;
    // lines are made in the turned view, then their words get their own boxes again
    const boxes = new Map(own.map((word) => [word.order, word.box]));
    const view = turnPage(
      { ...page, items: own.map((word) => ({ text: word.text, bbox: word.box, size: word.size, rotation: turn })) },
      turn,
    );
    const placed = own.map((word, i) => ({ ...word, box: view.items[i]!.bbox, rotation: 0 }));
    for (const line of joinPieces(inReadingOrder(makePieces(placed, page.number))))
      lines.push({
        ...line,
        words: line.words.map((word) => ({ ...word, box: boxes.get(word.order)! })),
      });
  }
  return lines;
}

/** The page's lines and tables in reading order; a table parts the lines before it from those after it. */
export function orderSheet(sheet: Sheet, isRunning: (piece: TextLine) => boolean): Entry[] {
  const atoms: (TextLine | TableAtom)[] = [
    ...sheet.pieces.filter((piece) => !isRunning(piece)),
    ...sheet.tables.map((table) => toAtom(table)),
  ];
  const entries: Entry[] = [];
  let batch: TextLine[] = [];
  for (const atom of inReadingOrder<TextLine | TableAtom>(atoms)) {
    if (!("table" in atom)) batch.push(atom);
    else {
      entries.push(...joinPieces(batch), atom.table);
      batch = [];
    }
  }
  entries.push(...joinPieces(batch), ...sheet.turned.map((line) => makeTurned(line)));
  return entries;
}

/** Turned lines never join with others: they get a base line below everything. */
const makeTurned = (line: TextLine): TextLine => ({
  ...makeLine(line.words, line.page),
  words: line.words,
  base: Number.MAX_SAFE_INTEGER,
});

interface TableAtom {
  table: FoundTable;
  box: Box;
  order: number;
  size: number;
  rtl: boolean;
}

function toAtom(table: FoundTable): TableAtom {
  let order = Infinity;
  let size = 1;
  for (const cell of table.cells)
    for (const word of cell.words)
      if (word.order < order) {
        order = word.order;
        size = word.size;
      }
  return { table, box: table.box, order, size, rtl: false };
}
