// The characters of a PDF page → words with box, font and style, in the order the page draws them.
// PDFium already drops glyphs printed twice (fake bold) and puts right-to-left words into logical order.
import type { Box, TextItem } from "../document.ts";
import type { PdfFile, Pdfium } from "./pdf-engine.ts";
import { readString } from "./pdf-engine.ts";

/** Page space of the PDF (origin bottom left, unrotated) → ours (origin top left, upright). */
export interface Upright {
  point(x: number, y: number): [number, number];
  rotation: 0 | 90 | 180 | 270;
  /** Of the page's box; all that an unturned page needs. */
  left: number;
  top: number;
}

interface Style {
  size: number;
  font: string;
  bold: boolean;
  italic: boolean;
  color: string;
  rotation: number;
  mcid: number;
  hidden: boolean;
}

/** A page of dense small print has some 20,000 characters; more than this is an attack or a plot. */
const MAX_CHARACTERS = 200_000;
/** Part of the font size above and below the baseline that a word's box covers. */
const ASCENT = 0.8;
const DESCENT = 0.22;
/** A gap wider than this part of the font size ends a word even where PDFium puts no space; ligatures claim too little room. */
const WORD_GAP = 0.6;
/** Text smaller than this is not meant to be read. */
const MIN_SIZE = 1.5;
const INVISIBLE = 3;
/** Visible words for each invisible one, below which the invisible ones are the text layer of a scan. */
const HIDDEN_LAYER = 0.2;

export function readText(file: PdfFile, page: number, upright: Upright, fonts: Map<number, FontFace>): TextItem[] {
  const { pdfium, scratch } = file;
  const text = pdfium._FPDFText_LoadPage!(page);
  if (!text) return [];
  // called for every character of the document
  const getUnicode = pdfium._FPDFText_GetUnicode!;
  const getObject = pdfium._FPDFText_GetTextObject!;
  const getBox = pdfium._FPDFText_GetLooseCharBox!;
  const getOrigin = pdfium._FPDFText_GetCharOrigin!;
  const [floats, doubles] = [scratch >> 2, scratch >> 3];
  const count = Math.min(pdfium._FPDFText_CountChars!(text), MAX_CHARACTERS);
  const styles = new Map<number, Style>();
  const items: TextItem[] = [];
  const hidden: TextItem[] = [];
  const word = new WordBuilder(items, hidden);
  let [lastObject, style]: [number, Style | undefined] = [0, undefined];
  for (let i = 0; i < count; i++) {
    const code = getUnicode(text, i);
    // PDFium's own line breaks have no object; a glyph without a name may have the code of one
    const object = isSpace(code) ? 0 : getObject(text, i);
    if (!object) {
      word.end();
      continue;
    }
    if (object !== lastObject || !style) {
      style = styles.get(object);
      if (!style) {
        style = readStyle(file, text, i, object, upright, fonts);
        styles.set(object, style);
      }
      lastObject = object;
    }
    getBox(text, i, scratch);
    const heap = pdfium.HEAPF32;
    let [x0, y0, x1, y1] = [
      heap[floats]! - upright.left,
      upright.top - heap[floats + 1]!,
      heap[floats + 2]! - upright.left,
      upright.top - heap[floats + 3]!,
    ];
    if (upright.rotation !== 0) {
      [x0, y0] = upright.point(heap[floats]!, heap[floats + 1]!);
      [x1, y1] = upright.point(heap[floats + 2]!, heap[floats + 3]!);
    }
    if (word.needsOrigin(style)) {
      getOrigin(text, i, scratch, scratch + 8);
      const [ox, oy] = upright.point(pdfium.HEAPF64[doubles]!, pdfium.HEAPF64[doubles + 1]!);
      word.setOrigin(ox, oy);
    }
    word.add(code, style, [x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 : x0, y0 < y1 ? y1 : y0]);
  }
  word.end();
  pdfium._FPDFText_ClosePage!(text);
  turnNumbers(items, word.numbers);
  // the text under a scan is invisible, and all the text there is; elsewhere what cannot be seen is not read
  return items.length < HIDDEN_LAYER * hidden.length ? hidden : items;
}

const isSpace = (code: number): boolean =>
  code === 0x20 ||
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  code === 0 ||
  code === 0xa0 ||
  (code >= 0x2000 && code <= 0x200b) ||
  code === 0x3000 ||
  code === 0xfeff;

/** Collects characters until a space, a gap or another style ends the word. */
class WordBuilder {
  private readonly items: TextItem[];
  private readonly hidden: TextItem[];
  private codes: number[] = [];
  private boxes: Box[] = [];
  private style: Style | undefined;
  private origin: [number, number] = [0, 0];
  /** Of the character about to be added, where its style begins. */
  private nextOrigin: [number, number] = [0, 0];
  private box: Box = [0, 0, 0, 0];
  private glued = false;
  private open = false;
  /** Places in items of words of digits and signs only. */
  readonly numbers: number[] = [];

