// Stretches of the document that make up a value, and the evidence written from them.

import type { Box } from "../document.ts";
import type { Place } from "./evidence.ts";
import { boxOf, type Segment, type Source, type View } from "./view.ts";

export interface Span {
  source: Source;
  start: number;
  end: number;
}

/** What could be the value of a leaf. */
export interface Candidate {
  value: unknown;
  spans: Span[];
  /** 0 to 1 before calibration. */
  score: number;
  /** Below 1: something about it cannot be known, such as the order of day and month. */
  doubt?: number;
  /** What speaks for it, in words: only for looking at why. */
  why: string[];
}

export const spanText = (span: Span): string => span.source.text.slice(span.start, span.end);
export const segmentSpan = (segment: Segment): Span => ({
  source: segment.source,
  start: segment.start,
  end: segment.end,
});

/** Narrows a span to what is left without white space and the given signs at its ends. */
export function trimSpan(span: Span, signs = /[\s:;,|•·=–—-]/u): Span | null {
  let { start, end } = span;
  const { text } = span.source;
  while (start < end && signs.test(text[start]!)) start++;
  while (end > start && /[\s:;,|]/u.test(text[end - 1]!)) end--;
  return start < end ? { source: span.source, start, end } : null;
}

/** Consecutive spans of one source become one, so that their text stays a stretch of the document. */
export function joinSpans(spans: Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (
      last &&
      last.source === span.source &&
      span.start >= last.end &&
      !last.source.text.slice(last.end, span.start).trim()
    )
      last.end = span.end;
    else out.push({ ...span });
  }
  return out;
}

const round = (value: number): number => Math.round(value * 100) / 100;

export function placeOf(span: Span, view: View): Place {
  const { source, start, end } = span;
  const page = view.document.pages.find((other) => other.number === source.page);
  const box = boxOf(source, start, end);
  const place: Place = {
    text: source.text.slice(start, end),
    page: source.page,
    bbox: box ? (box.map(round) as Box) : null,
    element: source.element.id,
  };
  if (!box) place.range = [start, end];
  if (source.cell) {
    place.row = source.cell.row;
    place.column = source.cell.column;
    if (source.cell.address) {
      place.cell = source.cell.address;
      if (page?.name) place.sheet = page.name;
    }
  }
  return place;
}

/** One place for all spans of a value: the text of each on its own line, the box around those of the first page. */
export function placesOf(spans: Span[], view: View): { place: Place; parts: Place[] } {
  const parts = spans.map((span) => placeOf(span, view));
  const first = parts[0]!;
  if (parts.length === 1) return { place: first, parts };
  let bbox: Box | null = null;
  for (const part of parts) {
    if (part.page !== first.page || !part.bbox) continue;
    const box: Box = part.bbox;
    bbox = bbox
      ? [Math.min(bbox[0], box[0]), Math.min(bbox[1], box[1]), Math.max(bbox[2], box[2]), Math.max(bbox[3], box[3])]
      : box;
  }
  return { place: { ...first, text: parts.map((part) => part.text).join("\n"), bbox }, parts };
}
