// Which groups of lines are headings, and on which level.
import { mode, overlapX } from "./geometry.ts";
import type { TextLine } from "./lines.ts";
import type { Group } from "./paragraphs.ts";

export interface Body {
  size: number;
  bold: boolean;
  italic: boolean;
  color: string;
  font: string;
}

/** The look of most of the document's text. */
export function findBody(lines: TextLine[]): Body {
  const weigh = (line: TextLine): number => line.words.reduce((sum, word) => sum + word.text.length, 0);
  const size = mode(
    lines.map((line) => [line.size, weigh(line)]),
    0.5,
  );
  const own = lines.filter((line) => Math.abs(line.size - size) <= 0.3);
  const all = own.reduce((sum, line) => sum + weigh(line), 0);
  const most = (test: (line: TextLine) => boolean): boolean =>
    own.reduce((sum, line) => sum + (test(line) ? weigh(line) : 0), 0) * 2 > all;
  const commonest = (of: (line: TextLine) => string): string | undefined => {
    const weights = new Map<string, number>();
    for (const line of own) weights.set(of(line), (weights.get(of(line)) ?? 0) + weigh(line));
    return [...weights].sort((a, b) => b[1] - a[1])[0]?.[0];
  };
  return {
    size,
    bold: most((line) => line.bold),
    italic: most((line) => line.italic),
    color: commonest((line) => line.color) ?? "000000",
    font: commonest((line) => line.font) ?? "",
  };
}

/** Larger than the text by this factor is a heading by its size alone. */
const LARGER = 1.09;
const MAX_HEADING_CHARACTERS = 220;
const MAX_BOLD_CHARACTERS = 130;

const texts = new WeakMap<Group, string>();

function textOf(group: Group): string {
  let text = texts.get(group);
  if (text === undefined) {
    text = group.lines.flatMap((line) => line.words.map((word) => word.text)).join(" ");
    texts.set(group, text);
  }
  return text;
}

export type Entry = Group | null;

/** The groups that are headings; null stands for a table between them. */
export function findHeadings(entries: Entry[], body: Body, hinted: Map<Group, number>): Group[] {
  const sure = new Set<Group>();
  const quiet = new Map<string, { groups: Group[]; apart: number; other: number }>();
  const common = commonStyles(entries, body);
  for (const [i, group] of entries.entries()) {
    if (!group) continue;
    const loud = isLoud(group, entries[i + 1] ?? undefined, body) && !common.has(styleKey(group.lines[0]!));
    if (hinted.has(group) || loud) {
      sure.add(group);
      continue;
    }
    const lead = group.lines[0]!;
    // the style of the text itself is no style of headings
    if (lead.font === body.font && lead.italic === body.italic && lead.size <= 1.03 * body.size) continue;
    const key = styleKey(lead);
    const style = quiet.get(key) ?? { groups: [], apart: 0, other: 0 };
    quiet.set(key, style);
    if (!isQuiet(group, body)) style.other += textOf(group).length;
    else {
      style.groups.push(group);
      if (isSetApart(group, entries[i - 1] ?? undefined, entries[i + 1] ?? undefined, body)) style.apart++;
    }
  }
  // a quiet style is one of headings where it is used for little else
  for (const { groups, apart, other } of quiet.values()) {
    const own = groups.reduce((sum, group) => sum + textOf(group).length, 0);
    if (apart >= 2 && apart >= 0.5 * groups.length && other <= 0.4 * own) for (const group of groups) sure.add(group);
  }
  return entries.filter((group): group is Group => group !== null && sure.has(group));
}

/** Of the text in the body's size; no style of headings comes near it. */
const COMMON_SHARE = 0.3;

