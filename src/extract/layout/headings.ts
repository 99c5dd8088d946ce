// Which groups of lines are headings, and on which level.
import { mode, overlapX } from "./geometry.ts";
import type { TextLine } from "./lines.ts";
import type { Group } from "./paragraphs.ts";

export interface Body {
  size: number;
  bold: boolean;
  italic: boolean;
  color: string;
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
  const colors = new Map<string, number>();
  for (const line of own) colors.set(line.color, (colors.get(line.color) ?? 0) + weigh(line));
  const color = [...colors].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "000000";
  return { size, bold: most((line) => line.bold), italic: most((line) => line.italic), color };
}

/** Larger than the text by this factor is a heading by its size alone. */
const LARGER = 1.09;
const MAX_HEADING_CHARACTERS = 220;
const MAX_BOLD_CHARACTERS = 130;

const textOf = (group: Group): string => group.lines.flatMap((line) => line.words.map((word) => word.text)).join(" ");

export function isHeading(group: Group, next: Group | undefined, body: Body): boolean {
  const text = textOf(group);
  const line = group.lines[0]!;
  if (group.marker && !group.marker.ordered) return false;
  if (!/\p{L}/u.test(text) || text.length > MAX_HEADING_CHARACTERS || group.lines.length > 5) return false;
  const larger = line.size / body.size;
  if (larger >= LARGER) return larger >= 1.25 || line.bold || line.color !== body.color || isHeadingText(text);
  if (larger < 0.93 || !line.bold || body.bold) return false;
  if (text.length > MAX_BOLD_CHARACTERS || group.lines.length > 3) return false;
  if (!isHeadingText(text) || !next) return false;
  // a bold line right beside other text is a label, not a heading
  const after = next.lines[0]!;
  return after.page !== line.page || after.base - line.base > 0.5 * line.size || overlapX(after.box, line.box) > 0;
}

const isHeadingText = (text: string): boolean => !/[.,;]$/.test(text) || /^\p{N}+\.$/u.test(text);

/** Depth of a section number: "2" 1, "2.1" 2; 0 without one. */
function depthOf(text: string): number {
  const match = /^(?:§\s*)?(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+\p{L}/u.exec(text);
  return match ? match[1]!.split(".").length : 0;
}

/** Levels 1 to 6 for headings: larger before smaller, bold before plain, "1" before "1.1". */
export function levelHeadings(headings: Group[]): Map<Group, number> {
  const styles = headings.map((group) => {
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
  const keys = [...new Set(styles.map(keyOf))].sort((a, b) => a - b);
  return new Map(styles.map((style) => [style.group, Math.min(6, keys.indexOf(keyOf(style)) + 1)]));
}
