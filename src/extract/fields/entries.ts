// Entries of a résumé's section: who, where, from when to when, and what was done.

import { monthNumber } from "./dates.ts";
import { legalForm, tradeWord } from "./parties.ts";
import type { Want } from "./plan.ts";
import { type Candidate, joinSpans, type Span, segmentSpan, spanText, trimSpan } from "./spans.ts";
import type { Item } from "./tables.ts";
import type { Segment, Source } from "./view.ts";

const jobWord =
  /\b(?:engineer|developer|programmer|manager|director|analyst|consultant|intern|internship|trainee|assistant|associate|officer|lead|leader|head|chief|cto|ceo|cfo|coo|vp|vice president|president|founder|designer|architect|administrator|specialist|coordinator|supervisor|technician|scientist|researcher|teacher|lecturer|professor|tutor|nurse|doctor|physician|pharmacist|lawyer|attorney|paralegal|accountant|auditor|bookkeeper|clerk|cashier|secretary|receptionist|sales|representative|executive|agent|advisor|planner|buyer|editor|writer|journalist|copywriter|translator|photographer|chef|cook|waiter|barista|driver|mechanic|electrician|operator|welder|worker|freelancer|contractor|volunteer|owner|partner|strategist|producer|marketer|recruiter|tester|entwickler(?:in)?|ingenieur(?:in)?|leiter(?:in)?|berater(?:in)?|assistent(?:in)?|praktikant(?:in)?|werkstudent(?:in)?|kaufmann|kauffrau|referent(?:in)?|sachbearbeiter(?:in)?|geschäftsführer(?:in)?|développeu(?:r|se)|ingénieure?|responsable|directeur|directrice|chargée?|assistante?|stagiaire|technicien(?:ne)?|vendeu(?:r|se)|desarrollador(?:a)?|ingenier[oa]|gerente|director(?:a)?|analista|becari[oa]|técnic[oa]|jefe|sviluppatore|ingegnere|responsabile|impiegat[oa]|tirocinante|consulente|ontwikkelaar|medewerker|adviseur|stagiair(?:e)?|programista|inżynier|kierownik|specjalista|utvecklare|ingenjör|chef|konsult)\b/iu;
const degreeWord =
  /\b(?:bachelor(?:'s)?|master(?:'s)?|b\.?\s?sc|m\.?\s?sc|b\.?\s?a\b|m\.?\s?a\b|b\.?\s?eng|m\.?\s?eng|b\.?\s?tech|m\.?\s?tech|bba|mba|ph\.?\s?d|doctorate|doctor of|associate degree|diploma|degree|certificate|a-levels|gcse|abitur|diplom|staatsexamen|ausbildung|licence|maîtrise|baccalauréat|bac|dut|bts|doctorat|grado|licenciatura|máster|doctorado|bachillerato|laurea|magistrale|diploma|dottorato|maturità|mestrado|licentiaat|propedeuse|magister|licencjat|inżynier|matura|kandidat|examen)(?![\p{L}])/iu;
const schoolWord =
  /\b(?:university|college|school|institute|academy|polytechnic|faculty|universität|hochschule|fachhochschule|gymnasium|schule|akademie|technische universität|tu|université|école|institut|lycée|iut|universidad|escuela|instituto|colegio|università|politecnico|istituto|liceo|scuola|universidade|universiteit|hogeschool|uniwersytet|politechnika|liceum|universitet|högskola|mit|eth|epfl|ucl|lse)\b/iu;

const month = String.raw`(?:\p{L}{3,12}\.?,?\s+|\d{1,2}[./-])`;
const point = String.raw`(?:${month})?(?:19|20)\d{2}(?:[-/.](?:0?[1-9]|1[0-2]))?`;
const now = `present|now|current|today|ongoing|to date|heute|jetzt|aktuell|laufend|aujourd['’]hui|présent|actuel|en cours|actualidad|presente|actual|hoy|oggi|in corso|atualmente|atual|heden|nu|obecnie|teraz|pågående`;
const range = new RegExp(
  String.raw`(?<!\d)(?:(?:since|seit|depuis|desde|dal|from|von|de|du)\s+)?(${point})\s*(?:[-–—−]|to|until|bis|à|au|a|al|hasta|até|tot|do|till)\s*(${point}|${now})(?![\p{L}\d])`,
  "iu",
);
const since = new RegExp(String.raw`(?<![\p{L}\d])(?:since|seit|depuis|desde|dal|from|ab)\s+(${point})(?!\d)`, "iu");
const single = new RegExp(String.raw`(?<![\d/.-])(${point})(?![\d/-])`, "iu");

