// Candidates for leaves that name what their value may be: a pattern, a list of choices, yes or no.

import { described, hitsOf, textBeside } from "./beside.ts";
import type { Finder } from "./finder.ts";
import { fold } from "./fold.ts";
import type { Pattern } from "./pattern.ts";
import type { Want } from "./plan.ts";
import { type Candidate, type Span, segmentSpan, spanText, trimSpan } from "./spans.ts";

/** Words of a line that may together match a pattern. */
const MAX_PATTERN_WORDS = 4;
/** A longer stretch is no value of a field; finding where a match starts takes its length squared. */
const MAX_PATTERN_CHARS = 200;
/** Stretches tried per leaf: bounds the time of many patterned leaves on a long document. */
const MAX_PATTERN_TRIES = 4_000;

export function patterns(want: Want, finder: Finder): Candidate[] {
  const pattern = want.field.pattern!;
  const out: Candidate[] = [];
  for (const { hit, weight } of hitsOf(want, finder)) {
    for (const beside of textBeside(finder, hit)) {
      const [found] = matchesIn(pattern, beside.span, MAX_PATTERN_TRIES);
      if (found) out.push(patternCandidate(found, 0.95 * weight * beside.weight, "beside its label"));
    }
  }
  if (out.length) return out;
  // Without a label the whole document is looked through, once for all leaves of the same pattern
  let alone = finder.byPattern.get(pattern.source);
  if (!alone) {
    alone = [];
    let tries = MAX_PATTERN_TRIES;
    for (const segment of finder.view.segments) {
      if (tries <= 0 || alone.length > 20) break;
      const [found, used] = matchesIn(pattern, segmentSpan(segment), tries);
      tries -= used;
      if (found) alone.push(found);
    }
    finder.byPattern.set(pattern.source, alone);
  }
  const score = specific(pattern.source) ? 0.5 : 0.15;
  return alone.map((span) => patternCandidate(span, score, "the pattern alone"));
}

function patternCandidate(span: Span, score: number, why: string): Candidate {
  const value = spanText(span);
  return { value, spans: [span], score: score * (value.length < 2 ? 0.4 : 1), why: [why] };
}

/** The first run of words in the span that the pattern matches, and how many were tried. */
function matchesIn(pattern: Pattern, from: Span, max: number): [found: Span | null, tries: number] {
  const words = [...spanText(from).matchAll(/\S+/g)].slice(0, 40);
  let tries = 0;
  for (let i = 0; i < words.length; i++) {
    for (let j = Math.min(words.length, i + MAX_PATTERN_WORDS); j > i && tries < max; j--) {
      tries++;
      const start = from.start + words[i]!.index;
      const end = from.start + words[j - 1]!.index + words[j - 1]![0].length;
      const span = trimSpan({ source: from.source, start, end }, /[\s:;,|("'[]/u);
      const at = span && span.end - span.start <= MAX_PATTERN_CHARS ? pattern.find(spanText(span)) : null;
      if (!span || !at) continue;
      const whole = (at[0] === 0 && span.start + at[1] === span.end) || at[1] - at[0] < 2;
      const tight = whole ? span : { source: span.source, start: span.start + at[0], end: span.start + at[1] };
      if (pattern.test(spanText(tight))) return [tight, tries];
    }
  }
  return [null, tries];
}

/** A pattern with fixed letters or a run of digits picks its values out of a text; ".+" does not. */
const specific = (source: string): boolean =>
  /\{[3-9]|\{\d{2}|\\d\\d\\d|[A-Za-z]{2,}(?!\})/.test(
    source.replace(/\\[a-zA-Z]|\[[^\]]*\]/g, (part) => (part === "\\d" ? "\\d" : "")),
  );

export function choices(want: Want, finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  const options = (want.field.choices ?? [])
    .filter((option) => option !== null && typeof option !== "object")
    .map((option) => ({ option, key: fold(String(option).replaceAll("_", " ")) }));
  const match = (span: Span, score: number, why: string): void => {
    const text = spanText(span);
    for (const { option, key } of options) {
      if (!key) continue;
      const at = findFolded(text, key);
      if (at)
        out.push({
          value: option,
          spans: [{ source: span.source, start: span.start + at[0], end: span.start + at[1] }],
          score: score * (at[0] === 0 ? 1 : 0.8),
          why: [why],
        });
    }
  };
  for (const { hit, weight } of hitsOf(want, finder))
    for (const beside of textBeside(finder, hit)) match(beside.span, 0.92 * weight * beside.weight, "beside its label");
  if (out.length) return out;
  for (const hit of finder.labels.byLabel.get(`choice:${want.id}`) ?? []) {
    const span = { source: hit.segment.source, start: hit.start, end: hit.end };
    const key = fold(spanText(span));
    const option = options.find((other) => other.key === key);
    const alone = hit.segment.text.length <= (hit.end - hit.start) * 1.5;
    if (option)
      out.push({
        value: option.option,
        spans: [span],
        score: (key.length < 3 ? 0.2 : 0.45) + (alone ? 0.15 : 0),
        why: ["stands in the text"],
      });
  }
  return out;
}

/** Where a folded word stands in a text, at word boundaries. */
function findFolded(text: string, key: string): [number, number] | null {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  for (let i = 0; i < words.length && i < 60; i++) {
    let joined = "";
    for (let j = i; j < words.length && joined.length < key.length; j++) {
      joined += fold(words[j]![0]);
      if (joined === key) return [words[i]!.index, words[j]!.index + words[j]![0].length];
    }
  }
  return null;
}

const yes = /^(?:yes|y|true|ja|oui|si|sí|sim|tak|x|✓|✔|☑|☒|\[x\]|on|included|enabled|ya|да|はい|是)(?![\p{L}\p{N}])/iu;
const no =
  /^(?:no|n|false|nein|non|não|nao|nee|nie|nej|☐|\[ ?\]|off|none|excluded|disabled|tidak|нет|いいえ|否)(?![\p{L}\p{N}])/iu;

export function booleans(want: Want, finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  for (const { hit, weight } of hitsOf(want, finder)) {
    const box = /([☐☑☒✓✔]|\[[ xX]?\])\s*$/u.exec(hit.segment.source.text.slice(hit.segment.start, hit.start));
    if (box) {
      const start = hit.segment.start + box.index;
      out.push({
        value: !/☐|\[ ?\]/u.test(box[1]!),
        spans: [{ source: hit.segment.source, start, end: start + box[1]!.length }],
        score: 0.9 * weight,
        why: ["check box"],
      });
    }
    for (const beside of textBeside(finder, hit)) {
      const text = spanText(beside.span);
      const found = yes.exec(text) ?? no.exec(text);
      if (found)
        out.push({
          value: yes.test(text),
          spans: [{ ...beside.span, end: beside.span.start + found[0].length }],
          score: 0.92 * weight * beside.weight,
          why: described(want, hit, beside.relation),
        });
    }
  }
  return out;
}
