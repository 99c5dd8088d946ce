// Candidates for leaves that hold text: codes, names, addresses, titles, lines beside a label.

import { described, hitsOf, textBeside } from "./beside.ts";
import { booleans, choices, patterns } from "./choices.ts";
import type { Finder } from "./finder.ts";
import { fold, nameWords } from "./fold.ts";
import { currencyCode } from "./numbers.ts";
import {
  addressIn,
  columnFrom,
  companyScore,
  companySpan,
  isHeader,
  join,
  looksLikePerson,
  readLine,
} from "./parties.ts";
import type { Want } from "./plan.ts";
import { sectionCandidates } from "./sections.ts";
import { type Candidate, type Span, segmentSpan, spanText, trimSpan } from "./spans.ts";
import type { Segment } from "./view.ts";

/** A value beside a label longer than this is a paragraph, not a field. */
const MAX_LINE_CHARS = 300;

type Reader = (want: Want, finder: Finder) => Candidate[];

export const textReaders: Partial<Record<Want["reads"], Reader>> = {
  code: codes, line: lines, name: people, person: people, company: companies, address: addresses, title: titles, section: sectionCandidates, list: lines,
  currency: currencies, pattern: patterns, choice: choices, boolean: booleans, vat: codes,
}; // biome-ignore format: a table

