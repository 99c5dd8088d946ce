// Text as labels are compared: no case, no accents, no spaces or punctuation, and letters that OCR confuses made one.

/** 0/o, 1/i/l, 5/s, 8/b look alike to OCR; both labels and document pass through here, so folding them costs little. */
const confusable: Record<string, string> = { "0": "o", "1": "l", i: "l", "|": "l", "5": "s", "8": "b" };
const signs: Record<string, string> = { "#": "no", "%": "pct", "&": "" };

interface Folded {
  out: string;
  letter: boolean;
  digit: boolean;
  lower: boolean;
  upper: boolean;
  parts: boolean;
}

const folded = new Map<string, Folded>();
/** The cache is for the characters of ordinary text; a text of all Unicode must not grow it without end. */
const MAX_CACHED_CHARS = 5_000;

function foldChar(char: string): Folded {
  const known = folded.get(char);
  if (known) return known;
  let out = signs[char] ?? "";
  if (signs[char] === undefined) {
    for (const part of char.normalize("NFKD").toLowerCase()) {
      if (part === "ß") out += "ss";
      else if (part === "ø") out += "o";
      else if (part === "ł" || part === "ı") out += "l";
      else if (part === "æ") out += "ae";
      else if (part === "|" || /[\p{L}\p{N}]/u.test(part)) out += confusable[part] ?? part;
    }
  }
  const made: Folded = {
    out,
    letter: /\p{L}/u.test(char),
    digit: char >= "0" && char <= "9",
    lower: /\p{Ll}/u.test(char),
    upper: /\p{Lu}/u.test(char),
    parts: /[()[\]{}:：;|\n]/u.test(char),
  };
  if (folded.size < MAX_CACHED_CHARS) folded.set(char, made);
  return made;
}

const nothing: Folded = { out: "", letter: false, digit: false, lower: false, upper: false, parts: false };

export interface Squeezed {
  text: string;
  /** Offset in the original of each squeezed character. */
  from: number[];
  /** Whether a word starts at each squeezed character; one more entry for the end, always true. */
  starts: boolean[];
  /** Which part each character is in: a bracket, colon or line end starts a new one, and no label spans two. */
  parts: number[];
}

/** Folds and squeezes, and keeps where each character came from. */
export function squeeze(original: string): Squeezed {
  let text = "";
  const from: number[] = [];
  const starts: boolean[] = [];
  const parts: number[] = [];
  let part = 0;
  let before = nothing;
  let previous = "";
  let gap = true;
  for (let at = 0; at < original.length; ) {
    const code = original.charCodeAt(at);
    const char = code >= 0xd800 && code < 0xdc00 ? String.fromCodePoint(original.codePointAt(at) ?? 0) : original[at]!;
    const now = foldChar(char);
    // "n°" and "nº" are "no"; after anything else a degree sign is nothing
    const out = char === "°" && (previous === "n" || previous === "N") ? "o" : now.out;
    if (now.parts) part++;
    if (out === "") gap = gap || char !== "'";
    else {
      const sign = signs[char] !== undefined;
      const turns = (before.lower && now.upper) || (before.digit && now.letter) || (before.letter && now.digit);
      for (let i = 0; i < out.length; i++) {
        starts.push(i === 0 && (gap || turns || sign));
        from.push(at);
        parts.push(part);
      }
      text += out;
      gap = sign;
    }
    before = now;
    previous = char;
    at += char.length;
  }
  starts.push(true);
  return { text, from, starts, parts };
}

export const fold = (text: string): string => squeeze(text).text;

/** "invoiceNumber", "invoice_number", "Invoice-Number" → "invoice number". */
export function nameWords(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}#%]+/gu, " ")
    .trim()
    .toLowerCase();
}
