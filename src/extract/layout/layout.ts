// Positioned text of all pages → blocks in reading order. Works on PDF and OCR items alike.
import type { Block, Box, PositionedPage } from "../document.ts";
import { boxOfLines, compose, type Hyphenation, learnHyphenation } from "./compose.ts";
import { findBody, findHeadings, levelHeadings } from "./headings.ts";
import { makeLine, makePieces, type TextLine } from "./lines.ts";
import { inReadingOrder } from "./order.ts";
import { type Group, groupLines, joinPieces, Pitches } from "./paragraphs.ts";
import { findRunning } from "./running.ts";
import { continuesTable, joinTables, toTableBlock } from "./table-blocks.ts";
import { type FoundTable, findTables } from "./tables.ts";
import { wordsOf } from "./words.ts";

export interface Hints {
  /** The document's own outline, where it has one. */
  outline?: { title: string; level: number; page: number | null }[];
}

interface Sheet {
  page: PositionedPage;
  pieces: TextLine[];
  tables: FoundTable[];
}

export function layOut(pages: PositionedPage[], _hints: Hints = {}): Block[] {
  const sheets = pages.map(readSheet);
  const running = findRunning(
    sheets.map(({ page, pieces }) => ({ number: page.number, width: page.width, height: page.height, pieces })),
    () => false,
  );
  const lines: TextLine[] = [];
  const placed = new Map<TextLine, FoundTable>();
  for (const { page, pieces, tables } of sheets) {
    const free = pieces.filter((piece) => !running.has(piece));
    const atoms: (TextLine | TableAtom)[] = [...free, ...tables.map((table) => toAtom(table))];
    let batch: TextLine[] = [];
    for (const atom of inReadingOrder<TextLine | TableAtom>(atoms)) {
      if (!("table" in atom)) {
        batch.push(atom);
        continue;
      }
      lines.push(...joinPieces(batch));
      batch = [];
      // a table keeps its place among the lines by a line of its own
      const stand = {
        ...makeLine(
          atom.table.cells.flatMap((cell) => cell.words),
          page.number,
        ),
        words: [],
      };
      placed.set(stand, atom.table);
      lines.push(stand);
    }
    lines.push(...joinPieces(batch));
  }
  const prose = lines.filter((line) => !placed.has(line));
  const hyphenation = learnHyphenation(prose);
  const body = findBody(prose);
  const pitches = new Pitches(prose);
  const blocks: Block[] = [];
  const groups: (Group | FoundTable)[] = [];
  let run: TextLine[] = [];
  for (const line of lines) {
    const table = placed.get(line);
    if (!table) {
      run.push(line);
      continue;
    }
    groups.push(...groupLines(run, pitches), table);
    run = [];
  }
  groups.push(...groupLines(run, pitches));
  const isGroup = (group: Group | FoundTable | undefined): group is Group => !!group && "lines" in group;
  const headings = findHeadings(
    groups.map((group) => (isGroup(group) ? group : null)),
    body,
  );
  const levels = levelHeadings(headings);
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i]!;
    if (isGroup(group)) {
      blocks.push(toBlock(group, levels, hyphenation));
      continue;
    }
    const parts = [group];
    for (
      let next = groups[i + 1];
      next && !isGroup(next) && continuesTable(parts.at(-1)!, next);
      next = groups[i + 1]
    ) {
      parts.push(next);
      i++;
    }
    blocks.push(toTableBlock(joinTables(parts), hyphenation));
  }
  return weaveRunning(blocks, running, hyphenation);
}

interface TableAtom {
  table: FoundTable;
  box: Box;
  order: number;
  size: number;
  rtl: boolean;
}

function toAtom(table: FoundTable): TableAtom {
  const words = table.cells.flatMap((cell) => cell.words);
  return {
    table,
    box: table.box,
    order: Math.min(...words.map((word) => word.order)),
    size: words[0]!.size,
    rtl: false,
  };
}

function readSheet(page: PositionedPage): Sheet {
  const words = wordsOf(page);
  const upright = words.filter((word) => word.rotation === 0);
  const pieces = makePieces(upright, page.number);
  const tables = findTables(page, words, pieces);
  const inTables = new Set(tables.flatMap((table) => table.cells.flatMap((cell) => cell.words)));
  if (!inTables.size) return { page, pieces, tables };
  return {
    page,
    pieces: makePieces(
      upright.filter((word) => !inTables.has(word)),
      page.number,
    ),
    tables,
  };
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