const year = /(?<![\d/.-])((?:19|20)\d{2})(?![\d/-])/u;

interface Dates {
  start: Span | null;
  end: Span | null;
  whole: Span;
}

/** Rows of a section, each with what it holds. */
interface Row {
  segments: Segment[];
  dates: Dates | null;
  /** A line of the description: a bullet, or a sentence. */
  told: boolean;
  heading: boolean;
}

export function entryItems(wants: [string, Want][], body: Source[]): Item[] {
  const rows = rowsOf(body);
  const starts = entryStarts(rows);
  const items: Item[] = [];
  starts.forEach((from, i) => {
    const entry = rows.slice(from, starts[i + 1] ?? rows.length);
    const item = readEntry(entry, wants);
    if (item.size) items.push(item);
  });
  return items;
}

function rowsOf(body: Source[]): Row[] {
  const inside = new Set(body);
  const order = new Map<number, Segment[]>();
  for (const source of body)
    for (const segment of source.segments) {
      const row = order.get(segment.row) ?? [];
      row.push(segment);
      order.set(segment.row, row);
    }
  return [...order.entries()]
    .sort((a, b) => a[0] - b[0])
    .map(([, segments]) => {
      segments.sort((a, b) => a.column - b.column);
      const { element } = segments[0]!.source;
      const text = segments.map((segment) => segment.text).join(" ");
      const heading = element.type === "heading";
      const dates = segments.reduce<Dates | null>((found, segment) => found ?? datesOf(segment), null);
      const wrapped = segments.length === 1 && segments[0]!.wraps && inside.has(segments[0]!.source);
      const told =
        !heading &&
        (element.type === "list_item" ||
          /^\s*[•·▪◦‣*–-]\s/u.test(text) ||
          (text.length > 90 && !(dates && text.length < 140)) ||
          (wrapped && !dates) ||
          (/[.!]\s*$/.test(text) && text.split(/\s+/).length > 7 && !dates));
      return { segments, dates: told ? null : dates, told, heading };
    });
}

function datesOf(segment: Segment): Dates | null {
  const { text, source, start } = segment;
  const span = (match: RegExpExecArray, group: number, from = 0): Span => {
    const at = match[0].indexOf(match[group]!, from);
    return { source, start: start + match.index + at, end: start + match.index + at + match[group]!.length };
  };
  const both = range.exec(text);
  if (both && plausible(both[1]!)) {
    const first = span(both, 1);
    const second = span(both, 2, first.end - start - both.index);
    return {
      start: first,
      end: second,
      whole: { source, start: start + both.index, end: start + both.index + both[0].length },
    };
  }
  const open = since.exec(text);
  if (open && plausible(open[1]!))
    return {
      start: span(open, 1),
      end: null,
      whole: { source, start: start + open.index, end: start + open.index + open[0].length },
    };
  const one = [single, year].map((expression) => expression.exec(text)).find((match) => match && plausible(match[1]!));
  if (one && text.length < 120) return { start: null, end: span(one, 1), whole: span(one, 1) };
  return null;
}

/** "Room 2014" is not a month and a year. */
function plausible(text: string): boolean {
  const word = /\p{L}{3,}/u.exec(text)?.[0];
  return word === undefined || monthNumber(word) !== undefined || /^(?:spring|summer|fall|autumn|winter)$/i.test(word);
}

function entryStarts(rows: Row[]): number[] {
  const dated = rows.flatMap((row, i) => (row.dates ? [i] : []));
  const headings = rows.flatMap((row, i) => (row.heading ? [i] : []));
  if (headings.length && headings.length >= dated.length / 2 && headings[0] === 0) return headings;
  if (!dated.length) return rows.length && !rows[0]!.told ? [0] : [];
  const lead = Math.min(3, dated[0]!);
  const starts: number[] = [];
  dated.forEach((at, i) => {
    let from = at;
    const floor = i > 0 ? dated[i - 1]! + 1 : 0;
    while (from > floor && at - from < lead && !rows[from - 1]!.told) from--;
    // Two dated lines of one head: "Acme 2019–2023 / Engineer 2021–2023" stay two entries
    if (from > (starts.at(-1) ?? -1)) starts.push(from);
  });
  return starts;
}

/** Parts of a head line: between bars, dashes, commas, "at". */
const separators = /\s*(?:\s[|•·–—-]\s|[|•·]|\t|\s{3,}|,\s+|\s+(?:at|bei|chez|en|presso|@)\s+|\s+[–—]\s*)\s*/giu;

