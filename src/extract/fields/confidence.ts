// From score to confidence: how often values of this score were right, measured (docs/fields.md has the table).
// The tables only rise, so a better score never gives a lower confidence.

import type { Finder } from "./finder.ts";
import type { Want } from "./plan.ts";
import type { Candidate } from "./spans.ts";

type Curve = [score: number, right: number][];

/** Dates, amounts, codes with check digits: a wrong form is seldom read at all. */
const typed: Curve = [
  [0, 0.2],
  [0.3, 0.7],
  [0.45, 0.87],
  [0.6, 0.96],
  [0.8, 0.98],
  [1, 0.99],
];
/** Names, addresses, lines: where they begin and end is a judgement. */
const worded: Curve = [
  [0, 0.1],
  [0.3, 0.61],
  [0.5, 0.62],
  [0.7, 0.9],
  [0.9, 0.95],
  [1, 0.97],
];
const curves: Partial<Record<Want["reads"], Curve>> = {
  amount: typed,
  number: typed,
  count: typed,
  percent: typed,
  date: typed,
  time: typed,
  email: typed,
  iban: typed,
  bic: typed,
  vat: typed,
  url: typed,
  phone: typed,
};

/** One letter of a word read wrong makes the value wrong, so long values are right less often; a number read wrong is seldom still one. */
const READ_BY_OCR = 0.86;
const LOST_PER_LETTER = 0.0012;
const LEAST_BY_OCR = 0.6;
/** A rival this close behind halves the trust in the lead. */
const CLOSE = 0.06;

export function calibrate(want: Want, best: Candidate, second: Candidate | undefined, finder: Finder): number {
  const curve = curves[want.reads] ?? worded;
  let right = at(curve, best.score);
  if (curve === worded && best.spans.some((span) => finder.values.ocrPages.has(span.source.page))) {
    right *= Math.max(LEAST_BY_OCR, READ_BY_OCR - LOST_PER_LETTER * String(best.value).length);
  }
  if (second) right *= 0.75 + 0.25 * Math.min(1, Math.max(0, best.score - second.score) / CLOSE);
  return Math.round(right * (best.doubt ?? 1) * 1000) / 1000;
}

function at(curve: Curve, score: number): number {
  const next = curve.findIndex(([from]) => from >= score);
  if (next <= 0) return curve[next < 0 ? curve.length - 1 : 0]![1];
  const [x0, y0] = curve[next - 1]!;
  const [x1, y1] = curve[next]!;
  return y0 + ((score - x0) / (x1 - x0)) * (y1 - y0);
}