  constructor(items: TextItem[], hidden: TextItem[]) {
    this.items = items;
    this.hidden = hidden;
  }

  /** The characters of one text object stand on one line: only its first one is asked where that is. */
  needsOrigin(style: Style): boolean {
    return !this.codes.length || style !== this.style;
  }

  setOrigin(x: number, y: number): void {
    this.nextOrigin = [x, y];
  }

  add(code: number, style: Style, box: Box): void {
    const known = this.codes.length > 0 && style === this.style;
    const origin = known ? this.origin : this.nextOrigin;
    if (this.codes.length) {
      const same = known || sameStyle(style, this.style!);
      const apart = this.isApart(box, origin, style);
      if (apart || !same) {
        this.flush();
        this.glued = !apart;
      } else this.style = style;
    } else this.glued = this.open && !this.isApart(box, origin, style);
    if (!this.codes.length) {
      this.style = style;
      this.origin = origin;
      this.box = [...box];
    }
    this.codes.push(code);
    this.boxes.push(box);
    const all = this.box;
    if (box[0] < all[0]) all[0] = box[0];
    if (box[1] < all[1]) all[1] = box[1];
    if (box[2] > all[2]) all[2] = box[2];
    if (box[3] > all[3]) all[3] = box[3];
  }

  /** A space was met: the next word is not glued to this one. */
  end(): void {
    this.flush();
    this.open = false;
  }

  private isApart(box: Box, origin: [number, number], style: Style): boolean {
    const gap = WORD_GAP * Math.max(style.size, 1);
    const step = 0.7 * Math.max(style.size, this.style?.size ?? 0);
    if (style.rotation % 180 === 0)
      return box[0] - this.box[2] > gap || this.box[0] - box[2] > gap || Math.abs(origin[1] - this.origin[1]) > step;
    return box[1] - this.box[3] > gap || this.box[1] - box[3] > gap || Math.abs(origin[0] - this.origin[0]) > step;
  }

  private flush(): void {
    const { style } = this;
    if (this.codes.length && style && style.size >= MIN_SIZE) {
      const parts = decode(this.codes, this.boxes);
      const box = this.place(style);
      for (const [i, text] of parts.entries()) {
        if (!text) continue;
        const item: TextItem = { text, bbox: parts.length > 1 ? part(box, parts, i) : box, size: round(style.size) };
        if (style.font) item.font = style.font;
        if (style.bold) item.bold = true;
        if (style.italic) item.italic = true;
        if (style.rotation) item.rotation = style.rotation;
        if (style.color !== "000000") item.color = style.color;
        if (style.mcid >= 0) item.mcid = style.mcid;
        if (this.glued && i === 0) item.glued = true;
        if (style.hidden) {
          this.hidden.push(item);
          continue;
        }
        if (parts.length === 1 && /\p{N}/u.test(text) && !/\p{L}/u.test(text)) this.numbers.push(this.items.length);
        this.items.push(item);
      }
    }
    this.open = this.codes.length > 0;
    this.codes = [];
    this.boxes = [];
  }

  /** The box from ascender to descender around the baseline, whatever the font claims of itself. */
  private place(style: Style): Box {
    const [x0, y0, x1, y1] = this.box;
    const [ox, oy] = this.origin;
    const up = ASCENT * style.size;
    const down = DESCENT * style.size;
    if (style.rotation === 90) return rounded([ox - down, y0, ox + up, y1]);
    if (style.rotation === 270) return rounded([ox - up, y0, ox + down, y1]);
    if (style.rotation === 180) return rounded([x0, oy - down, x1, oy + up]);
    if (style.rotation === 0) return rounded([x0, oy - up, x1, oy + down]);
    return rounded([x0, y0, x1, y1]);
  }
}

/** A number and the right-to-left word left of it share the box by their length. */
function part(box: Box, parts: string[], i: number): Box {
  const share = parts[0]!.length / (parts[0]!.length + parts[1]!.length);
  const cut = round(box[2] - share * (box[2] - box[0]));
  return i === 0 ? [cut, box[1], box[2], box[3]] : [box[0], box[1], cut, box[3]];
}

const round = (value: number): number => Math.round(value * 100) / 100;
const rounded = (box: Box): Box => [round(box[0]), round(box[1]), round(box[2]), round(box[3])];

