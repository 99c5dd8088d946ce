// The text a label points to: the rest of its line, the segment at its right, the line or element below it.

import { type Finder, labelsOf } from "./finder.ts";
import type { Hit, Relation } from "./labels.ts";
import { lineBelow } from "./parties.ts";
import type { Want } from "./plan.ts";
import { type Span, segmentSpan, trimSpan } from "./spans.ts";
import type { Segment } from "./view.ts";

/** Hits of one label that are followed: the first ones are the document's own fields, the rest is running text. */
const MAX_HITS = 60;
export function hitsOf(want: Want, finder: Finder): { hit: Hit; weight: number }[] {
  const out: { hit: Hit; weight: number }[] = [];
  for (const [id, weight] of labelsOf(want)) {
    for (const hit of (finder.labels.byLabel.get(id) ?? []).slice(0, MAX_HITS)) {
      const own = hit.labels.find((label) => label.id === id)?.weight ?? 1;
      out.push({ hit, weight: Math.min(1.1, weight * own) });
    }
  }
  return out;
}

export const described = (want: Want, hit: Hit, relation: string): string[] => [
  `${relation} of "${hit.segment.source.text.slice(hit.start, hit.end)}"`,
  want.reads,
];

export interface Beside {
  span: Span;
  segment: Segment;
  relation: Relation;
  weight: number;
}

const lead = /[\s:：;,|•·=.\-–—)>]/u;

/** A label is followed by a sign that parts it from its value, or its value starts like one. */
const parted = /^\s*(?:\([^)]{0,30}\)|\.)?\s*(?:[:：=|#]|[-–—]\s|no\.?\s*:?|n[°º]\s*:?)/iu;

/** Whether the line is nothing but labels: then it is a label of something else, not a value. */
export function isLabelOnly(finder: Finder, segment: Segment): boolean {
  const hits = finder.labels.bySegment.get(segment.index) ?? [];
  if (!hits.length) return false;
  const covered = hits.reduce((sum, hit) => sum + (hit.end - hit.start), 0);
  const letters = segment.text.replace(/[\s:：.()/#-]/gu, "").length;
  return covered >= 0.8 * letters || /[:：]\s*$/u.test(segment.text);
}

export function textBeside(finder: Finder, hit: Hit): Beside[] {
  const out: Beside[] = [];
  const { segment } = hit;
  const before = hit.start - segment.start;
  const heads = before <= 2 ? 1 : before <= 12 ? 0.7 : 0.45;
  const next = (finder.labels.bySegment.get(segment.index) ?? []).find(
    (other) => other.start >= hit.end + 2 && startsKey(other),
  );
  const rest = segment.source.text.slice(hit.end, next?.start ?? segment.end);
  const sign = parted.exec(rest);
  const from = hit.end + (sign ? sign[0].length : 0);
  const inline = trimSpan({ source: segment.source, start: from, end: next?.start ?? segment.end }, lead);
  // "governed by the laws of …": the label is the start of a sentence that the value ends
  const leadsIn =
    /(?:of|by|on|from|in|between|de|du|di|der|des|von|vom|del|van|el|le|am|zum|ab)$/iu.test(
      segment.source.text.slice(hit.start, hit.end),
    ) && hit.size > 6;
  if (inline && leadsIn) {
    const article = /^(?:the|der|die|das|dem|la|le|les|el|los|il|lo|het|de)\s+/iu.exec(
      segment.source.text.slice(inline.start, inline.end),
    );
    const end = next ? inline.end : runOn(segment, inline.end);
    out.push({
      span: { ...inline, start: inline.start + (article?.[0].length ?? 0), end },
      segment,
      relation: "inline",
      weight: 0.95,
    });
    return out;
  }
  if (inline) {
    // A paragraph that wraps: the value runs on to the end of the sentence, as far as the source goes
    out.push({ span: inline, segment, relation: "inline", weight: heads * (sign ? 1 : 0.55) });
    if (sign) return out;
  }
  const right = finder.view.rows[segment.row]?.[segment.column + 1];
  if (
    right &&
    !inline &&
    !(right.box && segment.box && right.box[0] - segment.box[2] > 25 * Math.max(segment.height, 1))
  ) {
    const span = trimSpan(segmentSpan(right), lead);
    if (span && !isLabelOnly(finder, right))
      out.push({ span, segment: right, relation: "right", weight: heads * 0.97 });
  }
  const below = lineBelow(finder.view, segment);
  if (below && !inline) {
    const span = trimSpan(segmentSpan(below), lead);
    if (span && !isLabelOnly(finder, below))
      out.push({ span, segment: below, relation: segment.source.cell ? "header" : "below", weight: heads * 0.85 });
  }
  return out;
}

/** Where the text of a wrapped paragraph goes on after the end of its line: to the end of the source. */
function runOn(segment: Segment, end: number): number {
  const { segments } = segment.source;
  let to = end;
  for (let i = segments.indexOf(segment) + 1; i > 0 && i < segments.length && segments[i]!.wraps; i++)
    to = segments[i]!.end;
  return to;
}

/** A label in the middle of a line starts a new pair only if a colon or a value follows: "Tel: 1234 Fax: 5678". */
function startsKey(hit: Hit): boolean {
  const rest = hit.segment.source.text.slice(hit.end, hit.end + 6);
  return hit.labels.some((label) => label.weight === 1) && /^\s*(?:no|nr)?\.?\s*[:：#]/iu.test(rest);
}
