// Lists of words: skills, keywords, authors, headings, the parties of a contract, every e-mail address.

import { type Finder, labelsOf } from "./finder.ts";
import { fold } from "./fold.ts";
import type { Want } from "./plan.ts";
import { sectionsOf } from "./sections.ts";
import { type Candidate, joinSpans, type Span, spanText, trimSpan } from "./spans.ts";
import { isTyped, typedCandidates } from "./typed.ts";

/** Entries of one list. */
const MAX_WORDS = 500;

export function wordList(want: Want, finder: Finder): Candidate[] {
  if (isTyped(want))
    return typedCandidates(want, finder)
      .filter((candidate) => candidate.score >= 0.45)
      .sort((a, b) => a.spans[0]!.source.index - b.spans[0]!.source.index || a.spans[0]!.start - b.spans[0]!.start);
  if (want.concept === "sections") return headings(finder);
  if (want.concept === "author") {
    const found = authors(finder);
    if (found.length) return found;
  }
  if (want.concept === "parties") {
    const found = contractParties(finder);
    if (found.length) return found;
  }
  for (const section of sectionsOf(finder, labelsOf(want))) {
    const out: Candidate[] = [];
    const score = 0.85 * Math.min(1, section.weight);
    if (section.inline) out.push(...splitWords(section.inline, score));
    else
      for (const source of section.body) {
        if (source.element.type === "heading") continue;
        const whole = { source, start: 0, end: source.text.length };
        out.push(
          ...(source.element.type === "list_item" && !/[,;|•]/.test(source.text)
            ? one(whole, score)
            : splitWords(whole, score)),
        );
        if (out.length >= MAX_WORDS) break;
      }
    if (out.length) return out;
  }
  return [];
}

function one(span: Span, score: number): Candidate[] {
  const clean = trimSpan(span, /[\s•·▪◦‣*–-]/u);
  return clean ? [{ value: spanText(clean).replace(/\s+/g, " "), spans: [clean], score, why: ["list"] }] : [];
}

/** "Tools: Git, Docker; Linux" → three. Brackets hold together; sentences stay whole. */
function splitWords(span: Span, score: number): Candidate[] {
  const text = spanText(span);
  const out: Candidate[] = [];
  let from = 0;
  let depth = 0;
  const put = (to: number): void => {
    const piece = text.slice(from, to);
    const prefix = /^\s*[\p{L} &/]{2,40}:\s+/u.exec(piece);
    out.push(
      ...one(
        { source: span.source, start: span.start + from + (prefix?.[0].length ?? 0), end: span.start + to },
        score,
      ),
    );
    from = to + 1;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === "(") depth++;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0 && (/[,;|•·▪\n]/u.test(char) || (char === "/" && text[i - 1] === " "))) put(i);
  }
  put(text.length);
  const long = out.reduce((sum, candidate) => sum + String(candidate.value).length, 0) / Math.max(1, out.length);
  for (const candidate of out) {
    const [last] = candidate.spans;
    if (last && /[.]$/.test(spanText(last)) && !/\.\p{L}/u.test(spanText(last)) && out.at(-1) === candidate) {
      candidate.spans = [{ ...last, end: last.end - 1 }];
      candidate.value = String(candidate.value).replace(/\.$/, "");
    }
  }
  return long > 80 ? one(span, score) : out.slice(0, MAX_WORDS);
}

function headings(finder: Finder): Candidate[] {
  const found = finder.view.sources.filter((source) => source.element.type === "heading" && !source.cell);
  const titled = finder.view.sources.some((source) => source.element.type === "title");
  return (
    titled
      ? found
      : found.slice(
          found[0]?.element.level === 1 && found.filter((source) => source.element.level === 1).length === 1 ? 1 : 0,
        )
  )
    .slice(0, MAX_WORDS)
    .flatMap((source) => one({ source, start: 0, end: source.text.length }, 0.9));
}

const byline = /(?:^|\n)\s*(?:by|written by|posted by|von|par|por|di|door|av|autor(?:en)?|authors?|auteurs?)\s*:?\s+/iu;

function authors(finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  for (const name of finder.view.document.authors.slice(0, 50)) {
    const key = name.trim();
    const source = key ? finder.view.sources.slice(0, 500).find((other) => other.text.includes(key)) : undefined;
    if (source) {
      const start = source.text.indexOf(key);
      out.push({ value: key, spans: [{ source, start, end: start + key.length }], score: 0.95, why: ["metadata"] });
    }
  }
  if (out.length) return out;
  for (const source of finder.view.sources.slice(0, 30)) {
    if (source.text.length > 200) continue;
    const found = byline.exec(source.text);
    if (!found) continue;
    const start = found.index + found[0].length;
    const stop = /\n|\s[|•·–—]\s|\s\d|,?\s(?:on|am|le|el)\s/u.exec(source.text.slice(start));
    const span = { source, start, end: stop ? start + stop.index : source.text.length };
    const names = splitNames(span);
    if (names.length)
      return names.map((name) => ({ value: spanText(name), spans: [name], score: 0.85, why: ["by-line"] }));
  }
  return [];
}

