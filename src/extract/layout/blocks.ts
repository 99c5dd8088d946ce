// Groups of lines → blocks: what each one is, how deep, and with which marker.
import type { Block } from "../document.ts";
import { boxOfLines, compose, type Hyphenation } from "./compose.ts";
import { median } from "./geometry.ts";
import type { Body } from "./headings.ts";
import type { TextLine } from "./lines.ts";
import type { Group } from "./paragraphs.ts";

export interface Look {
  body: Body;
  levels: Map<Group, number>;
  title: Group | null;
  hyphenation: Hyphenation;
  /** The lowest line of ordinary text on each page. */
  floors: Map<number, number>;
}

const CAPTION =
  /^(?:table|tab\.|tabelle|tableau|tabla|tabela|tabella|figure|fig\.?|figura|abbildung|abb\.|chart|exhibit|graph|diagram|listing|algorithm|рис\.?|таблица|جدول|شكل|表|図|图|표|그림)\s*(\S+)/iu;
const CAPTION_NUMBER =
  /^(?:[\p{N}]{1,3}(?:[.\-–]\p{N}{1,3})*|[IVXLC]{1,5}|[A-Z]{1,2}\p{N}{0,3}(?:[.-]\p{N}{1,3})?)[.:)|–—-]*$/u;
const isCaption = (text: string): boolean =>
  text.length <= MAX_CAPTION_CHARACTERS && CAPTION_NUMBER.test(CAPTION.exec(text)?.[1] ?? "");
const MAX_CAPTION_CHARACTERS = 500;
const MONOSPACE = /mono|courier|consol|menlo|typewriter|cmtt|inconsolata|lettergothic|fixed/i;
const NOTE_MARK = /^[\p{N}*†‡§¹²³⁴⁵⁶⁷⁸⁹]{1,3}[.)]?$/u;

export const textOf = (group: Group): string =>
  group.lines.flatMap((line) => line.words.map((word) => word.text)).join(" ");

export function toBlock(group: Group, look: Look): Block {
  const { page } = group.lines[0]!;
  const place = { page, bbox: boxOfLines(group.lines.filter((line) => line.page === page)), ...confidenceOf(group) };
  const level = look.levels.get(group);
  if (group === look.title) return { type: "title", ...place, ...compose(group.lines, look.hyphenation) };
  if (level !== undefined) return { type: "heading", level, ...place, ...compose(group.lines, look.hyphenation) };
  if (isCode(group, look.body)) return { type: "code", ...place, ...composeCode(group.lines) };
  if (isFootnote(group, look)) return { type: "footnote", ...place, ...compose(group.lines, look.hyphenation) };
  if (group.marker) {
    const [first, ...rest] = group.lines as [TextLine, ...TextLine[]];
    const bare = { ...first, words: first.words.slice(group.marker.words) };
    return {
      type: "list_item",
      level: 1,
      marker: group.marker.text,
      ...place,
      ...compose([bare, ...rest], look.hyphenation),
    };
  }
  const composed = compose(group.lines, look.hyphenation);
  return { type: isCaption(composed.text) ? "caption" : "paragraph", ...place, ...composed };
}

function confidenceOf(group: Group): { confidence?: number } {
  let [sum, count] = [0, 0];
  for (const line of group.lines)
    for (const word of line.words)
      if (word.confidence !== undefined) {
        sum += word.confidence * word.text.length;
        count += word.text.length;
      }
  return count ? { confidence: Math.round((sum / count) * 1000) / 1000 } : {};
}

/** Typewriter faces, where the text itself is not set in one. */
const isCode = (group: Group, body: Body): boolean =>
  !MONOSPACE.test(body.font) && group.lines.every((line) => line.words.every((word) => MONOSPACE.test(word.font)));

/** Lines of code are one block as long as no more than an empty line stands between them. */
export function goesOnAsCode(group: Group, next: Group, { body, levels }: Look): boolean {
  if (levels.has(group) || levels.has(next) || !isCode(group, body) || !isCode(next, body)) return false;
  const [a, b] = [group.lines.at(-1)!, next.lines[0]!];
  return a.page === b.page && b.base > a.base && b.base - a.base < 3 * b.size;
}

/** One line of code a line, set in as on the page. */
function composeCode(lines: TextLine[]): Pick<Block, "text" | "words"> {
  const left = Math.min(...lines.map((line) => line.box[0]));
  const wide = median(
    lines.flatMap((line) => line.words.map((word) => (word.box[2] - word.box[0]) / word.text.length)),
  );
  let text = "";
  const words: NonNullable<Block["words"]> = [];
  for (const [i, line] of lines.entries()) {
    if (i > 0) text += "\n";
    let at = left;
    for (const word of line.words) {
      const spaces = Math.max(
        text === "" || text.endsWith("\n") ? 0 : 1,
        Math.round((word.box[0] - at) / Math.max(wide, 0.1)),
      );
      if (!(word.glued && spaces === 1)) text += " ".repeat(Math.min(spaces, 120));
      words.push({ start: text.length, end: text.length + word.text.length, bbox: word.box });
      text += word.text;
      at = word.box[2];
    }
  }
  return { text, words };
}

/** Small print that starts with a mark and stands under all the text of its page. */
function isFootnote(group: Group, { body, floors }: Look): boolean {
  const line = group.lines[0]!;
  if (line.size > 0.93 * body.size || line.base < (floors.get(line.page) ?? 0)) return false;
  const first = line.words[0]!;
  return (
    line.words.length > 1 &&
    (NOTE_MARK.test(first.text) || (first.size < 0.85 * line.size && /^\p{N}/u.test(first.text)))
  );
}

/** The lowest base line on each page of text in the size of the body. */
export function findFloors(groups: Group[], body: Body): Map<number, number> {
  const floors = new Map<number, number>();
  for (const group of groups)
    for (const line of group.lines)
      if (line.size > 0.95 * body.size) floors.set(line.page, Math.max(floors.get(line.page) ?? 0, line.base));
  return floors;
}

/** Depth of list items by how far they are set in, among the items around them. */
export function nestItems(blocks: Block[]): void {
  const stack: number[] = [];
  let previous: Block | undefined;
  for (const block of blocks) {
    if (block.type === "header" || block.type === "footer") continue;
    if (block.type !== "list_item" || !block.bbox) {
      // a paragraph set in as deep as the items belongs to them
      if (
        !(block.type === "paragraph" && block.bbox && previous?.bbox && stack.length && block.bbox[0] > stack[0]! + 4)
      )
        stack.length = 0;
      previous = block;
      continue;
    }
    const rtl = /[\u0590-\u08ff]/.test(block.text);
    const start = rtl ? -block.bbox[2] : block.bbox[0];
    while (stack.length && start < stack.at(-1)! - 3) stack.pop();
    if (!stack.length || start > stack.at(-1)! + 3) stack.push(start);
    block.level = Math.min(stack.length, 8);
    previous = block;
  }
}

/** Ties each caption to the table right beside it. */
export function tieCaptions(blocks: Block[]): void {
  for (const [i, block] of blocks.entries()) {
    if (block.type !== "table" || !block.table) continue;
    const beside = [blocks[i - 1], blocks[i + 1]].find(
      (other) => other?.type === "caption" && /^(tab|table|جدول|таб|表|표)/iu.test(other.text),
    );
    if (beside) block.table.caption = beside.text;
  }
}
