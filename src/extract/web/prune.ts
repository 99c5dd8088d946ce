// Takes out of an article's blocks the lines that belong to the page around it. Looks at what a block says, how much of it is links,
// and where it stands; never at a single site.

import type { Block } from "../document.ts";
import { textLength } from "./measure.ts";
import { ago, appeal, byline, counter, credit, dateline, pointer, readingTime, updated } from "./phrases.ts";

export interface PruneHints {
  title: string | null;
  authors: string[];
  baseUrl: string | null;
  keepLinks?: boolean;
}

// Sentences of an article are longer than this; what is shorter may be a label.
const PROSE_CHARS = 80;
// Appeals and pointers are short; a paragraph that merely mentions a newsletter is not one.
const SHORT_CHARS = 320;
// The same line this often is a caption or a separator that the template repeats.
const REPEATS = 3;

export function pruneBlocks(blocks: Block[], hints: PruneHints): Block[] {
  const folded = foldCaptions(blocks);
  const kept = trimEnds(dropRepeats(dropPruned(folded, hints)), hints);
  // Where hardly anything would be left, the links and lines are what the page is about.
  return amount(kept) < amount(folded) * LEAST_LEFT && kept.filter(prose).length < 2 ? folded : kept;
}

const LEAST_LEFT = 0.4;

const amount = (blocks: Block[]): number =>
  blocks.reduce(
    (sum, block) => sum + (block.type === "table" ? (block.table?.cells.length ?? 0) * 5 : block.text.length),
    0,
  );

const prose = (block: Block): boolean =>
  block.type === "paragraph" && textLength(block.text) >= PROSE_CHARS && linked(block) < 0.5;

/** Share of the text inside links. */
export function linked(block: Block): number {
  let covered = 0;
  for (const mark of block.marks ?? []) if (mark.type === "link") covered += mark.end - mark.start;
  return block.text.length === 0 ? 0 : covered / block.text.length;
}

/** A caption becomes the words of the figure beside it: it is seen with the picture, it is not part of the running text. */
function foldCaptions(blocks: Block[]): Block[] {
  const kept: Block[] = [];
  for (const [i, block] of blocks.entries()) {
    const caption =
      block.type === "caption" ? blocks[i + 1]?.type !== "table" : isCredited(block, kept.at(-1), blocks[i + 1]);
    if (!caption) {
      kept.push(block);
      continue;
    }
    const next = blocks[i + 1];
    const figure = kept.at(-1)?.type === "figure" ? kept.at(-1) : next?.type === "figure" ? next : null;
    if (figure) figure.text = block.text.replace(/\s+/g, " ");
  }
  return kept;
}

const creditAtEnd =
  /\((?:credits?|photos?|images?|picture|foto|bild|via|source|courtesy)\b[^)]{0,80}\)\s*$|(?:photos?|images?|fotos?)\s*(?:by|:|©)[^.]{0,60}$|©[^.]{0,60}$/i;

/** A line beside a picture that ends with whose picture it is. */
function isCredited(block: Block, before: Block | undefined, after: Block | undefined): boolean {
  if (block.type !== "paragraph" || (before?.type !== "figure" && after?.type !== "figure")) return false;
  return block.text.length < SHORT_CHARS && creditAtEnd.test(block.text.trim());
}

// An article that has links on lines of their own this often is about them: deals, resources, a directory.
const MOST_LINK_RUNS = 6;

const isLinkLine = (block: Block): boolean =>
  (block.type === "list_item" || block.type === "paragraph") && linked(block) > 0.8;

function countLinkRuns(blocks: Block[]): number {
  const last = blocks.findLastIndex(prose);
  return blocks.filter((block, i) => i < last && isLinkLine(block) && !(blocks[i - 1] && isLinkLine(blocks[i - 1]!)))
    .length;
}

