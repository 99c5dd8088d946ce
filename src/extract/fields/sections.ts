// Text under a heading: the abstract of a paper, the profile of a résumé, the list of skills.

import { type Finder, labelsOf } from "./finder.ts";
import type { LabelId } from "./labels.ts";
import type { Want } from "./plan.ts";
import { type Candidate, joinSpans, type Span, spanText, trimSpan } from "./spans.ts";
import type { Source } from "./view.ts";

/** Sources one section may span. */
const MAX_SECTION_SOURCES = 200;
/** Of a section given as one text. */
const MAX_SECTION_CHARS = 8_000;

export interface Section {
  heading: Source;
  /** Text on the heading's own line, after a colon. */
  inline: Span | null;
  body: Source[];
  weight: number;
}

/** Whether a source reads as a heading: by its type, or as a short line of its own in capitals or with a colon. */
export function isHeading(source: Source, finder: Finder): boolean {
  const { element, text } = source;
  if (source.cell) return false;
  if (element.type === "heading" || element.type === "title") return true;
  if (element.type === "list_item" || text.length > 60 || /[.,;]\s*$/.test(text) || text.includes("\n")) return false;
  const bold = (element.marks ?? []).some((mark) => mark.type === "bold" && mark.end - mark.start >= 0.9 * text.length);
  const capitals = /\p{Lu}{3}/u.test(text) && text === text.toUpperCase() && !/\d/.test(text);
  const hits = finder.labels.bySegment.get(source.segments[0]?.index ?? -1) ?? [];
  const named = hits.some((hit) => hit.end - hit.start >= 0.8 * text.replace(/[\s:]+$/u, "").length);
  return bold || capitals || (named && text.length < 40);
}

/** Sections whose heading bears one of the labels. */
export function sectionsOf(finder: Finder, labels: Map<LabelId, number>): Section[] {
  const out: Section[] = [];
  for (const [id, weight] of labels) {
    for (const hit of (finder.labels.byLabel.get(id) ?? []).slice(0, 40)) {
      const { source } = hit.segment;
      if (source.cell || hit.start - source.segments[0]!.start > 6) continue;
      const own = hit.labels.find((label) => label.id === id)?.weight ?? 1;
      const rest = source.text.slice(hit.end);
      const colon = /^\s*[:：–—.-]\s*/u.exec(rest);
      const heading = rest.trim().length < 12 && isHeading(source, finder);
      if (!heading && !colon) continue;
      const inline = colon
        ? trimSpan({ source, start: hit.end + colon[0].length, end: source.text.length }, /\s/u)
        : null;
      out.push({
        heading: source,
        inline,
        body: heading || !inline ? bodyOf(finder, source) : [],
        weight: weight * own * (heading ? 1 : 0.9),
      });
    }
  }
  return out.sort((a, b) => b.weight - a.weight);
}

export function bodyOf(finder: Finder, heading: Source): Source[] {
  const body: Source[] = [];
  const level =
    heading.element.type === "heading" || heading.element.type === "title" ? (heading.element.level ?? 1) : 9;
  for (let i = heading.index + 1; i < finder.view.sources.length && body.length < MAX_SECTION_SOURCES; i++) {
    const source = finder.view.sources[i]!;
    const { element } = source;
    if (element.type === "header" || element.type === "footer") continue;
    if (element.type === "title" || (element.type === "heading" && (element.level ?? 1) <= level)) break;
    if (level === 9 && isHeading(source, finder)) break;
    if (element.type !== "heading" && looksLikeSibling(source, heading, finder)) break;
    body.push(source);
  }
  return body;
}

/** A line written like the heading that names another section of ours: "EDUCATION" after "EXPERIENCE". */
function looksLikeSibling(source: Source, heading: Source, finder: Finder): boolean {
  if (source.cell || !isHeading(source, finder)) return false;
  const capitals = (text: string): boolean => text === text.toUpperCase();
  const hits = finder.labels.bySegment.get(source.segments[0]?.index ?? -1) ?? [];
  return (
    hits.some((hit) => hit.end - hit.start >= 0.7 * source.text.length) &&
    capitals(source.text) === capitals(heading.text)
  );
}

export function sectionCandidates(want: Want, finder: Finder): Candidate[] {
  const out: Candidate[] = [];
  for (const section of sectionsOf(finder, labelsOf(want)).slice(0, 5)) {
    const spans: Span[] = section.inline ? [section.inline] : [];
    let length = section.inline ? section.inline.end - section.inline.start : 0;
    for (const source of section.body) {
      const span = trimSpan({ source, start: 0, end: source.text.length }, /\s/u);
      if (!span || length + source.text.length > MAX_SECTION_CHARS) break;
      length += source.text.length;
      spans.push(span);
    }
    if (spans.length)
      out.push({
        value: joinSpans(spans).map(spanText).join("\n"),
        spans: joinSpans(spans),
        score: 0.88 * Math.min(1, section.weight),
        why: [`under "${section.heading.text.slice(0, 40)}"`],
      });
  }
  return out;
}
