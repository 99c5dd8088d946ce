// Collects the text of one block run by run, with its marks, and hands it over trimmed.

import type { Mark } from "../document.ts";

export interface RunStyle {
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  url?: string;
}

export interface Inline {
  text: string;
  marks: Mark[];
  /** The latest mark of each type, to lengthen it while the style goes on. */
  latest: Partial<Record<Mark["type"], Mark>>;
}

const flags = ["bold", "italic", "strike", "code"] as const;

export const newInline = (): Inline => ({ text: "", marks: [], latest: {} });

function mark(inline: Inline, type: Mark["type"], start: number, url?: string): void {
  const last = inline.latest[type];
  const end = inline.text.length;
  if (last && last.end === start && last.url === url) {
    last.end = end;
    return;
  }
  const fresh: Mark = url === undefined ? { type, start, end } : { type, start, end, url };
  inline.latest[type] = fresh;
  inline.marks.push(fresh);
}

export function addRun(inline: Inline, text: string, style: RunStyle = {}): void {
  if (text === "") return;
  const start = inline.text.length;
  inline.text += text;
  for (const flag of flags) if (style[flag]) mark(inline, flag, start);
  if (style.url !== undefined && style.url !== "") mark(inline, "link", start, style.url);
}

/** Adds one collected text behind another, as where a deleted paragraph end joins two paragraphs. */
export function joinInline(inline: Inline, tail: Inline): void {
  const shift = inline.text.length;
  inline.text += tail.text;
  for (const m of tail.marks) inline.marks.push({ ...m, start: m.start + shift, end: m.end + shift });
  inline.latest = {};
}

/** C0 controls and lone zero-width marks carry nothing a reader sees. */
const invisible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u00ad\u200b\u2060\ufeff\ufffe\uffff]/g;

function dropInvisible(inline: Inline): void {
  if (inline.text.search(invisible) < 0) return;
  const gone: number[] = [];
  inline.text = inline.text.replace(invisible, (_, at: number) => {
    gone.push(at);
    return "";
  });
  const shift = (offset: number) => {
    let low = 0;
    let high = gone.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gone[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return offset - low;
  };
  for (const m of inline.marks) {
    m.start = shift(m.start);
    m.end = shift(m.end);
  }
}

/** Text without blanks at its ends; marks without blanks at theirs, in order. */
export function finishInline(inline: Inline): { text: string; marks: Mark[] } {
  dropInvisible(inline);
  const raw = inline.text;
  const cut = raw.length - raw.trimStart().length;
  const text = raw.trim();
  const marks: Mark[] = [];
  for (const m of inline.marks) {
    let start = Math.max(0, m.start - cut);
    let end = Math.min(text.length, m.end - cut);
    while (start < end && /\s/.test(text[start]!)) start++;
    while (end > start && /\s/.test(text[end - 1]!)) end--;
    if (start < end) marks.push({ ...m, start, end });
  }
  marks.sort((a, b) => a.start - b.start || b.end - a.end);
  return { text, marks };
}

/** Whether one mark of the type covers the whole text. */
export function isWholly(type: Mark["type"], text: string, marks: Mark[] | undefined): boolean {
  return text !== "" && (marks ?? []).some((m) => m.type === type && m.start === 0 && m.end === text.length);
}