function dropPruned(blocks: Block[], given: PruneHints): Block[] {
  const hints = { ...given, keepLinks: countLinkRuns(blocks) > MOST_LINK_RUNS };
  const kept: Block[] = [];
  /** Whether everything since the last kept heading was dropped, so that the heading stands over nothing. */
  let droppedUnder = false;
  const endSection = () => {
    if (droppedUnder && kept.at(-1)?.type === "heading") kept.pop();
    droppedUnder = false;
  };
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!;
    if (block.type === "heading") {
      endSection();
      const next = blocks[i + 1];
      if (isPruned(block, hints) && !(next && prose(next))) {
        droppedUnder = false;
        i = skipSection(blocks, i);
      } else kept.push(block);
      continue;
    }
    let end = block.type === "list_item" ? endOfList(blocks, i) : i + 1;
    const piece = blocks.slice(i, end);
    const pruned = block.type === "list_item" ? isLinkList(piece, hints) : isPruned(block, hints);
    if (pruned) {
      droppedUnder = true;
      if (block.type === "paragraph" && pointer.test(block.text)) end = endOfPointed(blocks, end);
    } else {
      const rest = piece.filter((item) => item.type !== "list_item" || !isPruned(item, hints));
      for (const item of rest) kept.push(item);
      if (rest.some((item) => item.type !== "figure")) droppedUnder = false;
    }
    i = end - 1;
  }
  endSection();
  return kept;
}

function endOfList(blocks: Block[], from: number): number {
  let end = from;
  while (blocks[end]?.type === "list_item") end++;
  return end;
}

