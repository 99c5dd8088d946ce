// Lines → the text of a block, with the place of every word in it. Words broken at a line's end are made whole.
import type { Mark, Word } from "../document.ts";
import { gapX, unite } from "./geometry.ts";
import type { TextLine } from "./lines.ts";
import type { PlacedWord } from "./words.ts";

export interface Composed {
  text: string;
  words: Word[];
  marks: Mark[];
}

const CJK = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]/u;
const HYPHEN = /[-\u00ad\u2010]$/u;
const STARTS_LOW = /^\p{Ll}/u;
/** Words closer than this part of the font size are one word in two styles. */
const GLUE_GAP = 0.12;

/** Says whether the hyphen between two halves of a word at a line's end belongs to the word. */
export interface Hyphenation {
  keeps(head: string, tail: string): boolean;
}

export function compose(lines: TextLine[], hyphenation: Hyphenation, breaks = false): Composed {
  let text = "";
  const words: Word[] = [];
  const placed: PlacedWord[] = [];
  let previous: PlacedWord | undefined;
  for (const line of lines) {
    const startOfLine = previous !== undefined;
    for (const [i, word] of line.words.entries()) {
      let shown = word.text;
      if (startOfLine && i === 0) {
        const joined = breaks ? null : joinHalves(text, shown, hyphenation);
        if (joined !== null) {
          // the half before lost its hyphen or not; either way the halves touch
          const cut = text.length - joined.length;
          text = joined;
          const last = words.at(-1);
          if (last) last.end -= cut;
        } else if (breaks) text += "\n";
        else if (!(CJK.test(text.at(-1) ?? "") && CJK.test(shown[0] ?? ""))) text += " ";
      } else if (previous && !isGlued(previous, word)) text += " ";
      if (shown.includes("\u00ad")) shown = shown.replace(/\u00ad(?=.)/gu, "");
      const start = text.length;
      text += shown;
      words.push({ start, end: text.length, bbox: word.box });
      placed.push(word);
      previous = word;
    }
  }
  const shown = text.replaceAll("\u00ad", "-");
  return { text: shown, words, marks: [...marksOf(words, placed), ...linksOf(words, placed, shown)] };
}

/** The text before without its hyphen, or with it, where the next line goes on with the same word; null otherwise. */
function joinHalves(text: string, next: string, hyphenation: Hyphenation): string | null {
  if (!HYPHEN.test(text) || !STARTS_LOW.test(next)) return null;
  const head = /[\p{L}\p{N}]+(?=.$)/u.exec(text.slice(-40))?.[0];
  if (!head) return null;
  const tail = /^[\p{L}\p{N}]+/u.exec(next)?.[0] ?? "";
  return hyphenation.keeps(head, tail) ? `${text.slice(0, -1)}-` : text.slice(0, -1);
}

function isGlued(a: PlacedWord, b: PlacedWord): boolean {
  const gap = gapX(a.box, b.box);
  const size = Math.max(a.size, b.size);
  const later = a.order < b.order ? b : a;
  if (later.glued && Math.abs(a.order - b.order) === 1 && gap < 0.3 * size) return true;
  if (CJK.test(a.text.at(-1)!) && CJK.test(b.text[0]!) && gap < 0.5 * size) return true;
  return gap < GLUE_GAP * Math.min(a.size, b.size) && Math.abs(b.order - a.order) !== 1;
}

/** Bold and italic stretches, unless the whole text is so: then it is a style of the block. */
function marksOf(words: Word[], placed: PlacedWord[]): Mark[] {
  const marks: Mark[] = [];
  for (const type of ["bold", "italic"] as const) {
    if (placed.every((word) => word[type])) continue;
    let open: Mark | undefined;
    for (const [i, word] of placed.entries()) {
      if (!word[type]) open = undefined;
      else if (open) open.end = words[i]!.end;
      else {
        open = { type, start: words[i]!.start, end: words[i]!.end };
        marks.push(open);
      }
    }
  }
  return marks;
}

/** Neighbouring words that lead to the same place; brackets would break the link in markdown. */
function linksOf(words: Word[], placed: PlacedWord[], text: string): Mark[] {
  const links: Mark[] = [];
  let open: Mark | undefined;
  for (const [i, { url }] of placed.entries()) {
    if (!url) open = undefined;
    else if (open?.url === url) open.end = words[i]!.end;
    else {
      open = { type: "link", start: words[i]!.start, end: words[i]!.end, url };
      links.push(open);
    }
  }
  return links.filter((link) => !/[[\]]/.test(text.slice(link.start, link.end)));
}

export const boxOfLines = (lines: TextLine[]) => unite(lines.flatMap((line) => line.words.map((word) => word.box)));

/** Share of lines that end in a hyphen from which on a document counts as hyphenated. */
const HYPHENATED_SHARE = 0.02;

/** Learns from the document itself which halves make one word and which a compound with a hyphen. */
export function learnHyphenation(lines: TextLine[]): Hyphenation {
  const known = new Set<string>();
  let broken = 0;
  let half = false;
  for (const line of lines) {
    const last = line.words.at(-1);
    const ends = !!last && HYPHEN.test(last.text) && last.text.length > 1;
    if (ends) broken++;
    for (const [i, word] of line.words.entries()) {
      // halves teach nothing of whole words
      if ((half && i === 0) || (ends && word === last)) continue;
      const plain = word.text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
      if (plain.length > 2) known.add(plain);
    }
    half = ends;
  }
  const hyphenated = lines.length > 0 && broken >= 3 && broken / lines.length >= HYPHENATED_SHARE;
  return {
    keeps(head, tail) {
      const [a, b] = [head.toLowerCase(), tail.toLowerCase()];
      if (known.has(`${a}-${b}`)) return true;
      if (known.has(a + b)) return false;
      if (hyphenated && !/\d$/.test(a)) return false;
      // where little is broken, halves that are no words by themselves are halves of one
      return known.has(a) || known.has(b) || /\d$/.test(a);
    },
  };
}
