// A line that was read → the text items layout/ works on: words with boxes, upright, in the pixels of the image as sent.
import type { Box, TextItem } from "../document.ts";
import type { Raster, Slant } from "./raster.ts";
import type { Character, ReadLine } from "./read.ts";
import { settle } from "./settle.ts";
import { wordsIn } from "./spaces.ts";

/** Words of one line further apart than this many heights are two items: cells of a row, a label and its amount. */
const SPLIT_GAP = 1.2;
/** The detector's boxes are this much higher than the font size (measured on rendered pages). */
const BOX_PER_SIZE = 1.25;

export interface Place {
  /** Radians, clockwise: slant of the whole page. */
  skew: number;
  /** Pixels of the image as sent per pixel of the image that was read. */
  scale: number;
  image: Raster;
}

interface Word {
  text: string;
  /** Along the line, in its own pixels. */
  from: number;
  to: number;
  confidence: number;
}

export function toItems(line: ReadLine, place: Place): TextItem[] {
  const words = toWords(wordsIn(line).map(settle), line.box.width);
  const items: TextItem[] = [];
  let group: Word[] = [];
  for (const word of words) {
    const last = group.at(-1);
    if (last && word.from - last.to > SPLIT_GAP * line.box.height) {
      items.push(toItem(group, line.box, place));
      group = [];
    }
    group.push(word);
  }
  if (group.length) items.push(toItem(group, line.box, place));
  return items;
}

function toWords(groups: Character[][], length: number): Word[] {
  return groups.map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const half = group.length > 1 ? (last.at - first.at) / (group.length - 1) / 2 : 0.25 / 48;
    return {
      text: plain(group.map((character) => character.text).join("")),
      from: Math.max(0, first.at - half) * length,
      to: Math.min(1, last.at + half) * length,
      confidence: group.reduce((sum, character) => sum + character.confidence, 0) / group.length,
    };
  });
}

/** Full-width punctuation in Latin text is the model's habit, not the page's. */
function plain(text: string): string {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? text : text.normalize("NFKC");
}

function toItem(words: Word[], box: Slant, place: Place): TextItem {
  const letters = words.reduce((sum, word) => sum + word.text.length, 0);
  const placed = words.map((word) => ({ text: word.text, bbox: wordBox(word, box, place) }));
  return {
    text: words.map((word) => word.text).join(" "),
    bbox: [
      Math.min(...placed.map((word) => word.bbox[0])),
      Math.min(...placed.map((word) => word.bbox[1])),
      Math.max(...placed.map((word) => word.bbox[2])),
      Math.max(...placed.map((word) => word.bbox[3])),
    ],
    size: (box.height * place.scale) / BOX_PER_SIZE,
    confidence: words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / letters,
    words: placed,
  };
}

/** The middle of the word, turned back with the page; its slant against the page is ignored. */
function wordBox(word: Word, box: Slant, { skew, scale, image }: Place): Box {
  const along = (word.from + word.to) / 2 - box.width / 2;
  const dx = box.cx + along * Math.cos(box.angle) - image.width / 2;
  const dy = box.cy + along * Math.sin(box.angle) - image.height / 2;
  const x = (dx * Math.cos(skew) + dy * Math.sin(skew) + image.width / 2) * scale;
  const y = (dy * Math.cos(skew) - dx * Math.sin(skew) + image.height / 2) * scale;
  const halfWidth = ((word.to - word.from) / 2) * scale;
  const halfHeight = (box.height / 2 / BOX_PER_SIZE) * 1.1 * scale;
  return [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight];
}

/** Heights of lines in one font differ by a pixel or two with their letters; near ones get one size. */
export function snapSizes(items: TextItem[]): TextItem[] {
  const sizes = items.map((item) => item.size).sort((a, b) => a - b);
  const centres: number[] = [];
  for (let start = 0; start < sizes.length; ) {
    let end = start;
    while (end < sizes.length && sizes[end]! <= sizes[start]! * SAME_SIZE) end++;
    centres.push(sizes[(start + end) >> 1] ?? sizes[start]!);
    start = end;
  }
  const nearest = (size: number) =>
    centres.reduce((best, centre) => (Math.abs(centre - size) < Math.abs(best - size) ? centre : best), centres[0]!);
  return items.map((item) => ({ ...item, size: Math.round(nearest(item.size) * 10) / 10 }));
}

const SAME_SIZE = 1.25;
