// What a document says of its own structure, where that can be believed: its outline, and the headings of a tagged PDF.
import type { TextLine } from "./lines.ts";
import type { Group } from "./paragraphs.ts";

export interface Hints {
  /** The document's own outline, where it has one. */
  outline?: { title: string; level: number; page: number | null }[];
  /** Of tagged documents, by page: heading levels of marked content; 0 is the title. */
  tags?: Map<number, { headings: Map<number, number>; known: Set<number> }>;
}

/** Tells the lines that the outline names, and those tagged as headings: neither flows into other text. */
export function headingLines({ outline = [], tags }: Hints): (line: TextLine) => string {
  const titles = new Map<string, (number | null)[]>();
  for (const { title, page } of outline) titles.set(normal(title), [...(titles.get(normal(title)) ?? []), page]);
  return (line) => {
    const level = tags?.get(line.page)?.headings.get(line.words[0]?.mcid ?? -1);
    if (level !== undefined) return `tag ${level} ${line.words[0]!.mcid}`;
    if (!titles.size || line.words.length > 25) return "";
    const key = normal(line.words.map((word) => word.text).join(" "));
    const pages = titles.get(key) ?? titles.get(key.replace(/^\p{N}+/u, ""));
    return pages?.some((page) => page === null || page === line.page) ? `title ${key}` : "";
  };
}

/** Longer than this is a paragraph that was tagged as a heading by mistake. */
const MAX_CHARACTERS = 250;

const normal = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Groups named by the outline or tagged as headings, with their levels; 0 is the title. */
export function hintedHeadings(groups: Group[], { outline = [], tags }: Hints): Map<Group, number> {
  const hinted = new Map<Group, number>();
  if (!outline.length && !tags?.size) return hinted;
  const titles = new Map<string, { level: number; page: number | null }[]>();
  for (const { title, level, page } of outline) {
    const key = normal(title);
    if (key.length > 1) titles.set(key, [...(titles.get(key) ?? []), { level, page }]);
  }
  for (const group of groups) {
    const text = group.lines.flatMap((line) => line.words.map((word) => word.text)).join(" ");
    if (text.length > MAX_CHARACTERS || group.lines.length > 5) continue;
    const tagged = levelOfTags(group, tags);
    if (tagged !== null) hinted.set(group, tagged);
    else if (titles.size) {
      const key = normal(text);
      const page = group.lines[0]!.page;
      const entries = titles.get(key) ?? titles.get(key.replace(/^\p{N}+/u, "")) ?? [];
      // the same words may stand in the table of contents: only the page the outline names counts
      const entry = entries.find((other) => other.page === null || other.page === page);
      if (entry) hinted.set(group, entry.level);
    }
  }
  return hinted;
}

/** The level that most words of the group are tagged with. */
function levelOfTags(group: Group, tags: Hints["tags"]): number | null {
  const page = tags?.get(group.lines[0]!.page);
  if (!page?.headings.size) return null;
  let [tagged, all] = [0, 0];
  let level = 6;
  for (const line of group.lines)
    for (const word of line.words) {
      all++;
      const own = page.headings.get(word.mcid);
      if (own === undefined) continue;
      tagged++;
      level = Math.min(level, own);
    }
  return tagged > 0.6 * all ? level : null;
}