/** A code stands right after its label; the expression looks ahead, so its text is bounded. */
const CODE_REACH = 120;
const code = /(?:[A-Z]{1,6}[-/.]? ?)?[\p{L}\p{N}]*\d[\p{L}\p{N}]*(?:[-/._#][\p{L}\p{N}]+)*/giu;

function codes(want: Want, finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  for (const { hit, weight } of hitsOf(want, finder)) {
    for (const beside of textBeside(finder, hit)) {
      const text = spanText(beside.span).slice(0, CODE_REACH);
      for (const match of text.matchAll(code)) {
        const start = beside.span.start + match.index;
        const end = start + match[0].length;
        const held = (finder.values.bySegment.get(beside.segment.index) ?? []).find(
          (value) => value.start < end && value.end > start,
        );
        const wrong =
          held &&
          (held.kind === "date" ||
            held.kind === "time" ||
            held.kind === "email" ||
            (held.number && held.number.decimals === 2 && held.end - held.start === match[0].length) ||
            (held.kind === "phone" && want.concept !== "phone" && held.quality > 0.9));
        if (wrong || match[0].length < 2 || match[0].length > 40) continue;
        const late = match.index > 12 ? 0.6 : match.index > 0 ? 0.85 : 1;
        const short = match[0].replace(/\D/g, "").length < 2 ? 0.75 : 1;
        const span = { source: beside.span.source, start, end };
        const theirs =
          want.role !== "customer" && want.role !== "ship"
            ? 1
            : finder.parties.some((party) => party.role === want.role && party.segments.has(beside.segment.index))
              ? 1
              : 0.3;
        out.push({
          value: match[0].trim(),
          spans: [span],
          score: 0.92 * weight * beside.weight * late * short * theirs,
          why: described(want, hit, beside.relation),
        });
        break;
      }
    }
  }
  return out;
}

function lines(want: Want, finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  for (const { hit, weight } of hitsOf(want, finder)) {
    for (const beside of textBeside(finder, hit)) {
      let { span } = beside;
      // In a sentence the value ends with it
      const stop = /[.;](?=\s+\p{Lu})|\n/u.exec(spanText(span));
      if (stop && stop.index > 1) span = { ...span, end: span.start + stop.index };
      const text = spanText(span);
      if (text.length > MAX_LINE_CHARS || !/[\p{L}\p{N}]/u.test(text)) continue;
      const prose = beside.relation === "inline" && text.length > 80 ? 0.7 : 1;
      out.push({
        value: tidy(text),
        spans: [span],
        score: 0.88 * weight * beside.weight * prose,
        why: described(want, hit, beside.relation),
      });
    }
  }
  return out;
}

export const tidy = (text: string): string => text.replace(/\s+/g, " ").trim();

function people(want: Want, finder: Finder): Candidate[] {
  const out = lines(want, finder).filter((candidate) => !/\d|@/.test(String(candidate.value)));
  for (const candidate of out) {
    // "Jane Roe, Chief Engineer" and "Jane Roe | Berlin" hold a name first
    const [span] = candidate.spans;
    const cut = span ? /\s*[,|;(/•·]|\s+[-–—]\s/u.exec(spanText(span)) : null;
    if (span && cut && cut.index > 2) {
      candidate.spans = [{ ...span, end: span.start + cut.index }];
      candidate.value = tidy(spanText(candidate.spans[0]!));
    }
    if (!looksLikePerson(String(candidate.value))) candidate.score *= 0.7;
  }
  if (
    want.concept !== "person" ||
    !/^(?:full ?)?name$|^(?:candidate|person|applicant|employee)/i.test(nameWords(want.name))
  )
    return out;
  // A résumé or letter opens with the name
  const head = finder.view.rows.slice(0, 6);
  head.forEach((row, at) => {
    for (const segment of row) {
      const type = segment.source.element.type;
      if (!looksLikePerson(segment.text) || isHeader(segment.text) || companyScore(segment.text) >= 0.7) continue;
      const large = segment.height > 1.2 * (finder.view.letterHeights.get(segment.page) ?? Number.POSITIVE_INFINITY);
      const score =
        0.55 + (type === "title" || type === "heading" || large ? 0.25 : 0) + (at === 0 ? 0.1 : 0) - 0.03 * at;
      out.push({ value: tidy(segment.text), spans: [segmentSpan(segment)], score, why: ["name at the head"] });
    }
  });
  const author = finder.view.document.authors[0];
  if (author)
    for (const candidate of out)
      if (fold(String(candidate.value)) === fold(author)) candidate.score = Math.min(1, candidate.score + 0.1);
  return out;
}

function companies(want: Want, finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  const role = want.concept === "customer_name" ? "customer" : want.concept === "ship_name" ? "ship" : "vendor";
  for (const party of finder.parties) {
    if (party.role !== role || !party.name) continue;
    const span = party.name.spans.length === 1 ? companySpanOf(party.name.spans[0]!) : null;
    out.push({
      value: tidy(span ? spanText(span) : party.name.value),
      spans: span ? [span] : party.name.spans,
      score: party.name.score * 0.97,
      why: [`${role} block`],
    });
  }
  if (role === "vendor") {
    for (const named of finder.letterhead.companies)
      out.push({ value: named.value, spans: named.spans, score: 0.85 * named.score, why: ["head of the page"] });
    if (want.phrases.length) out.push(...ownLines(want, finder));
    return out;
  }
  return [...out, ...ownLines(want, finder)];
}

/** Beside the caller's own words for it. */
function ownLines(want: Want, finder: Finder): Candidate[] {
  return lines({ ...want, concept: null }, finder).map((candidate) => ({ ...candidate, score: candidate.score * 0.9 }));
}

function companySpanOf(span: Span): Span | null {
  const segment = span.source.segments.find((other) => other.start <= span.start && other.end >= span.end);
  if (!segment) return null;
  const cut = companySpan({ ...segment, start: span.start, end: span.end, text: spanText(span) });
  return cut;
}

function addresses(want: Want, finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  const role =
    want.concept === "customer_address"
      ? "customer"
      : want.concept === "ship_address"
        ? "ship"
        : (want.role ?? "vendor");
  for (const party of finder.parties) {
    if (party.role === role && party.address)
      out.push({
        value: party.address.value,
        spans: party.address.spans,
        score: party.guessed ? 0.6 : 0.95,
        why: [`${role} block`],
      });
  }
  for (const { hit, weight } of hitsOf(want, finder)) {
    if (hit.start - hit.segment.start > 3) continue;
    for (const beside of textBeside(finder, hit)) {
      const found = addressAt(finder, beside.segment, beside.span);
      if (found)
        out.push({
          value: found.value,
          spans: found.spans,
          score: 0.9 * weight * beside.weight * (want.role === "vendor" ? 0.85 : 1),
          why: described(want, hit, beside.relation),
        });
    }
  }
  if (role === "vendor")
    for (const named of finder.letterhead.addresses)
      out.push({ value: named.value, spans: named.spans, score: 0.8 * named.score + 0.05, why: ["head of the page"] });
  return out;
}

/** The lines from here down, as far as they go on being an address. */
function addressAt(finder: Finder, segment: Segment, first: Span): { value: string; spans: Span[] } | null {
  const chain = columnFrom(finder.view, segment, 6)
    .slice(1)
    .map((item) => readLine(item, finder.values, finder.labels));
  const rest = chain.length && chain[0]!.address >= 0.5 ? addressIn(chain) : null;
  const tail = rest?.from === 0 ? rest.named : null;
  const own = join([{ ...segment, start: first.start, end: first.end, text: spanText(first) }], 1, true);
  if (!tail && spanText(first).length < 6) return null;
  return { value: tail ? `${own.value}, ${tail.value}` : own.value, spans: [...own.spans, ...(tail?.spans ?? [])] };
}

function titles(_want: Want, finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  const { title } = finder.view.document;
  let best = 0;
  for (const source of finder.view.sources.slice(0, 200)) {
    const { element } = source;
    if (source.cell || element.type === "header" || element.type === "footer") continue;
    const span = trimSpan({ source, start: 0, end: source.text.length }, /\s/u);
    if (!span || source.text.length > MAX_LINE_CHARS) continue;
    const same = title !== null && fold(title) === fold(source.text);
    const large =
      (source.segments[0]?.height ?? 0) / (finder.view.letterHeights.get(source.page) || Number.POSITIVE_INFINITY);
    let score =
      element.type === "title"
        ? 0.9
        : element.type === "heading"
          ? element.level === 1
            ? 0.85
            : 0.6
          : large > 1.4
            ? 0.5
            : 0.2;
    if (same) score += 0.15;
    score -= best * 0.05 + Math.min(0.2, source.index * 0.01);
    if (score > 0.3) best++;
    if (score > 0.25)
      out.push({ value: tidy(spanText(span)), spans: [span], score: Math.min(1, score), why: [element.type] });
  }
  return out;
}

function currencies(want: Want, finder: Finder): Candidate[] {
  const counts = new Map<string, { span: Span; count: number }>();
  for (const value of finder.values.byKind.get("number") ?? []) {
    const { number } = value;
    if (!number?.currency || !number.currencyAt) continue;
    const known = counts.get(number.currency);
    if (known) known.count++;
    else
      counts.set(number.currency, {
        span: { source: value.source, start: number.currencyAt[0], end: number.currencyAt[1] },
        count: 1,
      });
  }
  // "(RM)" in a column's head and "Currency: EUR"
  for (const segment of finder.view.segments.slice(0, 20_000)) {
    for (const match of segment.text.matchAll(/(?<![\p{L}\p{N}])(?:[A-Z]{3}|RM|US\$|€|£|zł|Kč)(?![\p{L}\p{N}])/gu)) {
      const id = currencyCode(match[0]);
      if (!id) continue;
      const start = segment.start + match.index;
      const known = counts.get(id);
      if (known) known.count += 0.5;
      else counts.set(id, { span: { source: segment.source, start, end: start + match[0].length }, count: 0.5 });
    }
  }
  const all = [...counts.values()].reduce((sum, { count }) => sum + count, 0);
  const spelled = want.field.pattern && !want.field.pattern.test("EUR");
  return [...counts].map(([id, { span, count }]) => ({
    value: spelled ? spanText(span) : id, spans: [span], score: 0.6 + 0.35 * (count / all), why: [`${count} times`],
  })); // biome-ignore format: one line
}
