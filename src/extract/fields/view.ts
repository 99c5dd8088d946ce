// The document as the eye sees it: stretches of text (segments) on visual rows, whatever blocks the layout made of them.
// Built once per document; everything else looks values and labels up in it.

import type { Box, Cell, Element, NumberedDocument, Word } from "../document.ts";

/** Segments in all: a 500-page document of dense tables has fewer. */
const MAX_SEGMENTS = 400_000;
/** Text of one element that is searched; a longer one (a log, a minified file) holds no labelled fields further in. */
const MAX_SOURCE_CHARS = 200_000;
/** Segments on one visual row that are compared with a new one: a row has dozens at most. */
const ROWS_LOOKED_BACK = 6;

/** A text that stands in the document in one piece: an element's, or a table cell's. */
export interface Source {
  index: number;
  element: Element;
  cell: Cell | null;
  text: string;
  words: Word[];
  page: number;
  segments: Segment[];
}

/** A stretch of a source on one visual row, without a wide gap inside. */
export interface Segment {
  index: number;
  source: Source;
  start: number;
  end: number;
  text: string;
  page: number;
  box: Box | null;
  row: number;
  /** Place in its row, from 0. */
  column: number;
  /** Height of the letters in the page's unit; 0 where there are no boxes. */
  height: number;
  /** Whether the source's text runs on from the previous segment by a line wrap, not by a gap. */
  wraps: boolean;
}

export interface View {
  document: NumberedDocument;
  sources: Source[];
  segments: Segment[];
  rows: Segment[][];
  /** Sources of a table's cells by element id, in grid order. */
  tables: Map<string, Map<string, Source>>;
  /** Middle letter height of each page, for "large" and "small". */
  letterHeights: Map<number, number>;
  pageHeights: Map<number, number>;
}

export function viewDocument(document: NumberedDocument): View {
  const view: View = {
    document, sources: [], segments: [], rows: [], tables: new Map(), letterHeights: new Map(), pageHeights: new Map(),
  }; // biome-ignore format: one line
  for (const page of document.pages) if (page.height) view.pageHeights.set(page.number, page.height);
  for (const element of document.elements) addElement(view, element);
  orderRows(view);
  measure(view);
  return view;
}

function addElement(view: View, element: Element): void {
  if (!element.table) {
    addSource(view, element, null, element.text, element.words ?? []);
    return;
  }
  const grid = new Map<string, Source>();
  for (const cell of element.table.cells) {
    const source = addSource(view, element, cell, cell.text, cell.words ?? []);
    if (source) grid.set(`${cell.row}:${cell.column}`, source);
  }
  view.tables.set(element.id, grid);
}

function addSource(view: View, element: Element, cell: Cell | null, whole: string, words: Word[]): Source | null {
  const text = whole.slice(0, MAX_SOURCE_CHARS);
  if (!text.trim() || view.segments.length >= MAX_SEGMENTS) return null;
  const source: Source = {
    index: view.sources.length, element, cell, text, words, page: element.table?.page ?? element.page, segments: [],
  }; // biome-ignore format: one line
  view.sources.push(source);
  const usable = words.filter((word) => word.end > word.start && word.end <= text.length);
  const pieces = usable.length ? splitByBoxes(text, usable) : splitByLines(text, cell ? cell.bbox : element.bbox);
  for (const piece of pieces) {
    const segment: Segment = {
      ...piece, index: view.segments.length, source, text: text.slice(piece.start, piece.end), page: source.page, row: -1, column: 0,
    }; // biome-ignore format: one line
    view.segments.push(segment);
    source.segments.push(segment);
  }
  return source;
}

type Piece = Pick<Segment, "start" | "end" | "box" | "height" | "wraps">;

function splitByLines(text: string, bbox: Box | null): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  const lines = text.split("\n");
  const height = bbox ? (bbox[3] - bbox[1]) / lines.length : 0;
  lines.forEach((line, i) => {
    const lead = line.length - line.trimStart().length;
    if (line.trim()) {
      const box: Box | null = bbox ? [bbox[0], bbox[1] + i * height, bbox[2], bbox[1] + (i + 1) * height] : null;
      pieces.push({ start: start + lead, end: start + line.trimEnd().length, box, height, wraps: false });
    }
    start += line.length + 1;
  });
  return pieces;
}

function splitByBoxes(text: string, words: Word[]): Piece[] {
  const pieces: Piece[] = [];
  let open: Piece | null = null;
  for (const word of words) {
    const [x0, y0, x1, y1] = word.bbox;
    const height = y1 - y0;
    if (open?.box) {
      const box: Box = open.box;
      const middle = (y0 + y1) / 2;
      const sameLine =
        middle > box[1] &&
        middle < box[3] &&
        Math.min(y1, box[3]) - Math.max(y0, box[1]) > 0.4 * Math.min(height, box[3] - box[1]);
      const gap = x0 - box[2];
      const letter = Math.max(open.height, 1);
      if (sameLine && gap < 1.2 * letter && gap > -2 * letter && !text.slice(open.end, word.start).includes("\n")) {
        open.end = word.end;
        open.box = [Math.min(box[0], x0), Math.min(box[1], y0), Math.max(box[2], x1), Math.max(box[3], y1)];
        open.height = Math.max(open.height, height);
        continue;
      }
      pieces.push(open);
      open = { start: word.start, end: word.end, box: [...word.bbox], height, wraps: !sameLine };
      continue;
    }
    open = { start: word.start, end: word.end, box: [...word.bbox], height, wraps: false };
  }
  if (open) pieces.push(open);
  return pieces;
}