const sameStyle = (a: Style, b: Style): boolean =>
  a.font === b.font && a.size === b.size && a.rotation === b.rotation && a.mcid === b.mcid && a.hidden === b.hidden;

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/**
 * One glyph may stand for several characters (lam-alef). PDFium turns a right-to-left run round character by
 * character, so those of one glyph come out backwards: they share one box, and are turned again.
 */
function decode(codes: number[], boxes: Box[]): string[] {
  // a sign of a symbol font by itself, without a name: a bullet
  if (codes.length === 1 && codes[0]! < 0x20) return ["•"];
  if (codes.every((code) => code > 0x20 && code < 0x300 && code !== 0xad)) return [String.fromCharCode(...codes)];
  const characters: { text: string; box: Box }[] = [];
  let rtl = false;
  for (let i = 0; i < codes.length; i++) {
    const character = toCharacter(codes[i]!);
    let last = i;
    if (RTL.test(character)) {
      rtl = true;
      while (last + 1 < codes.length && isOneGlyph(i, last + 1, codes, boxes)) last++;
    }
    for (let k = last; k >= i; k--) characters.push({ text: toCharacter(codes[k]!), box: boxes[k]! });
    i = last;
  }
  if (rtl) settleMarks(characters);
  const text = characters.map((character) => character.text).join("");
  return (rtl ? splitNumber(turnSigns(sortClusters(characters))) : [text]).map((part) => part.normalize("NFC"));
}

/** Digits and signs among right-to-left letters, by their place from right to left; the letters keep PDFium's order. */
function sortClusters(characters: { text: string; box: Box }[]): string {
  const clusters: { text: string; kind: string; box: Box }[] = [];
  for (const { text, box } of characters) {
    const kind = /[\p{L}\p{M}]/u.test(text) ? "letters" : /\p{N}/u.test(text) ? "digits" : "sign";
    const last = clusters.at(-1);
    if (last && last.kind === kind && kind !== "sign") {
      last.text += text;
      last.box = [Math.min(last.box[0], box[0]), last.box[1], Math.max(last.box[2], box[2]), last.box[3]];
    } else clusters.push({ text, kind, box });
  }
  const sorted = [...clusters].sort((a, b) => b.box[0] + b.box[2] - a.box[0] - a.box[2]);
  // letters of sloping scripts reach over each other: then their places say nothing
  const apart = sorted.every((cluster, i) => i === 0 || cluster.box[2] <= sorted[i - 1]!.box[0] + 0.6);
  return (apart ? sorted : clusters).map((cluster) => cluster.text).join("");
}

const MIRROR: Record<string, string> = {
  ")": "(",
  "]": "[",
  "}": "{",
  "»": "«",
  "(": ")",
  "[": "]",
  "{": "}",
  "«": "»",
};

