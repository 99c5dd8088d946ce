// Items of a page → words: one text, one box, one style each. What cannot be seen is dropped here.
import type { Box, PositionedPage, TextItem } from "../document.ts";
import { centreInside, overlapX, overlapY } from "./geometry.ts";

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
  mcid: number;
  confidence: number | undefined;
  url: string | undefined;
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
        url: undefined,
      });
    }
  }
  addLinks(words, page);
  return dropOverprint(addBullets(words, page));
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

/** Height of the strips by which words are looked up under a link. */
const STRIP = 24;

function addLinks(words: PlacedWord[], page: PositionedPage): void {
  if (!page.links.length) return;
  const strips = new Map<number, PlacedWord[]>();
  for (const word of words) {
    const key = Math.floor((word.box[1] + word.box[3]) / 2 / STRIP);
    const strip = strips.get(key);
    if (strip) strip.push(word);
    else strips.set(key, [word]);
  }
  for (const { bbox, url } of page.links) {
    if (!/^(https?|mailto|ftp|tel):/i.test(url) || bbox[3] - bbox[1] > page.height / 2) continue;
    for (let key = Math.floor(bbox[1] / STRIP); key <= Math.floor(bbox[3] / STRIP); key++)
      for (const word of strips.get(key) ?? []) if (centreInside(word.box, bbox)) word.url = url;
  }
}

/** Sides of a drawn bullet, in parts of the font size of the text beside it. */
const BULLET_SIDES = [0.12, 0.75] as const;

const MAX_BULLETS = 300;

/** Bullets drawn as small filled shapes become words in front of the text they mark. */
function addBullets(words: PlacedWord[], page: PositionedPage): PlacedWord[] {
  const dots = page.rects.filter(({ bbox }) => {
    const [width, height] = [bbox[2] - bbox[0], bbox[3] - bbox[1]];
    return width > 0.8 && width < 9 && Math.abs(width - height) < 0.25 * Math.max(width, height);
  });
  // more dots than this are a scatter plot
  if (!dots.length || dots.length > MAX_BULLETS) return words;
  const bullets: PlacedWord[] = [];
  for (const { bbox, fill, stroke } of dots) {
    const middle = (bbox[1] + bbox[3]) / 2;
    let nearest: PlacedWord | undefined;
    let gap = Infinity;
    for (const word of words) {
      if (middle < word.box[1] || middle > word.box[3]) continue;
      const rtl = RTL.test(word.text);
      const distance = rtl ? bbox[0] - word.box[2] : word.box[0] - bbox[2];
      if (distance < gap && distance > 0 && distance < 3 * word.size) {
        nearest = word;
        gap = distance;
      }
    }
    if (!nearest || gap < 0.15 * nearest.size) continue;
    const side = (bbox[2] - bbox[0]) / nearest.size;
    if (side < BULLET_SIDES[0] || side > BULLET_SIDES[1]) continue;
    const text = fill && fill !== "ffffff" ? "•" : stroke || !fill ? "◦" : "";
    if (!text) continue;
    const box: Box = [bbox[0], nearest.box[1], bbox[2], nearest.box[3]];
    bullets.push({ ...nearest, text, box, order: nearest.order - 0.5, glued: false, rotation: 0 });
  }
  if (!bullets.length) return words;
  return [...words, ...bullets].sort((a, b) => a.order - b.order);
}

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
