// Positioned text of all pages → blocks in reading order. Works on PDF and OCR items alike.
import type { Block, PositionedPage } from "../document.ts";
import { findFloors, goesOnAsCode, nestItems, tieCaptions, toBlock } from "./blocks.ts";
import { boxOfLines, compose, type Hyphenation, learnHyphenation } from "./compose.ts";
import { findBody, findHeadings, findTitle, levelHeadings } from "./headings.ts";
import { type Hints, headingLines, hintedHeadings } from "./hints.ts";
import { makeLine, type TextLine } from "./lines.ts";
import { type Group, groupLines, Pitches } from "./paragraphs.ts";
import { findRunning } from "./running.ts";
import { type Entry, isTable, orderSheet, readSheet } from "./sheets.ts";
import { continuesTable, joinTables, toTableBlock } from "./table-blocks.ts";
import type { FoundTable } from "./tables.ts";
import { directionOfPage, turnBack, turnPage } from "./turn.ts";

export type { Hints } from "./hints.ts";

export function layOut(pages: PositionedPage[], hints: Hints = {}): Block[] {
  const turns = new Map(
    pages.map((page) => [page.number, { turn: directionOfPage(page), width: page.width, height: page.height }]),
  );
  const sheets = pages.map((page) => readSheet(turnPage(page, turns.get(page.number)!.turn)));
  const running = findRunning(
    sheets.map(({ page, pieces }) => ({ number: page.number, width: page.width, height: page.height, pieces })),
    () => false,
  );
  const entries = sheets.flatMap((sheet) => orderSheet(sheet, (piece) => running.has(piece)));
  const lines = entries.filter((entry): entry is TextLine => !isTable(entry));
  const hyphenation = learnHyphenation(lines);
  const parts = groupEntries(entries, new Pitches(lines), headingLines(hints));
  const blocks = toBlocks(parts, lines, hyphenation, hints);
  nestItems(blocks);
  tieCaptions(blocks);
  return turnBack(weaveRunning(blocks, running, hyphenation), turns);
}

/** Lines become groups; tables stay between them. */
function groupEntries(entries: Entry[], pitches: Pitches, named: (line: TextLine) => string): (Group | FoundTable)[] {
  const parts: (Group | FoundTable)[] = [];
  let run: TextLine[] = [];
  for (const entry of entries) {
    if (!isTable(entry)) run.push(entry);
    else {
      parts.push(...groupLines(run, pitches, named), entry);
      run = [];
    }
  }
  parts.push(...groupLines(run, pitches, named));
  return parts;
}

function toBlocks(parts: (Group | FoundTable)[], lines: TextLine[], hyphenation: Hyphenation, hints: Hints): Block[] {
  const isGroup = (part: Group | FoundTable | undefined): part is Group => !!part && "lines" in part;
  const groups = parts.filter(isGroup);
  const body = findBody(lines);
  const hinted = hintedHeadings(groups, hints);
  const headings = findHeadings(
    parts.map((part) => (isGroup(part) ? part : null)),
    body,
    hinted,
  );
  const title = findTitle(headings, groups, hinted, body);
  const levels = levelHeadings(headings, title, hinted);
  const look = { body, levels, title, hyphenation, floors: findFloors(groups, body) };
  const blocks: Block[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (isGroup(part)) {
      const code = [part];
      for (let next = parts[i + 1]; isGroup(next) && goesOnAsCode(code.at(-1)!, next, look); next = parts[i + 1]) {
        code.push(next);
        i++;
      }
      blocks.push(
        toBlock(code.length > 1 ? { lines: code.flatMap((group) => group.lines), marker: null } : part, look),
      );
      continue;
    }
    const tables = [part];
    for (let next = parts[i + 1]; next && !isGroup(next) && continuesTable(tables.at(-1)!, next); next = parts[i + 1]) {
      tables.push(next);
      i++;
    }
    blocks.push(toTableBlock(joinTables(tables), hyphenation));
  }
  return blocks;
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