/** Brackets of right-to-left text are often named by their look: in front of a word they open, behind it they close. */
const turnSigns = (text: string): string =>
  text
    .replace(/^[^\p{L}\p{N}]+/u, (signs) => signs.replace(/[)\]}»]/g, (sign) => MIRROR[sign]!))
    .replace(/[^\p{L}\p{N}\p{M}]+$/u, (signs) => signs.replace(/[([{«]/g, (sign) => MIRROR[sign]!));

/** A vowel point shares the place of the letter it stands on, and comes after it. */
function settleMarks(characters: { text: string; box: Box }[]): void {
  for (let i = 0; i + 1 < characters.length; i++) {
    const [mark, letter] = [characters[i]!, characters[i + 1]!];
    if (!/^\p{M}$/u.test(mark.text) || !/^\p{L}/u.test(letter.text)) continue;
    if (mark.box[0] !== letter.box[0]) continue;
    characters[i] = letter;
    characters[i + 1] = mark;
    i++;
  }
}

/** Numbers with signs in right-to-left lines, "31-" as it looks: their parts from right to left, "-31". */
function turnNumbers(items: TextItem[], numbers: number[]): void {
  for (const at of numbers) {
    const item = items[at]!;
    const beside = [items[at - 1], items[at + 1]].filter(
      (other) => other && Math.abs(other.bbox[3] - item.bbox[3]) < 0.5 * item.size && /\p{L}/u.test(other.text),
    );
    if (!beside.length || !beside.every((other) => RTL.test(other!.text))) continue;
    const parts = item.text.match(/\p{Sc}?\p{N}+(?:[.,:/]\p{N}+)*[%٪°\p{Sc}]?|./gu) ?? [];
    if (parts.length > 1)
      item.text = parts
        .reverse()
        .map((sign) => MIRROR[sign] ?? sign)
        .join("");
  }
}

/** The number of a list item stands right at its text. */
const splitNumber = (text: string): string[] => {
  const match = /^(\p{N}{1,3}[.)-])(\p{L}.*)$/u.exec(text);
  return match ? [match[1]!, match[2]!] : [text];
};

const LAM = 0x644;
const ALEFS = new Set([0x622, 0x623, 0x625, 0x627]);

/** The same box; for lam-alef the same start is enough, fonts give the halves different widths. */
function isOneGlyph(i: number, k: number, codes: number[], boxes: Box[]): boolean {
  const [a, b] = [boxes[i]!, boxes[k]!];
  if (a[0] !== b[0] || a[1] !== b[1]) return false;
  return (a[2] === b[2] && a[2] > a[0]) || (ALEFS.has(codes[i]!) && codes[k] === LAM);
}

function toCharacter(code: number): string {
  if (code === 0x2 || code === 0xad || code === 0xfffe) return "\u00ad";
  if (code < 0x20) return "\ufffd";
  if (code === 0xffff || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return "";
  const ligature = code >= 0xfb00 && code <= 0xfb06;
  const presented = (code >= 0xfb1d && code <= 0xfdfb) || (code >= 0xfe70 && code <= 0xfefc);
  const character = String.fromCodePoint(code);
  return ligature || presented ? character.normalize("NFKC") : character;
}

export interface FontFace {
  name: string;
  bold: boolean;
  italic: boolean;
}

function readFont(pdfium: Pdfium, font: number, fonts: Map<number, FontFace>): FontFace {
  const known = fonts.get(font);
  if (known) return known;
  const name = readString(pdfium, "utf8", (buffer, length) =>
    pdfium._FPDFFont_GetBaseFontName!(font, buffer, length),
  ).replace(/^[A-Z]{6}\+/, "");
  const flags = pdfium._FPDFFont_GetFlags!(font);
  const weight = pdfium._FPDFFont_GetWeight!(font);
  const face = {
    name,
    // the weight is often guessed from the stem width; only round figures were said by the font
    bold:
      BOLD.test(name) || (!REGULAR.test(name) && ((flags & FORCE_BOLD) !== 0 || (weight >= 600 && weight % 100 === 0))),
    italic: ITALIC.test(name) || (flags & ITALIC_FLAG) !== 0,
  };
  fonts.set(font, face);
  return face;
}

const BOLD = /bold|black|heavy|demi(?!n)|[-_,]b(d|[di])?\b|(CMBX|SFBX)\d/i;
const REGULAR = /regular|roman|book|light|medium/i;
const ITALIC = /italic|oblique|kursiv|[-_,](it|bi)\b|CMTI\d/i;
const FORCE_BOLD = 1 << 18;
const ITALIC_FLAG = 1 << 6;

function readStyle(
  file: PdfFile,
  text: number,
  index: number,
  object: number,
  upright: Upright,
  fonts: Map<number, FontFace>,
): Style {
  const { pdfium, scratch } = file;
  const face = readFont(pdfium, pdfium._FPDFTextObj_GetFont!(object), fonts);
  const fontSize = pdfium._FPDFText_GetFontSize!(text, index);
  pdfium._FPDFText_GetMatrix!(text, index, scratch);
  const at = scratch >> 2;
  const [a, b, c, d] = [pdfium.HEAPF32[at]!, pdfium.HEAPF32[at + 1]!, pdfium.HEAPF32[at + 2]!, pdfium.HEAPF32[at + 3]!];
  // a negative size with a mirrored matrix is upright again
  const turned = (Math.atan2(-b * Math.sign(fontSize || 1), a * Math.sign(fontSize || 1)) * 180) / Math.PI;
  const rotation = (((turned + upright.rotation) % 360) + 360) % 360;
  const painted = pdfium._FPDFPageObj_GetFillColor!(object, scratch, scratch + 4, scratch + 8, scratch + 12);
  const heap = pdfium.HEAPU8;
  const color = painted ? nameColor((heap[scratch]! << 16) | (heap[scratch + 4]! << 8) | heap[scratch + 8]!) : "000000";
  return {
    size: Math.abs(fontSize) * Math.hypot(c, d),
    font: face.name,
    bold: face.bold,
    italic: face.italic,
    color,
    rotation: snap(rotation),
    mcid: pdfium._FPDFPageObj_GetMarkedContentID!(object),
    hidden: pdfium._FPDFTextObj_GetTextRenderMode!(object) === INVISIBLE,
  };
}

const nameColor = (rgb: number): string => (rgb === 0 ? "000000" : rgb.toString(16).padStart(6, "0"));

/** Within two degrees of a right angle is that angle. */
function snap(degrees: number): number {
  const right = Math.round(degrees / 90) * 90;
  return Math.abs(right - degrees) <= 2 ? right % 360 : Math.round(degrees);
}
