// Reading one wanted value out of a stretch of text that is known to hold it: a table cell, a column of a line.

import type { Finder } from "./finder.ts";
import { fold } from "./fold.ts";
import { currencyCode } from "./numbers.ts";
import type { Want } from "./plan.ts";
import { type Candidate, type Span, spanText, trimSpan } from "./spans.ts";
import type { Value, ValueKind } from "./values.ts";

const kinds: Partial<Record<Want["reads"], ValueKind>> = {
  date: "date",
  time: "time",
  email: "email",
  url: "url",
  phone: "phone",
  iban: "iban",
  bic: "bic",
};

/** Values of the document inside the span. */
export function valuesIn(span: Span, finder: Finder): Value[] {
  const out: Value[] = [];
  for (const segment of span.source.segments) {
    if (segment.end <= span.start || segment.start >= span.end) continue;
    for (const value of finder.values.bySegment.get(segment.index) ?? [])
      if (value.start >= span.start && value.end <= span.end) out.push(value);
  }
  return out;
}

export function readCell(want: Want, spans: Span[], finder: Finder, score: number): Candidate[] {
  const clean = spans.flatMap((span) => trimSpan(span, /[\s|]/u) ?? []);
  if (!clean.length) return [];
  const { field } = want;
  const why = ["column"];
  if (field.type === "number" || field.type === "integer") {
    const out: Candidate[] = [];
    for (const span of clean) {
      for (const value of valuesIn(span, finder)) {
        const { number } = value;
        if (!number || (field.type === "integer" && !Number.isInteger(number.value))) continue;
        const whole = (value.end - value.start) / Math.max(1, span.end - span.start);
        const money = want.reads === "amount" && (number.decimals === 2 || number.currency !== null) ? 0.05 : 0;
        const percent = number.percent && want.reads !== "percent" ? -0.3 : 0;
        out.push({
          value: number.value,
          spans: [{ source: span.source, start: value.start, end: value.end }],
          score: score * (0.9 + 0.1 * whole + money + percent - (number.glued ? 0.4 : 0)),
          why,
        });
      }
    }
    return out;
  }
  const kind = kinds[want.reads];
  if (kind && (field.format || want.reads !== "date")) {
    const out: Candidate[] = [];
    for (const span of clean)
      for (const value of valuesIn(span, finder)) {
        if (value.kind === kind)
          out.push({
            value: value.value,
            spans: [{ source: span.source, start: value.start, end: value.end }],
            score,
            why,
          });
      }
    if (out.length || field.format) return out;
  }
  const text = clean.map(spanText).join(" ").replace(/\s+/g, " ").trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return [];
  if (field.type === "boolean") {
    const yes = /^(?:yes|y|true|ja|oui|si|sí|x|✓|✔|☑|1)$/iu.test(text);
    const no = /^(?:no|n|false|nein|non|☐|0)$/iu.test(text);
    return yes || no ? [{ value: yes, spans: clean, score, why }] : [];
  }
  if (field.choices) {
    const match = field.choices.find(
      (choice) => choice !== null && fold(String(choice).replaceAll("_", " ")) === fold(text),
    );
    return match === undefined ? [] : [{ value: match, spans: clean, score, why }];
  }
  if (want.reads === "currency" && currencyCode(text)) return [{ value: currencyCode(text), spans: clean, score, why }];
  if (field.pattern && !field.pattern.test(text)) {
    const at = clean[0] ? field.pattern.find(spanText(clean[0])) : null;
    if (!at || !clean[0]) return [];
    const span = { source: clean[0].source, start: clean[0].start + at[0], end: clean[0].start + at[1] };
    return [{ value: spanText(span), spans: [span], score, why }];
  }
  return [{ value: text, spans: clean, score, why }];
}
