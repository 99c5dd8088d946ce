// Where the document names things: every label of the lexicon and of the caller's schema, found in one pass over the text,
// and for each value the labels it stands beside, right of, or below.

import { type Automaton, buildAutomaton } from "./automaton.ts";
import { type Squeezed, squeeze } from "./fold.ts";
import { concepts } from "./lexicon.ts";
import type { Value, Values } from "./values.ts";
import type { Segment, View } from "./view.ts";

/** A concept of the lexicon, or "field:7" for a phrase of the caller's own. */
export type LabelId = string;

export interface Label {
  id: LabelId;
  /** 1 names it by itself; less gives way to other labels on the line. */
  weight: number;
}

/** A label phrase at a place of a segment; start and end are offsets into the source's text. */
export interface Hit {
  segment: Segment;
  start: number;
  end: number;
  /** Letters matched: longer phrases say more. */
  size: number;
  labels: Label[];
}

export type Relation = "inline" | "right" | "below" | "header";

export interface Attachment {
  value: Value;
  label: LabelId;
  relation: Relation;
  /** 0 to 1: how plainly the label belongs to the value. */
  weight: number;
  hit: Hit;
}

export interface Labels {
  bySegment: Map<number, Hit[]>;
  byLabel: Map<LabelId, Hit[]>;
}

export const WEAK = 0.8;
/** A phrase glued to other letters is only believed from this length: OCR loses spaces, but "tax" in "taxi" is not a label. */
const GLUED_LETTERS = 6;
/** Values between a label and the one it names, in one stretch: "Total (2 items, 19 %) 7.50". */
const VALUES_BEFORE = 4;
/** Rows above a value that may hold its label. */
const ROWS_ABOVE = 3;

interface PhraseTable {
  automaton: Automaton;
  labels: Label[][];
}

let lexiconTable: PhraseTable | null = null;

function lexicon(): PhraseTable {
  if (!lexiconTable) {
    const entries: { phrase: string; label: Label }[] = [];
    for (const { id, strong, weak } of concepts) {
      for (const phrase of strong) entries.push({ phrase, label: { id, weight: 1 } });
      for (const phrase of weak) entries.push({ phrase, label: { id, weight: WEAK } });
    }
    lexiconTable = buildTable(entries);
  }
  return lexiconTable;
}

export function buildTable(entries: { phrase: string; label: Label }[]): PhraseTable {
  const byPhrase = new Map<string, Label[]>();
  for (const { phrase, label } of entries) {
    const key = squeeze(phrase).text;
    if (!key) continue;
    const list = byPhrase.get(key) ?? [];
    if (!list.some((other) => other.id === label.id)) list.push(label);
    byPhrase.set(key, list);
  }
  return { automaton: buildAutomaton([...byPhrase.keys()]), labels: [...byPhrase.values()] };
}

export interface PhraseHit {
  start: number;
  end: number;
  size: number;
  labels: Label[];
}

