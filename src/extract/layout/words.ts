// Items of a page → words: one text, one box, one style each. What cannot be seen is dropped here.
import type { Box, PositionedPage, TextItem } from "../document.ts";
import { overlapX, overlapY } from "./geometry.ts";

export interface PlacedWord {
  text: string;
  box: Box;
  size: number;
  bold: boolean;
  italic: boolean;
  font: string;
  color: string;
  rotation: number;
  /** Place in the order the page draws its text. */
  order: number;
  glued: boolean;
  /** More than 0: raised, less: lowered. */
  mcid: number;
  confidence: number | undefined;
}

/** Text smaller than this part of the page's height cannot be read by anyone. */
const MIN_SIZE_SHARE = 0.002;

export function wordsOf(page: PositionedPage): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (const item of page.items) {
    if (item.size < page.height * MIN_SIZE_SHARE) continue;
    const parts = item.words ?? splitItem(item);
    for (const [i, part] of parts.entries()) {
      const text = part.text.trim();
      if (!text || !isOnPage(part.bbox, page)) continue;
      words.push({
        text,
        box: part.bbox,
        size: item.size,
        bold: item.bold ?? false,
        italic: item.italic ?? false,
        font: item.font ?? "",
        color: item.color ?? "000000",
        rotation: item.rotation ?? 0,
        order: words.length,
        glued: i === 0 && (item.glued ?? false),
        mcid: item.mcid ?? -1,
        confidence: item.confidence,
      });
    }
  }
  return dropOverprint(words);
}

const isOnPage = (box: Box, page: PositionedPage): boolean =>
  box[2] > 0 && box[3] > 0 && box[0] < page.width && box[1] < page.height;

/** An item without word boxes is cut at its spaces in proportion to the number of characters. */
function splitItem(item: TextItem): { text: string; bbox: Box }[] {
  if (!/\s/.test(item.text.trim())) return [{ text: item.text, bbox: item.bbox }];
  const [x0, y0, x1, y1] = item.bbox;
  const step = (x1 - x0) / item.text.length;
  return [...item.text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    bbox: [x0 + match.index * step, y0, x0 + (match.index + match[0].length) * step, y1],
  }));
}

/** Bold by printing twice, and shadows: the same word a hair's breadth from one before it. */
function dropOverprint(words: PlacedWord[]): PlacedWord[] {
  const seen = new Map<string, PlacedWord[]>();
  return words.filter((word) => {
    const same = seen.get(word.text);
    if (!same) {
      seen.set(word.text, [word]);
      return true;
    }
    const height = word.box[3] - word.box[1];
    const twin = same.find(
      (other) =>
        Math.abs(other.size - word.size) < 0.2 * word.size &&
        overlapY(other.box, word.box) > 0.8 * height &&
        overlapX(other.box, word.box) > 0.7 * (word.box[2] - word.box[0]),
    );
    if (twin) {
      twin.bold ||= true;
      return false;
    }
    // a page rarely repeats a word more often than this; beyond it the search would grow quadratic
    if (same.length < 200) same.push(word);
    return true;
  });
}
