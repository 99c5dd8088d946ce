// Markers of list items: bullets, numbers, letters, roman numerals.
import { gapX } from "./geometry.ts";
import type { TextLine } from "./lines.ts";

export interface Marker {
  /** As shown. */
  text: string;
  /** Words of the line it takes. */
  words: number;
  ordered: boolean;
  /** Style of the numbering, so that only like follows like. */
  style: string;
  /** Possible values: "i" is 1 and 9. */
  values: number[];
}

const BULLET =
  /^[•◦▪▫■□●○‣⁃∙·➢➤►▶▸✓✔✗❖◆◇◊⇒→»\uf0b7\uf0a7\uf0d8\uf0fc\uf02d\uf06e\uf076\u25e6\u2022\u2043\u2219\uf0a8\u2610\u2611\u2612]+$/u;
const DASH = /^[-–—*>›+]$/u;
const ORDERED =
  /^([([]?)((?:\d{1,3}|[a-zA-Z]|[ivxl]{1,6}|[IVXL]{1,6})(?:\.\d{1,3})*|[\u0660-\u0669\u06f0-\u06f9]{1,3}|[\u0621-\u064a\u05d0-\u05ea])([.)\]]|\.\)|[-–](?=$)|:)?$/u;
const NOTHING: Marker | null = null;

function markerOf(line: TextLine): Marker | null {
  const [first, second] = line.words;
  if (!first || !second) return NOTHING;
  // "1" and "." may come in two fonts
  if (
    /^[.)]$/.test(second.text) &&
    /^\(?[\p{L}\p{N}]{1,4}$/u.test(first.text) &&
    gapX(first.box, second.box) < 0.3 * line.size &&
    line.words[2]
  )
    return orderedMarker(first.text + second.text, 2);
  const { text } = first;
  if (BULLET.test(text)) return { text, words: 1, ordered: false, style: "bullet", values: [] };
  if (text.length > 1 && BULLET.test(text[0]!) && /[\p{L}\p{N}]/u.test(text[1]!)) return NOTHING;
  const gap = gapX(first.box, second.box);
  if (DASH.test(text)) return { text, words: 1, ordered: false, style: text, values: [] };
  if (text === "o" && (gap > 0.5 * line.size || first.font !== second.font))
    return { text, words: 1, ordered: false, style: "o", values: [] };
  return orderedMarker(text, 1);
}

function orderedMarker(text: string, words: number): Marker | null {
  const match = ORDERED.exec(text);
  if (!match) return NOTHING;
  const [, open = "", body = "", close = ""] = match;
  if (!open && !close && !body.includes(".")) return NOTHING;
  const values = valuesOf(body);
  if (!values.length) return NOTHING;
  const kind = /\p{N}$/u.test(body) ? "1".repeat(body.split(".").length) : body === body.toLowerCase() ? "a" : "A";
  return { text, words, ordered: true, style: `${open}${kind}${close}`, values };
}

function valuesOf(body: string): number[] {
  const last = body.split(".").at(-1)!;
  if (/^\d+$/.test(last)) return [Number(last)];
  if (/^[\u0660-\u0669\u06f0-\u06f9]+$/u.test(last))
    return [Number([...last].map((digit) => digit.codePointAt(0)! & 15).join(""))];
  const values: number[] = [];
  if (last.length === 1) values.push(alphabetic(last));
  if (/^[ivxl]+$/i.test(last)) {
    const roman = fromRoman(last.toLowerCase());
    if (roman > 0 && toRoman(roman) === last.toLowerCase()) values.push(roman);
  }
  return values.filter((value) => value > 0);
}

const ARABIC = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي";
const HEBREW = "אבגדהוזחטיכלמנסעפצקרשת";

function alphabetic(letter: string): number {
  if (/[a-z]/i.test(letter)) return letter.toLowerCase().charCodeAt(0) - 96;
  return Math.max(ARABIC.indexOf(letter), HEBREW.indexOf(letter)) + 1;
}

const ROMAN: [number, string][] = [
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

function toRoman(value: number): string {
  let rest = value;
  let text = "";
  for (const [worth, sign] of ROMAN)
    while (rest >= worth) {
      text += sign;
      rest -= worth;
    }
  return text;
}

function fromRoman(text: string): number {
  const worth: Record<string, number> = { i: 1, v: 5, x: 10, l: 50 };
  return [...text].reduce(
    (sum, sign, i) => sum + (worth[sign]! < (worth[text[i + 1] ?? ""] ?? 0) ? -worth[sign]! : worth[sign]!),
    0,
  );
}

/** Whether b is the item after a. */
const follows = (a: Marker, b: Marker): boolean =>
  a.style === b.style && (!a.ordered || a.values.some((value) => b.values.includes(value + 1)));

/** How many marked lines apart two items of one list may stand: nested lists lie between them. */
const MAX_APART = 40;

/** The markers that are believed: bullets, and numbers with a neighbour that counts on from them. */
export function findMarkers(lines: TextLine[]): Map<TextLine, Marker> {
  const candidates: { line: TextLine; marker: Marker }[] = [];
  for (const line of lines) {
    const marker = markerOf(line);
    if (marker) candidates.push({ line, marker });
  }
  const believed = new Map<TextLine, Marker>();
  for (const [i, { line, marker }] of candidates.entries()) {
    if (marker.style === "bullet") believed.set(line, marker);
    const last = Math.min(candidates.length, i + MAX_APART);
    for (let k = i + 1; k < last && marker.style !== "bullet"; k++) {
      const next = candidates[k]!;
      if (!follows(marker, next.marker)) continue;
      // a dash also stands at the start of a line of prose; a list's stand under each other
      if (!marker.ordered && !areAligned(line, next.line)) continue;
      believed.set(line, marker);
      believed.set(next.line, next.marker);
      break;
    }
  }
  return believed;
}

const areAligned = (a: TextLine, b: TextLine): boolean =>
  Math.abs(a.box[0] - b.box[0]) < 1.5 || (a.rtl && Math.abs(a.box[2] - b.box[2]) < 1.5);