/** Plain styles a little larger than the body that much of the text is set in: on forms and invoices, the entries. */
function commonStyles(entries: Entry[], body: Body): Set<string> {
  const weights = new Map<string, number>();
  let own = 0;
  for (const group of entries) {
    const line = group?.lines[0];
    if (!group || !line) continue;
    const length = textOf(group).length;
    if (Math.abs(line.size - body.size) <= 0.3) own += length;
    else if (!line.bold && line.size < 1.25 * body.size && line.color === body.color)
      weights.set(styleKey(line), (weights.get(styleKey(line)) ?? 0) + length);
  }
  return new Set([...weights].filter(([, weight]) => weight > COMMON_SHARE * own).map(([key]) => key));
}

const LEADERS = /(?:\.\s?){4,}|…{2,}/u;
const styleKey = (line: TextLine): string =>
  `${Math.round(line.size * 2)}|${line.bold}|${line.italic}|${line.font}|${line.color}`;

/** Larger or bolder than the text. */
function isLoud(group: Group, next: Group | undefined, body: Body): boolean {
  const line = group.lines[0]!;
  if ((line.size < LARGER * body.size && !line.bold) || (group.marker && !group.marker.ordered)) return false;
  const text = textOf(group);
  if (!/\p{L}/u.test(text) || text.length > MAX_HEADING_CHARACTERS || group.lines.length > 5 || LEADERS.test(text))
    return false;
  if (AMOUNT_AT_END.test(text)) return false;
  const larger = line.size / body.size;
  if (larger >= LARGER) return larger >= 1.25 || line.bold || line.color !== body.color || isHeadingText(text);
  if (larger < 0.93 || !line.bold || body.bold) return false;
  if (text.length > MAX_BOLD_CHARACTERS || group.lines.length > 3) return false;
  if (!isHeadingText(text) || !next) return false;
  // a bold line right beside other text is a label, not a heading
  const after = next.lines[0]!;
  return after.page !== line.page || after.base - line.base > 0.5 * line.size || overlapX(after.box, line.box) > 0;
}