/** Labels in a text, longest first where they overlap; offsets into the text. */
export function findPhrases(text: string, tables: PhraseTable[] = [lexicon()], scanned = false): PhraseHit[] {
  const flat = scanned ? corrected(squeeze(text)) : squeeze(text);
  const hits: PhraseHit[] = [];
  for (const table of tables) {
    for (const match of table.automaton.find(flat.text)) {
      const size = match.end - match.start;
      if (flat.parts[match.start] !== flat.parts[match.end - 1]) continue;
      const starts = flat.starts[match.start]!;
      const ends = flat.starts[match.end]!;
      const unspaced = flat.text.charCodeAt(match.start) > 0x2e80;
      const glued = size >= GLUED_LETTERS && (starts || ends);
      const money =
        starts && size >= 4 && /^(?:rm|usd|eur|myr|sgd)(?:$|[^\p{L}])/u.test(flat.text.slice(match.end, match.end + 4));
      if (!(starts && ends) && !unspaced && !glued && !money) continue;
      const start = flat.from[match.start]!;
      const end = flat.from[match.end - 1]! + 1;
      const same = hits.find((hit) => hit.start === start && hit.end === end);
      const labels = table.labels[match.phrase]!;
      if (same) same.labels = [...same.labels, ...labels];
      else hits.push({ start, end, size, labels });
    }
  }
  const kept = hits.filter(
    (hit) =>
      !hits.some((other) => other !== hit && other.start <= hit.start && other.end >= hit.end && other.size > hit.size),
  );
  return kept.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Words of the lexicon, and each with one letter left open: "tot*l". */
let openWords: { words: Set<string>; open: Map<string, string> } | null = null;
/** Only labels whose loss costs most; the more words, the more names and places are mistaken for one. */
const correctedConcepts = new Set<string>([
  "total",
  "subtotal",
  "amount_due",
  "change",
  "invoice_number",
  "invoice_date",
]);
/** Shorter words have too many neighbours: "cash" and "cast". */
const CORRECTED_LETTERS = 5;

function lexiconWords(): { words: Set<string>; open: Map<string, string> } {
  if (openWords) return openWords;
  const words = new Set<string>();
  const open = new Map<string, string>();
  for (const { id, strong, weak } of concepts) {
    for (const phrase of [...strong, ...weak]) {
      for (const part of phrase.split(/[\s/.-]+/)) {
        const word = squeeze(part).text;
        words.add(word);
        if (word.length < CORRECTED_LETTERS || !correctedConcepts.has(id)) continue;
        for (let i = 0; i < word.length; i++) {
          const key = `${word.slice(0, i)}*${word.slice(i + 1)}`;
          if (!open.has(key)) open.set(key, word);
        }
      }
    }
  }
  openWords = { words, open };
  return openWords;
}

/** One letter read wrong in a word of ours is put right, so that "Totel" is the label it was. Lengths stay, and so do offsets. */
function corrected(flat: Squeezed): Squeezed {
  const { words, open } = lexiconWords();
  let text = "";
  for (let from = 0; from < flat.text.length; ) {
    let to = from + 1;
    while (to < flat.text.length && flat.from[to]! - flat.from[to - 1]! <= 1 && flat.parts[to] === flat.parts[from])
      to++;
    const word = flat.text.slice(from, to);
    text += word.length >= CORRECTED_LETTERS && word.length <= 20 && !words.has(word) ? correctWord(word, open) : word;
    from = to;
  }
  return { ...flat, text };
}

function correctWord(word: string, open: Map<string, string>): string {
  for (let i = 0; i < word.length; i++) {
    const known = open.get(`${word.slice(0, i)}*${word.slice(i + 1)}`);
    if (known) return known;
  }
  return word;
}

/** Labels stand in short lines or at the start of one; in running text only this much of a segment is searched. */
const MAX_SEGMENT_CHARS = 400;

export function findLabels(view: View, own: { phrase: string; label: Label }[]): Labels {
  const tables = [lexicon(), buildTable(own)];
  const scanned = new Set(view.document.pages.filter((page) => page.ocr).map((page) => page.number));
  const labels: Labels = { bySegment: new Map(), byLabel: new Map() };
  for (const segment of view.segments) {
    const found = findPhrases(segment.text.slice(0, MAX_SEGMENT_CHARS), tables, scanned.has(segment.page));
    if (!found.length) continue;
    const hits = found.map((hit) => ({
      ...hit,
      segment,
      start: segment.start + hit.start,
      end: segment.start + hit.end,
    }));
    labels.bySegment.set(segment.index, hits);
    for (const hit of hits) {
      for (const { id } of hit.labels) {
        const list = labels.byLabel.get(id);
        if (list) list.push(hit);
        else labels.byLabel.set(id, [hit]);
      }
    }
  }
  return labels;
}

/** What a line of labels means as a whole: "Total GST" is tax, "Total (incl. GST)" the total. */
export function keyLabels(hits: PhraseHit[]): Map<LabelId, { weight: number; hit: PhraseHit }> {
  const found = new Map<LabelId, { weight: number; hit: PhraseHit }>();
  const put = (id: LabelId, weight: number, hit: PhraseHit): void => {
    const old = found.get(id);
    if (!old || old.weight < weight) found.set(id, { weight, hit });
  };
  for (const hit of hits) for (const label of hit.labels) put(label.id, label.weight, hit);
  const rival = (except: string[]): boolean =>
    hits.some(
      (hit) =>
        hit.labels.every((label) => !label.id.startsWith("field:")) &&
        !hit.labels.some((label) => except.includes(label.id)),
    );
  for (const [id, entry] of found) {
    if (entry.weight < 1 && rival([id, "incl", "excl"])) entry.weight *= 0.4;
  }
  const total = found.get("total");
  const net = found.get("subtotal");
  if (found.has("excl") && total) {
    put("subtotal", 0.95, total.hit);
    total.weight *= 0.35;
  } else if (found.has("incl") && (total || net || found.has("paid"))) {
    const base = (total ?? net ?? found.get("paid"))!;
    put("total", Math.max(0.85, base.weight), base.hit);
    if (net && !total) net.weight *= 0.5;
    for (const id of ["tax"]) {
      const other = found.get(id);
      if (other && other.hit !== base.hit) other.weight *= 0.5;
    }
  }
  return found;
}

/** The labels each value stands with. */
export function attachLabels(view: View, values: Values, labels: Labels): Map<Value, Attachment[]> {
  const attached = new Map<Value, Attachment[]>();
  for (const value of values.all) attached.set(value, attachmentsOf(value, view, values, labels));
  return attached;
}

function attachmentsOf(value: Value, view: View, values: Values, labels: Labels): Attachment[] {
  const out: Attachment[] = [];
  const add = (hits: PhraseHit[], segment: Segment, relation: Relation, factor: number): boolean => {
    if (!hits.length) return false;
    for (const [label, { weight, hit }] of keyLabels(hits)) {
      out.push({ value, label, relation, weight: weight * factor, hit: { ...hit, segment } });
    }
    return true;
  };
  const { segment } = value;
  const beside = values.bySegment.get(segment.index) ?? [];
  // In its own segment: what stands between the previous value and this one, else what stands before that
  let to = value.start;
  let factor = 1;
  const before = beside
    .slice(Math.max(0, value.order - VALUES_BEFORE), value.order)
    .filter((other) => other.end <= value.start);
  for (let i = before.length; i >= 0 && factor > 0.5; i--) {
    const from = i > 0 ? before[i - 1]!.end : before.length === VALUES_BEFORE ? before[0]!.start : segment.start;
    const hits = within(labels, segment, from, to);
    if (hits.length) {
      const last = hits.at(-1)!;
      const gap = view.segments[segment.index]!.text.slice(
        last.end - segment.start,
        value.start - segment.start,
      ).replace(/[^\p{L}]/gu, "").length;
      add(hits, segment, "inline", factor * (gap > 12 ? 0.6 : gap > 4 ? 0.85 : 1));
      return out;
    }
    to = from;
    factor *= 0.85;
  }
  // To its left on the same row
  const row = view.rows[segment.row] ?? [];
  factor = 0.97;
  // "(incl. GST)" in a stretch of its own says more about the label left of it, and nothing alone
  let carried: Hit[] = [];
  for (let i = segment.column - 1; i >= 0 && factor > 0.4; i--) {
    const left = row[i]!;
    const hits = labels.bySegment.get(left.index) ?? [];
    const tail = (values.bySegment.get(left.index) ?? []).at(-1);
    if (
      hits.length &&
      i > 0 &&
      hits.every((hit) => hit.labels.every((label) => label.id === "incl" || label.id === "excl"))
    ) {
      carried = [...hits, ...carried];
      continue;
    }
    if (hits.length) {
      // "Date: 1/2/2024   7.50": the label already has its value, unless that is another number of the same line
      const used = tail !== undefined && tail.start >= hits.at(-1)!.end;
      if (add([...hits, ...carried], left, "right", factor * (used ? 0.6 : 1))) break;
    }
    factor *= tail ? 0.85 : /[\p{L}\p{N}]{3}/u.test(left.text) ? 0.7 : 1;
  }
  for (const attachment of above(value, view, values, labels)) out.push(attachment);
  return out;
}

function within(labels: Labels, segment: Segment, from: number, to: number): Hit[] {
  return (labels.bySegment.get(segment.index) ?? []).filter((hit) => hit.start >= from && hit.end <= to);
}

function above(value: Value, view: View, values: Values, labels: Labels): Attachment[] {
  const { segment } = value;
  const out: Attachment[] = [];
  const alone = (view.rows[segment.row]?.length ?? 0) === 1;
  for (let up = 1; up <= ROWS_ABOVE; up++) {
    const row = view.rows[segment.row - up];
    if (!row?.[0] || row[0].page !== segment.page) break;
    const over = row.find((other) => standsOver(other, segment, alone && row.length === 1 && up === 1));
    if (!over) continue;
    if (over.box && segment.box && segment.box[1] - over.box[3] > 3 * Math.max(segment.height, over.height)) break;
    const hits = labels.bySegment.get(over.index) ?? [];
    const used = (values.bySegment.get(over.index) ?? []).some((other) => hits.some((hit) => other.start >= hit.end));
    if (hits.length && !used) {
      for (const [label, { weight, hit }] of keyLabels(hits)) {
        out.push({
          value,
          label,
          relation: over.source.cell ? "header" : "below",
          weight: weight * (up === 1 ? 0.8 : 0.6),
          hit: { ...hit, segment: over },
        });
      }
      break;
    }
    // Another value in between: the label above it is that one's
    if (values.bySegment.has(over.index)) break;
  }
  return out;
}

export function standsOver(over: Segment, under: Segment, alone: boolean): boolean {
  if (over.box && under.box) return over.box[0] < under.box[2] && under.box[0] < over.box[2];
  if (over.source.cell && under.source.cell && over.source.element === under.source.element) {
    const [a, b] = [over.source.cell, under.source.cell];
    return a.column < b.column + b.column_span && b.column < a.column + a.column_span;
  }
  return alone && !over.source.cell && !under.source.cell;
}