/** "Ada Lovelace, Grace Hopper and Alan Turing" → three. */
function splitNames(span: Span): Span[] {
  const text = spanText(span);
  const out: Span[] = [];
  let from = 0;
  const put = (to: number): void => {
    const piece = trimSpan({ source: span.source, start: span.start + from, end: span.start + to }, /[\s,;]/u);
    if (piece && /^\p{Lu}[\p{L}.'’-]+(?: [\p{L}.'’-]+){1,4}$/u.test(spanText(piece))) out.push(piece);
  };
  for (const match of text.matchAll(/,\s*(?:and |und |et |y |e )?|;\s*|\s+(?:and|und|et|y|e|&)\s+/gu)) {
    put(match.index);
    from = match.index + match[0].length;
  }
  put(text.length);
  return out;
}

/** Sources after "between" that may name the parties. */
const PARTY_SOURCES = 8;
const opener =
  /^\s*(?:\(?[\dA-Za-z]{1,2}[).]\s*)?(?:(?:by and between|between|zwischen|entre|tra|tussen|and|und|et|y|e|en)\b\s*:?)?\s*(?:(?:the|der|die|dem|den|das|la|le|les|el|los|il|lo|de|het)\s+)?(?:(?:company|firma|société|sociedad)\s+(?=\p{Lu}))?/iu;
const closer =
  /\s*(?:[,;(„“"–—[]|\s-\s|\.\s|\n|$|\s+(?:a|an|ein|eine|une?|una|with|mit|whose|having|located|residing|represented|vertreten|wohnhaft|domiciled|and|und|et|y)\s)/u;

function contractParties(finder: Finder): Candidate[] {
  for (const hit of finder.labels.byLabel.get("parties") ?? []) {
    const phrase = fold(hit.segment.source.text.slice(hit.start, hit.end));
    const { source } = hit.segment;
    const from = finder.view.sources.indexOf(source);
    const spans: Span[] = [];
    for (let i = from; i < Math.min(from + PARTY_SOURCES, finder.view.sources.length) && spans.length < 6; i++) {
      const other = finder.view.sources[i]!;
      if (i > from && (other.element.type === "heading" || other.element.type === "title")) break;
      const start = i === from ? hit.end : 0;
      spans.push(
        ...partiesIn(
          { source: other, start, end: other.text.length },
          i === from && /between|zwlschen|entre|tra|tussen/.test(phrase),
        ),
      );
      if (spans.length >= 2) break;
    }
    const names = joinSpans(spans);
    if (names.length >= 2)
      return names.map((span) => ({
        value: spanText(span).replace(/\s+/g, " "),
        spans: [span],
        score: 0.85,
        why: ["between … and …"],
      }));
  }
  const seen = new Set<string>();
  return finder.parties.flatMap((party) => {
    const name = party.name;
    if (!name || seen.has(name.value)) return [];
    seen.add(name.value);
    return [{ value: name.value, spans: name.spans, score: 0.75, why: [`${party.role} block`] }];
  });
}

function partiesIn(span: Span, sentence: boolean): Span[] {
  const text = spanText(span);
  const out: Span[] = [];
  const put = (from: number, to: number): void => {
    const lead = opener.exec(text.slice(from, to))?.[0].length ?? 0;
    const rest = text.slice(from + lead, to);
    const end = closer.exec(rest);
    const name = trimSpan(
      {
        source: span.source,
        start: span.start + from + lead,
        end: span.start + from + lead + (end ? keepForm(rest, end.index) : rest.length),
      },
      /[\s:;,|•·=–—("„“-]/u,
    );
    if (name && /^\p{Lu}/u.test(spanText(name)) && name.end - name.start >= 3 && name.end - name.start <= 90)
      out.push(name);
  };
  if (
    !sentence &&
    !/^\s*(?:\(?[\dA-Za-z]{1,2}[).]|between|and|und|zwischen|entre)/iu.test(text) &&
    !/^\s*\p{Lu}[^.]{2,90}[,(„“"]/u.test(text) &&
    text.length > 90
  )
    return out;
  // The next party follows the first "and" with a capital after it that is not inside the first one's name
  let from = 0;
  for (const match of text.matchAll(
    /[)“”",;–—\s]\s*(?:and|und|et|y|e|en)\s+(?=(?:the |der |die |dem |la |le |el |il |de )?\p{Lu})/gu,
  )) {
    const before = text.slice(from, match.index);
    if (before.trim().length < 3) continue;
    const plain = !/[,(„“"–—]/u.test(before) && match[0].trim().length <= 3;
    if (plain && /^\s*\p{Lu}\p{L}+$/u.test(before)) continue; // "Smith and Sons Ltd"
    put(from, match.index + 1);
    from = match.index + match[0].length;
    if (out.length >= 2) break;
  }
  put(from, text.length);
  return out.slice(0, 6);
}

/** "Acme, Inc." and "Roe & Co., Ltd." keep their form after the comma. */
function keepForm(text: string, at: number): number {
  const form = /^,?\s*(?:inc|ltd|llc|llp|co|corp|gmbh|limited|s\.a|plc)\b\.?/iu.exec(text.slice(at));
  return form ? at + form[0].length : at;
}