/** A short line in italics or another font. */
function isQuiet(group: Group, body: Body): boolean {
  const line = group.lines[0]!;
  const text = textOf(group);
  if (group.lines.length > 1 || text.length > 90 || text.length < 3) return false;
  if (!isHeadingText(text) || /[:!?]$/.test(text) || !/^[\p{Lu}\p{Lo}\p{N}([]/u.test(text) || LEADERS.test(text))
    return false;
  if (line.size < 0.97 * body.size || (group.marker && !group.marker.ordered)) return false;
  return (line.italic && !body.italic) || (line.font !== body.font && line.size > 1.03 * body.size);
}

/** Further from the text above than from the text below. */
function isSetApart(group: Group, previous: Group | undefined, next: Group | undefined, body: Body): boolean {
  const line = group.lines[0]!;
  const after = next?.lines[0];
  if (!after || after.page !== line.page || after.base <= line.base || overlapX(after.box, line.box) <= 0) return false;
  if (after.italic !== body.italic || Math.abs(after.size - body.size) > 0.5) return false;
  const below = after.base - line.base;
  const before = previous?.lines.at(-1);
  const above = before && before.page === line.page && before.base < line.base ? line.base - before.base : Infinity;
  return below < 2.2 * line.size && above > 1.15 * below;
}

const isHeadingText = (text: string): boolean => !/[.,;]$/.test(text) || /^\p{N}+\.$/u.test(text);

/** "Total GBP 4,183.20": a line of a sum, however bold. */
const AMOUNT_AT_END = /(?:\d{1,3}(?:[.,]\d{3})+[.,]\d{2}|[€$£¥]\s?\d+[.,]\d{2})$/u;

/** Depth of a section number: "2" 1, "2.1" 2; 0 without one. */
function depthOf(text: string): number {
  const match = /^(?:§\s*)?(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+\p{L}/u.exec(text);
  return match ? match[1]!.split(".").length : 0;
}

/** Levels 1 to 6 for headings: larger before smaller, bold before plain, "1" before "1.1". */
export function levelHeadings(headings: Group[], title: Group | null, hinted: Map<Group, number>): Map<Group, number> {
  const below = headings.filter((group) => group !== title);
  if (!below.length) return new Map();
  const styles = below.map((group) => {
    const line = group.lines[0]!;
    return { group, size: line.size, bold: line.bold, italic: line.italic, depth: depthOf(textOf(group)) };
  });
  const sizes = [...new Set(styles.map((style) => style.size))].sort((a, b) => b - a);
  const rank = new Map<number, number>();
  let current = 0;
  for (const [i, size] of sizes.entries()) {
    if (i > 0 && size < 0.955 * sizes[i - 1]!) current++;
    rank.set(size, current);
  }
  const keyOf = (style: (typeof styles)[number]): number =>
    rank.get(style.size)! * 100 + (style.bold ? 0 : 40) + (style.italic ? 20 : 0) + Math.min(style.depth, 9);
  // the many sizes of a cover page must not use up the levels of the text
  const first = Math.min(...styles.map((style) => style.group.lines[0]!.page));
  const inside = styles.filter((style) => style.group.lines[0]!.page > first);
  const ranked = new Set(inside.map(keyOf));
  const top = Math.min(...styles.map(keyOf));
  const keys = [...new Set(ranked.size >= 3 ? [top, ...ranked] : styles.map(keyOf))].sort((a, b) => a - b);
  const levelOf = (key: number): number => Math.max(1, keys.filter((other) => other <= key).length);
  // under a title the first level of headings is the second of the document
  const shift = title ? 1 : 0;
  const learned = learnLevels(styles.map((style) => ({ key: keyOf(style), level: hinted.get(style.group) })));
  return new Map(
    styles.map((style) => {
      const said = hinted.get(style.group) ?? learned.get(keyOf(style));
      const level = said !== undefined && learned.size ? said : levelOf(keyOf(style));
      return [style.group, Math.max(1, Math.min(6, level + shift))];
    }),
  );
}

/** Share of the headings that the outline or the tags must name for their levels to be taken over. */
const HINTED_SHARE = 0.5;

/** The level that the document itself gives to most headings of a style. */
function learnLevels(headings: { key: number; level: number | undefined }[]): Map<number, number> {
  const said = headings.filter((heading) => heading.level !== undefined);
  const learned = new Map<number, number>();
  if (said.length < Math.max(2, HINTED_SHARE * headings.length)) return learned;
  for (const { key } of said) {
    const own = said.filter((heading) => heading.key === key).map((heading) => heading.level!);
    learned.set(key, Math.max(1, own.sort((a, b) => a - b)[own.length >> 1]!));
  }
  return learned;
}

/** A title is larger than the text by this factor at least. */
const TITLE_SIZE = 1.15;
/** How far into the first page, in groups, a title may stand. */
const TITLE_WITHIN = 12;

/** The largest heading at the head of the first page, where no other heading is as large. */
export function findTitle(headings: Group[], groups: Group[], hinted: Map<Group, number>, body: Body): Group | null {
  const tagged = headings.find((group) => hinted.get(group) === 0);
  if (tagged) return tagged;
  const page = groups[0]?.lines[0]?.page;
  const head = groups.slice(0, TITLE_WITHIN);
  const text = head.findIndex((group) => textOf(group).length > MAX_HEADING_CHARACTERS);
  const before = new Set(text < 0 ? head : head.slice(0, text));
  const first = headings.filter((group) => group.lines[0]!.page === page && before.has(group));
  const sizeOf = (group: Group): number => group.lines[0]!.size;
  const largest = first.reduce<Group | null>(
    (best, group) => (!best || sizeOf(group) > 1.02 * sizeOf(best) ? group : best),
    null,
  );
  if (!largest || sizeOf(largest) < TITLE_SIZE * body.size || hinted.has(largest)) return null;
  const rivals = headings.filter(
    (group) =>
      group !== largest && sizeOf(group) > 0.96 * sizeOf(largest) && group.lines[0]!.bold === largest.lines[0]!.bold,
  );
  return rivals.length ? null : largest;
}
