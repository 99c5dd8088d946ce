// Positioned text of all pages → blocks in reading order. Works on PDF and OCR items alike.
import type { Block, PositionedPage } from "../document.ts";
import { boxOfLines, compose, type Hyphenation, learnHyphenation } from "./compose.ts";
import { findBody, isHeading, levelHeadings } from "./headings.ts";
import { makeLine, makePieces, type TextLine } from "./lines.ts";
import { inReadingOrder } from "./order.ts";
import { type Group, groupLines, joinPieces, Pitches } from "./paragraphs.ts";
import { findRunning } from "./running.ts";
import { wordsOf } from "./words.ts";

export interface Hints {
  /** The document's own outline, where it has one. */
  outline?: { title: string; level: number; page: number | null }[];
}

interface Sheet {
  page: PositionedPage;
  pieces: TextLine[];
}

export function layOut(pages: PositionedPage[], _hints: Hints = {}): Block[] {
  const sheets: Sheet[] = pages.map((page) => {
    const words = wordsOf(page);
    return {
      page,
      pieces: makePieces(
        words.filter((word) => word.rotation === 0),
        page.number,
      ),
    };
  });
  const running = findRunning(
    sheets.map(({ page, pieces }) => ({ number: page.number, width: page.width, height: page.height, pieces })),
    () => false,
  );
  const lines: TextLine[] = [];
  for (const { pieces } of sheets)
    lines.push(...joinPieces(inReadingOrder(pieces.filter((piece) => !running.has(piece)))));
  const hyphenation = learnHyphenation(lines);
  const body = findBody(lines);
  const groups = groupLines(lines, new Pitches(lines));
  const headings = groups.filter((group, i) => isHeading(group, groups[i + 1], body));
  const levels = levelHeadings(headings);
  const blocks = groups.map((group) => toBlock(group, levels, hyphenation));
  return weaveRunning(blocks, running, hyphenation);
}

function toBlock(group: Group, levels: Map<Group, number>, hyphenation: Hyphenation): Block {
  const level = levels.get(group);
  const bbox = boxOfLines(group.lines.filter((line) => line.page === group.lines[0]!.page));
  const page = group.lines[0]!.page;
  if (level !== undefined) return { type: "heading", level, page, bbox, ...compose(group.lines, hyphenation) };
  if (!group.marker) return { type: "paragraph", page, bbox, ...compose(group.lines, hyphenation) };
  const [first, ...rest] = group.lines as [TextLine, ...TextLine[]];
  const bare = { ...first, words: first.words.slice(group.marker.words) };
  return {
    type: "list_item",
    level: 1,
    marker: group.marker.text,
    page,
    bbox,
    ...compose([bare, ...rest], hyphenation),
  };
}

/** Running text goes to the head or the foot of its page's blocks. */
function weaveRunning(blocks: Block[], running: Map<TextLine, "header" | "footer">, hyphenation: Hyphenation): Block[] {
  const byPage = new Map<number, { header: Block[]; footer: Block[] }>();
  for (const [piece, edge] of running) {
    const line = makeLine(piece.words, piece.page);
    const page = byPage.get(piece.page) ?? { header: [], footer: [] };
    byPage.set(piece.page, page);
    page[edge].push({ type: edge, page: piece.page, bbox: boxOfLines([line]), ...compose([line], hyphenation) });
  }
  const woven: Block[] = [];
  const open = new Set<number>();
  let current = -1;
  const close = (): void => void woven.push(...(byPage.get(current)?.footer ?? []));
  for (const block of blocks) {
    if (block.page !== current && !open.has(block.page)) {
      close();
      current = block.page;
      open.add(current);
      woven.push(...(byPage.get(current)?.header ?? []));
    }
    woven.push(block);
  }
  close();
  for (const [page, { header, footer }] of byPage) if (!open.has(page)) woven.push(...header, ...footer);
  return woven;
}