/** Under a heading such as "Related" the links, teasers and lists that follow go with it; prose ends that. */
function skipSection(blocks: Block[], from: number): number {
  let i = from + 1;
  while (i < blocks.length) {
    const block = blocks[i]!;
    if (block.type === "heading" || prose(block) || block.type === "table" || block.type === "code") break;
    const limit = /[.!?…"”»。]$/.test(block.text.trim()) ? 0.8 : 0.5;
    if (block.type === "paragraph" && linked(block) < limit) break;
    i++;
  }
  return i - 1;
}

/** The list that a line such as "More stories" stands over. */
function endOfPointed(blocks: Block[], from: number): number {
  const end = endOfList(blocks, from);
  return blocks.slice(from, end).every((item) => linked(item) > 0) ? end : from;
}

const isLinkList = (items: Block[], hints: PruneHints): boolean =>
  items.every((item) => linked(item) > 0.8 && item.text.length < 200 && staysOnSite(item, hints));

/** Its links lead to pages of the same site: pointers to other articles, where links elsewhere may be what the article is about. */
function staysOnSite(block: Block, { baseUrl, keepLinks }: PruneHints): boolean {
  if (keepLinks) return false;
  const home = siteOf(baseUrl ?? "");
  const links = (block.marks ?? []).filter((mark) => mark.type === "link" && /^https?:/i.test(mark.url ?? ""));
  return links.every((mark) => siteOf(mark.url ?? "") === home);
}

/** The last two labels of the host, three where the second is a general one ("co.uk"). */
function siteOf(url: string): string {
  const labels = (/^https?:\/\/([^/:?#]+)/i.exec(url)?.[1] ?? "").toLowerCase().split(".");
  const general = /^(?:co|com|org|net|gov|ac|edu)$/.test(labels.at(-2) ?? "") && (labels.at(-1) ?? "").length === 2;
  return labels.slice(general ? -3 : -2).join(".");
}

function isPruned(block: Block, hints: PruneHints): boolean {
  const text = block.text.trim();
  if (block.type === "table" || block.type === "code" || block.type === "figure" || block.type === "formula")
    return false;
  if (text.length > SHORT_CHARS) return false;
  const share = linked(block);
  if (block.type === "heading" && block.level === 1 && isTitle(block, hints)) return true;
  if (block.type === "heading" && share > 0.9 && staysOnSite(block, hints)) return true;
  if (block.type === "heading") return text.length < 80 && pointer.test(text) && share < 2 && isBarePointer(text);
  if (pointer.test(text) && (share > 0.4 || isBarePointer(text))) return true;
  if (block.type === "paragraph" && share > 0.9 && block.role !== "quote" && staysOnSite(block, hints)) return true;
  if (isAppeal(text, share)) return true;
  if (credit.test(text) && text.length < 160) return true;
  if (isStamp(text)) return true;
  return isAuthorLine(text, hints);
}

/** Begins with it, or offers a link; the same words deep in a sentence are only words. */
function isAppeal(text: string, share: number): boolean {
  const found = appeal.exec(text);
  if (!found) return false;
  return share > 0.3 || (text.length < 160 && (share > 0 || found.index < 30));
}

/** Nothing but the pointer: "Related stories", "Read more". */
const isBarePointer = (text: string): boolean => text.split(/\s+/).length <= 6 && !/[^.][.!]$/.test(text);

const isStamp = (text: string): boolean =>
  text.length < 120 &&
  !/[^.]\.$/.test(text) &&
  (counter.test(text) ||
    dateline.test(text) ||
    updated.test(text) ||
    ago.test(text) ||
    readingTime.test(text) ||
    byline.test(text));

function isAuthorLine(text: string, { authors }: PruneHints): boolean {
  const lower = text.toLowerCase();
  return authors.some((author) => {
    const name = author.toLowerCase();
    if (name.length < 4 || !lower.includes(name)) return false;
    return text.length < name.length + 30 && !/[.!?”"]$/.test(text);
  });
}

/** The same line under picture after picture is their caption. */
function dropRepeats(blocks: Block[]): Block[] {
  const counts = new Map<string, number>();
  const atFigure = (i: number) => blocks[i - 1]?.type === "figure" || blocks[i + 1]?.type === "figure";
  for (const [i, { type, text }] of blocks.entries())
    if (type === "paragraph" && atFigure(i)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return blocks.filter(({ type, text }) => type !== "paragraph" || (counts.get(text) ?? 0) < REPEATS);
}

/** Before the first and after the last paragraph of prose, only what plainly belongs to the article stays. */
function trimEnds(blocks: Block[], hints: PruneHints): Block[] {
  const first = blocks.findIndex(prose);
  const last = blocks.findLastIndex(prose);
  if (first < 0) return blocks.filter((block) => !isTitle(block, hints));
  return blocks.filter((block, i) => {
    if (i < first) return belongsBefore(block, hints);
    if (i >= blocks.length - BIO_WITHIN && isBio(block, hints)) return false;
    if (i > last) return belongsAfter(block, blocks.slice(i + 1));
    return true;
  });
}

// Who wrote it stands in the last lines.
const BIO_WITHIN = 3;

const isBio = ({ type, text }: Block, { authors }: PruneHints): boolean =>
  type === "paragraph" &&
  text.length < 500 &&
  authors.some((author) => author.includes(" ") && text.startsWith(author));

function belongsBefore(block: Block, hints: PruneHints): boolean {
  if (isTitle(block, hints) || (block.type === "heading" && block.level === 1)) return false;
  if (block.type === "list_item") return linked(block) < 0.5 && block.text.length > 30;
  if (block.type === "paragraph")
    return (
      linked(block) < (textLength(block.text) >= PROSE_CHARS ? 0.9 : 0.6) &&
      (textLength(block.text) >= 20 || /[.!?…:"”»。？！]$/.test(block.text.trim()))
    );
  return true;
}

function belongsAfter(block: Block, rest: Block[]): boolean {
  if (block.type === "heading") return rest.some((next) => next.type !== "heading" && next.type !== "figure");
  if (block.type === "list_item") return linked(block) < 0.6;
  if (block.type === "paragraph")
    return linked(block) < 0.6 && (textLength(block.text) >= 20 || /[.!?…"”»。？！)]$/.test(block.text.trim()));
  return true;
}

/** The title again, as heading or line; it is the document's title already. */
function isTitle(block: Block, { title }: PruneHints): boolean {
  if (!title || (block.type !== "heading" && block.type !== "paragraph")) return false;
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const a = words(title);
  const b = words(block.text);
  const common = [...b].filter((word) => a.has(word)).length;
  // A first sentence may say what the title says; only the title itself goes.
  if (block.type === "paragraph" && /[.!?…"”»。]$/.test(block.text.trim()))
    return common === a.size && common === b.size;
  return b.size > 0 && common >= b.size * 0.75 && common >= a.size * 0.5;
}
