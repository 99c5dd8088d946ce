// Text as labels are compared: no case, no accents, no spaces or punctuation, and letters that OCR confuses made one.

/** 0/o, 1/i/l, 5/s, 8/b look alike to OCR; both labels and document pass through here, so folding them costs little. */
const confusable: Record<string, string> = { "0": "o", "1": "l", i: "l", "|": "l", "5": "s", "8": "b" };
const signs: Record<string, string> = { "#": "no", "%": "pct", "&": "" };

const folded = new Map<string, string>();
/** The cache is for the characters of ordinary text; a text of all Unicode must not grow it without end. */
const MAX_CACHED_CHARS = 5_000;

function foldChar(char: string): string {
  let out = folded.get(char);
  if (out !== undefined) return out;
  out = "";
  const sign = signs[char];
  if (sign !== undefined) out = sign;
  else {
    for (const part of char.normalize("NFKD").toLowerCase()) {
      if (part === "ß") out += "ss";
      else if (part === "ø") out += "o";
      else if (part === "ł" || part === "ı") out += "l";
      else if (part === "æ") out += "ae";
      else if (part === "|" || /[\p{L}\p{N}]/u.test(part)) out += confusable[part] ?? part;
    }
  }
  if (folded.size < MAX_CACHED_CHARS) folded.set(char, out);
  return out;
}

export interface Squeezed {
  text: string;
  /** Offset in the original of each squeezed character. */
  from: number[];
  /** Whether a word starts at each squeezed character; one more entry for the end, always true. */
  starts: boolean[];
  /** Which part each character is in: a bracket, colon or line end starts a new one, and no label spans two. */
  parts: number[];
}

const isLetter = (char: string): boolean => /\p{L}/u.test(char);
const isDigit = (char: string): boolean => char >= "0" && char <= "9";

/** Folds and squeezes, and keeps where each character came from. */
export function squeeze(original: string): Squeezed {
  let text = "";
  const from: number[] = [];
  const starts: boolean[] = [];
  const parts: number[] = [];
  let part = 0;
  let previous = "";
  let gap = true;
  for (let at = 0; at < original.length; ) {
    const char = String.fromCodePoint(original.codePointAt(at) ?? 0);
    // "n°" and "nº" are "no"; after anything else a degree sign is nothing
    const out = char === "°" && /[nN]/.test(previous) ? "o" : foldChar(char);
    if (/[()[\]{}:：;|\n]/u.test(char)) part++;
    if (out === "") gap = gap || char !== "'";
    else {
      const camel = /\p{Ll}/u.test(previous) && /\p{Lu}/u.test(char);
      const mixed = (isDigit(previous) && isLetter(char)) || (isLetter(previous) && isDigit(char));
      for (let i = 0; i < out.length; i++) {
        starts.push(i === 0 && (gap || camel || mixed || signs[char] !== undefined));
        from.push(at);
        parts.push(part);
      }
      text += out;
      gap = signs[char] !== undefined;
    }
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
