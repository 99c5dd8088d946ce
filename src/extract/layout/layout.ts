// Positioned text of all pages → blocks in reading order. Works on PDF and OCR items alike.
import type { Block, PositionedPage } from "../document.ts";
import { boxOfLines, compose, learnHyphenation } from "./compose.ts";
import { makePieces, type TextLine } from "./lines.ts";
import { inReadingOrder } from "./order.ts";
import { type PlacedWord, wordsOf } from "./words.ts";

export interface Hints {
  /** The document's own outline, where it has one. */
  outline?: { title: string; level: number; page: number | null }[];
}

export function layOut(pages: PositionedPage[], _hints: Hints = {}): Block[] {
  const lines: TextLine[] = [];
  for (const page of pages) {
    const words: PlacedWord[] = wordsOf(page);
    lines.push(
      ...inReadingOrder(
        makePieces(
          words.filter((word) => word.rotation === 0),
          page.number,
        ),
      ),
    );
  }
  const hyphenation = learnHyphenation(lines);
  return lines.map((line) => {
    const { text, words, marks } = compose([line], hyphenation);
    return { type: "paragraph", text, page: line.page, bbox: boxOfLines([line]), words, marks };
  });
}