/** Visual rows: segments whose heights overlap, left to right. Without boxes: a table row, or a line of its own. */
function orderRows(view: View): void {
  const pages = new Map<number, Segment[]>();
  for (const segment of view.segments) {
    const page = pages.get(segment.page);
    if (page) page.push(segment);
    else pages.set(segment.page, [segment]);
  }
  for (const segments of pages.values()) {
    const boxed = segments.filter((segment) => segment.box);
    if (boxed.length > segments.length / 2) placeByBoxes(view, boxed);
    placeByOrder(
      view,
      segments.filter((segment) => segment.row < 0),
    );
  }
}

function placeByBoxes(view: View, segments: Segment[]): void {
  const middle = (segment: Segment): number => (segment.box![1] + segment.box![3]) / 2;
  const sorted = [...segments].sort((a, b) => middle(a) - middle(b) || a.box![0] - b.box![0]);
  const rows: { members: Segment[]; y: number; height: number }[] = [];
  for (const segment of sorted) {
    const y = middle(segment);
    const height = segment.box![3] - segment.box![1];
    let best: (typeof rows)[number] | null = null;
    for (let i = rows.length - 1; i >= 0 && i >= rows.length - ROWS_LOOKED_BACK; i--) {
      const row = rows[i]!;
      const near = Math.abs(row.y - y);
      const overlaps = row.members.some(
        (other) => other.box![0] < segment.box![2] - 1 && segment.box![0] < other.box![2] - 1,
      );
      if (near < 0.5 * Math.min(row.height, height) && !overlaps && (!best || near < Math.abs(best.y - y))) best = row;
    }
    if (best) {
      best.members.push(segment);
      best.y += (y - best.y) / best.members.length;
    } else rows.push({ members: [segment], y, height });
  }
  rows.sort((a, b) => a.y - b.y);
  for (const row of rows)
    addRow(
      view,
      row.members.sort((a, b) => a.box![0] - b.box![0]),
    );
}

function placeByOrder(view: View, segments: Segment[]): void {
  let open: Segment[] = [];
  let key = "";
  for (const segment of segments) {
    const { cell, element } = segment.source;
    const own = cell ? `${element.id}:${cell.row}` : "";
    if (open.length && (!own || own !== key)) {
      addRow(view, open);
      open = [];
    }
    key = own;
    open.push(segment);
  }
  if (open.length) addRow(view, open);
}

function addRow(view: View, members: Segment[]): void {
  members.forEach((segment, column) => {
    segment.row = view.rows.length;
    segment.column = column;
  });
  view.rows.push(members);
}

function measure(view: View): void {
  const heights = new Map<number, number[]>();
  for (const segment of view.segments) {
    if (!segment.height) continue;
    const list = heights.get(segment.page);
    if (list) list.push(segment.height);
    else heights.set(segment.page, [segment.height]);
  }
  for (const [page, list] of heights) view.letterHeights.set(page, list.sort((a, b) => a - b)[list.length >> 1] ?? 0);
}

/** The segment that holds this offset of a source. */
export function segmentAt(source: Source, offset: number): Segment | undefined {
  const { segments } = source;
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (segments[middle]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return segments[low];
}

/** Box of a stretch of a source: of its words, or a share of the segment where there are none. */
export function boxOf(source: Source, start: number, end: number): Box | null {
  let box: Box | null = null;
  const widen = (other: Box): void => {
    box = box
      ? [Math.min(box[0], other[0]), Math.min(box[1], other[1]), Math.max(box[2], other[2]), Math.max(box[3], other[3])]
      : [...other];
  };
  for (const word of source.words) {
    if (word.end <= start || word.start >= end) continue;
    widen(shareOf(word.bbox, word.start, word.end, start, end));
  }
  if (box) return box;
  for (const segment of source.segments) {
    if (segment.box && segment.end > start && segment.start < end)
      widen(shareOf(segment.box, segment.start, segment.end, start, end));
  }
  return box ?? (source.cell ? source.cell.bbox : source.element.bbox);
}

/** The part of a horizontal box that belongs to text[start, end), as if all letters were equally wide. */
function shareOf(box: Box, from: number, to: number, start: number, end: number): Box {
  const letter = (box[2] - box[0]) / Math.max(1, to - from);
  return [box[0] + letter * Math.max(0, start - from), box[1], box[2] - letter * Math.max(0, to - end), box[3]];
}