function readEntry(rows: Row[], wants: [string, Want][]): Item {
  const item: Item = new Map();
  const dates = rows.find((row) => row.dates)?.dates ?? null;
  const head = rows.filter((row) => !row.told).slice(0, 4);
  const parts: Span[] = [];
  for (const row of head)
    for (const segment of row.segments) {
      for (const piece of without(segmentSpan(segment), dates?.whole)) parts.push(...splitSpan(piece));
    }
  const told = rows
    .filter((row) => row.told)
    .flatMap((row) => row.segments.flatMap((segment) => trimSpan(segmentSpan(segment), /[\s•·▪◦‣*–-]/u) ?? []));
  const used = new Set<Span>();
  const take = (test: (text: string) => boolean): Span | undefined => {
    const found = parts.find((part) => !used.has(part) && test(spanText(part)));
    if (found) used.add(found);
    return found;
  };
  const put = (pattern: string, spans: Span[], score: number, why: string): void => {
    const joined = joinSpans(spans);
    const value = joined
      .map((span) =>
        spanText(span)
          .replace(/\s*\n\s*/g, "\n")
          .replace(/[ \t]+/g, " "),
      )
      .join("\n");
    const candidate: Candidate = { value, spans: joined, score, why: [why] };
    item.set(pattern, [candidate]);
  };
  const by = (concept: string): [string, Want] | undefined => wants.find(([, want]) => want.concept === concept);
  const startWant = by("period_start") ?? wants.find(([, want]) => /start|from|begin/i.test(want.name));
  const endWant =
    by("period_end") ??
    wants.find(([, want]) => /end|to$|until|graduat|year|date/i.test(want.name) && want !== startWant?.[1]);
  if (dates?.start && startWant) put(startWant[0], [dates.start], 0.85, "dates of the entry");
  if (dates?.end && endWant) put(endWant[0], [dates.end], 0.85, "dates of the entry");
  // The plainest pairs first, then by order: position before company, degree before school
  const kinds: [string, (text: string) => boolean][] = [
    ["degree", (text) => degreeWord.test(text)],
    ["institution", (text) => schoolWord.test(text)],
    ["position", (text) => jobWord.test(text)],
    ["employer", (text) => legalForm.test(text) || (tradeWord.test(text) && !jobWord.test(text))],
  ];
  const open: string[] = [];
  for (const [concept, test] of kinds) {
    const want = by(concept);
    if (!want) continue;
    const found = take(test);
    if (found) put(want[0], [found], 0.85, concept);
    else open.push(concept);
  }
  for (const concept of open) {
    const want = by(concept)!;
    const found = take((text) => /\p{L}{2}/u.test(text) && text.length < 90);
    if (found) put(want[0], [found], 0.65, "by order");
  }
  const place = wants.find(([pattern, want]) => !item.has(pattern) && /location|city|place/i.test(want.name));
  if (place) {
    const found = take((text) => /^\p{Lu}[\p{L} .'-]{2,40}$/u.test(text));
    if (found) put(place[0], [found], 0.6, "by order");
  }
  const text =
    by("description") ??
    wants.find(
      ([pattern, want]) =>
        !item.has(pattern) &&
        want.field.type === "string" &&
        /desc|summary|detail|highlight|responsib|task/i.test(want.name),
    );
  if (text && told.length) put(text[0], told, 0.8, "lines of the entry");
  for (const [pattern, want] of wants) {
    if (item.has(pattern) || want.field.type !== "string" || want.field.format || want.concept !== null) continue;
    const found = take((value) => /\p{L}{2}/u.test(value) && value.length < 90);
    if (found) put(pattern, [found], 0.4, "by order");
  }
  return item;
}

function without(span: Span, cut: Span | undefined): Span[] {
  if (!cut || cut.source !== span.source || cut.start >= span.end || cut.end <= span.start) return [span];
  const pieces = [
    { ...span, end: cut.start },
    { ...span, start: cut.end },
  ];
  return pieces
    .flatMap((piece) => trimSpan(piece, /[\s:;,|•·=()–—-]/u) ?? [])
    .map((piece) => (/[(]$/.test(spanText(piece)) ? { ...piece, end: piece.end - 1 } : piece));
}

function splitSpan(span: Span): Span[] {
  const text = spanText(span);
  const out: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(separators)) {
    if (match.index === 0) continue;
    const piece = trimSpan(
      { source: span.source, start: span.start + from, end: span.start + match.index },
      /[\s:;,|•·=()–—-]/u,
    );
    if (piece) out.push(piece);
    from = match.index + match[0].length;
  }
  const last = trimSpan({ source: span.source, start: span.start + from, end: span.end }, /[\s:;,|•·=()–—-]/u);
  return last ? [...out, last] : out;
}
