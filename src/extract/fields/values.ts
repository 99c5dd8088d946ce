// Every value of a known form in the document, read once: dates, times, numbers, e-mails, telephones, IBANs and so on.

import type { NumberedDocument } from "../document.ts";
import { type Found, findBics, findEmails, findIbans, findPhones, findUrls, findVats } from "./contacts.ts";
import { countDayOrder, type DayOrder, findDates, findTimes } from "./dates.ts";
import { countDecimalSigns, type DecimalSign, type FoundNumber, findNumbers } from "./numbers.ts";
import { type Segment, type Source, segmentAt, type View } from "./view.ts";

export type ValueKind = "date" | "time" | "number" | "email" | "url" | "phone" | "iban" | "bic" | "vat";

export interface Value {
  kind: ValueKind;
  source: Source;
  segment: Segment;
  start: number;
  end: number;
  value: string | number;
  quality: number;
  /** Dates: the other reading of 03/04/2024. */
  other: string | null;
  /** Place among the values of its segment. */
  order: number;
  /** Only for numbers. */
  number: FoundNumber | null;
}

export interface Values {
  all: Value[];
  byKind: Map<ValueKind, Value[]>;
  /** In order of start, by segment index: what a label's value may be, and where a key ends. */
  bySegment: Map<number, Value[]>;
  decimal: DecimalSign;
  order: DayOrder;
  /** Whether the document tells the order, or it is only the more common one. */
  orderKnown: boolean;
  ocrPages: Set<number>;
}

/** Text looked at to tell the decimal sign and the order of day and month: more adds nothing. */
const SAMPLE_CHARS = 200_000;

export function readValues(view: View): Values {
  const sample = sampleText(view.sources);
  const signs = countDecimalSigns(sample);
  const decimal: DecimalSign = signs.comma > signs.point ? "," : ".";
  const order = dayOrder(sample, view.document);
  const ocrPages = new Set(view.document.pages.filter((page) => page.ocr).map((page) => page.number));
  const values: Values = {
    all: [],
    byKind: new Map(),
    bySegment: new Map(),
    decimal,
    order: order.value,
    orderKnown: order.known,
    ocrPages,
  };
  for (const source of view.sources) for (const run of runs(source)) readRun(values, source, run.start, run.end);
  for (const list of values.bySegment.values()) {
    list.sort((a, b) => a.start - b.start || b.end - a.end);
    list.forEach((value, i) => {
      value.order = i;
    });
  }
  return values;
}

function sampleText(sources: Source[]): string {
  const parts: string[] = [];
  let length = 0;
  for (const { text } of sources) {
    parts.push(text);
    length += text.length;
    if (length > SAMPLE_CHARS) break;
  }
  return parts.join("\n").slice(0, SAMPLE_CHARS);
}

/** Only the United States write the month first by habit: an American state and ZIP code, or en-US, tell them. */
function dayOrder(sample: string, document: NumberedDocument): { value: DayOrder; known: boolean } {
  const counts = countDayOrder(sample);
  if (counts.monthFirst > counts.dayFirst) return { value: "month-first", known: true };
  if (counts.dayFirst > 0) return { value: "day-first", known: true };
  const american = document.language?.toLowerCase() === "en-us" || stateAndZip.test(sample);
  return american ? { value: "month-first", known: true } : { value: "day-first", known: false };
}

const stateAndZip =
  /\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])\.?,? \d{5}(?:-\d{4})?\b/;

/** A line this long is prose, and a date may go on in the next one; shorter lines are facts of their own. */
const PROSE_CHARS = 40;

/** Stretches of a source without a wide gap; the wrap of a line of prose does not end one. */
function runs(source: Source): { start: number; end: number }[] {
  const out: { start: number; end: number; from: number }[] = [];
  for (const segment of source.segments) {
    const last = out.at(-1);
    if (last && segment.wraps && segment.start - last.from >= PROSE_CHARS) {
      last.end = segment.end;
      last.from = segment.start;
    } else out.push({ start: segment.start, end: segment.end, from: segment.start });
  }
  return out;
}

function readRun(values: Values, source: Source, from: number, to: number): void {
  const text = source.text.slice(from, to);
  const taken: [number, number][] = [];
  const add = (
    kind: ValueKind,
    found: { start: number; end: number; value: string | number; quality: number },
    more: Partial<Value> = {},
  ): void => {
    const segment = segmentAt(source, from + found.start);
    if (!segment) return;
    const value: Value = {
      kind, source, segment, start: from + found.start, end: from + found.end, value: found.value, quality: found.quality, other: null, order: 0, number: null, ...more,
    }; // biome-ignore format: one line
    values.all.push(value);
    const kinds = values.byKind.get(kind);
    if (kinds) kinds.push(value);
    else values.byKind.set(kind, [value]);
    const near = values.bySegment.get(segment.index);
    if (near) near.push(value);
    else values.bySegment.set(segment.index, [value]);
  };
  const claim = (found: { start: number; end: number }): boolean => {
    if (overlaps(taken, found)) return false;
    insert(taken, found);
    return true;
  };
  if (!/[\d@]|www|\.\p{L}{2}|[A-Z]{6}/u.test(text)) return;
  const text_has = { at: text.includes("@"), digit: /\d/.test(text) };
  const strings = (kind: ValueKind, found: Found[], claims: boolean): void => {
    for (const item of found) if (!claims || claim(item)) add(kind, item);
  };
  if (text_has.at) strings("email", findEmails(text), true);
  strings("url", findUrls(text), true);
  if (text_has.digit) {
    strings("iban", findIbans(text), true);
    strings("vat", findVats(text), false);
    for (const date of findDates(text, values.order)) if (claim(date)) add("date", date, { other: date.other });
    for (const time of findTimes(text)) if (claim(time)) add("time", time);
    for (const phone of findPhones(text)) {
      if (overlaps(taken, phone)) continue;
      add("phone", phone);
      if (phone.quality >= 0.6) claim(phone);
    }
    for (const number of findNumbers(text, values.decimal, values.ocrPages.has(source.page))) {
      if (!overlaps(taken, number))
        add(
          "number",
          { ...number, quality: 1 },
          {
            number: {
              ...number,
              start: from + number.start,
              end: from + number.end,
              currencyAt: number.currencyAt && [from + number.currencyAt[0], from + number.currencyAt[1]],
            },
          },
        );
    }
  }
  if (/[A-Z]{6}/.test(text)) strings("bic", findBics(text), false);
}

/** `taken` stays sorted and without overlaps, so one binary search tells. */
function position(taken: [number, number][], start: number): number {
  let low = 0;
  let high = taken.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (taken[middle]![0] < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function overlaps(taken: [number, number][], found: { start: number; end: number }): boolean {
  const at = position(taken, found.start);
  const previous = taken[at - 1];
  const next = taken[at];
  return (previous !== undefined && previous[1] > found.start) || (next !== undefined && next[0] < found.end);
}

function insert(taken: [number, number][], found: { start: number; end: number }): void {
  taken.splice(position(taken, found.start), 0, [found.start, found.end]);
}
