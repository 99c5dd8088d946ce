// Text with its marks as markdown. Escapes only what markdown would otherwise read as markup, so that plain prose stays plain.

import type { Element, Mark } from "../document.ts";

/** `heading` leaves out bold over the whole text, which a heading shows by itself. */
export function renderInline(element: Pick<Element, "text" | "marks">, heading = false): string {
  const { text } = element;
  const marks = usableMarks(element.marks ?? [], text).filter(
    (mark) => !(heading && mark.type === "bold" && mark.end - mark.start >= text.trim().length),
  );
  const out: string[] = [];
  renderRange(text, 0, text.length, marks, out);
  return protectLines(
    out
      .join("")
      .replace(/[ \t]+\n/g, "\n")
      .trim(),
  );
}

const fences: Record<Exclude<Mark["type"], "link">, string> = { bold: "**", italic: "*", strike: "~~", code: "`" };

function renderRange(text: string, from: number, to: number, marks: Mark[], out: string[]): void {
  let at = from;
  for (let i = 0; i < marks.length; ) {
    const mark = marks[i]!;
    out.push(escapeInline(text.slice(at, mark.start)));
    const inner: Mark[] = [];
    for (i++; i < marks.length && marks[i]!.start < mark.end; i++) {
      const next = marks[i]!;
      inner.push({ ...next, end: Math.min(next.end, mark.end) });
    }
    renderMark(text, mark, inner, out);
    at = mark.end;
  }
  out.push(escapeInline(text.slice(at, to)));
}

function renderMark(text: string, mark: Mark, inner: Mark[], out: string[]): void {
  const body = text.slice(mark.start, mark.end);
  if (mark.type === "code") {
    const ticks = "`".repeat(longestTicks(body) + 1);
    const pad = /^`|`$/.test(body) ? " " : "";
    out.push(ticks, pad, body.replace(/\n/g, " "), pad, ticks);
    return;
  }
  const rendered: string[] = [];
  renderRange(text, mark.start, mark.end, inner, rendered);
  if (mark.type === "link") {
    out.push("[", rendered.join("").replace(/(?<!\\)\]/g, "\\]"), "](", linkTarget(mark.url ?? ""), ")");
    return;
  }
  const fence = flanks(text, mark) ? fences[mark.type] : "";
  out.push(fence, ...rendered, fence);
}

/** Length of the longest run of backticks, which a fence has to exceed. */
export const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);

export const linkTarget = (url: string): string =>
  url.trim().replace(/[\s()<>\\]/g, (char) => encodeURIComponent(char).replace("(", "%28").replace(")", "%29"));

/** Marks inside the text, trimmed of spaces, in order, same ones that touch joined; one that crosses another's end is cut there. */
function usableMarks(marks: Mark[], text: string): Mark[] {
  const trimmed: Mark[] = [];
  for (const mark of marks) {
    let start = Math.max(0, mark.start);
    let end = Math.min(text.length, mark.end);
    while (start < end && /\s/.test(text[start]!)) start++;
    while (end > start && /\s/.test(text[end - 1]!)) end--;
    if (start < end && (mark.type !== "link" || mark.url)) trimmed.push({ ...mark, start, end });
  }
  trimmed.sort((a, b) => a.start - b.start || b.end - a.end);
  const joined: Mark[] = [];
  const latest = new Map<string, Mark>();
  for (const mark of trimmed) {
    const key = `${mark.type} ${mark.url ?? ""}`;
    const before = latest.get(key);
    if (before && (mark.start <= before.end || /^\s*$/.test(text.slice(before.end, mark.start)))) {
      before.end = Math.max(before.end, mark.end);
      continue;
    }
    latest.set(key, mark);
    joined.push(mark);
  }
  // A link within a link is none in markdown.
  let linkEnd = -1;
  const flat = joined.filter((mark) => {
    if (mark.type !== "link") return true;
    if (mark.start < linkEnd) return false;
    linkEnd = mark.end;
    return true;
  });
  return flat.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** CommonMark opens and closes emphasis only beside the right kind of neighbour; where it would not, the mark is left out. */
function flanks(text: string, { start, end }: Mark): boolean {
  const isWord = (char: string | undefined) => char !== undefined && /[^\s\p{P}\p{S}]/u.test(char);
  const isPunctuation = (char: string | undefined) => char !== undefined && /[\p{P}\p{S}]/u.test(char);
  if (isPunctuation(text[start]) && isWord(text[start - 1])) return false;
  return !(isPunctuation(text[end - 1]) && isWord(text[end]));
}

export function escapeInline(text: string): string {
  return text
    .replace(/[\\`]/g, "\\$&")
    .replace(/\*(?!\s|$)|(?<=\S)\*/g, "\\*")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/~~/g, "\\~~")
    .replace(/\](?=[([])/g, "\\]")
    .replace(/\[\^/g, "\\[^")
    .replace(/<(?=[a-zA-Z/!?])/g, "\\<")
    .replace(/&(?=#?\w{1,31};)/g, "\\&")
    .replace(/!\[/g, "\\!\\[");
}

/** What would begin a block at the start of a line. Line breaks inside a block are meant, so they stay hard ones. */
function protectLines(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^(#{1,6})(?=\s|$)/, "\\$1")
        .replace(/^([-+*>]|={2,}\s*$|-{2,}\s*$|~{3})(?=\s|$|[-=~])/, "\\$1")
        .replace(/^>/, "\\>")
        .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2"),
    )
    .filter((line) => line !== "")
    .join("  \n");
}

export const escapeHtml = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
