// Inline markdown as plain text with marks: emphasis, code, links, images, escapes, entities, HTML tags left out.

import type { Mark } from "../document.ts";

export interface Inline {
  text: string;
  marks: Mark[];
  images: { text: string; url: string }[];
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  hellip: "…",
  mdash: "—",
  ndash: "–",
};
// Links and images inside each other; deeper brackets are text.
const MAX_NESTING = 8;
// How far a closing bracket, tag or tick run may stand from its opening: keeps the reading linear.
const MAX_REACH = 5_000;

export function parseInline(source: string): Inline {
  const inline: Inline = { text: "", marks: [], images: [] };
  read(source, inline, 0);
  const text = inline.text.trimEnd();
  inline.marks = inline.marks
    .filter((mark) => mark.start < text.length)
    .map((mark) => ({ ...mark, end: Math.min(mark.end, text.length) }));
  inline.text = text;
  return inline;
}

interface Opening {
  char: string;
  count: number;
  /** Where its text starts. */
  at: number;
}

function read(source: string, inline: Inline, nesting: number): void {
  const openings: Opening[] = [];
  const write = (piece: string) => {
    inline.text += piece;
  };
  for (let i = 0; i < source.length; ) {
    const char = source[i]!;
    if (char === "\\" && /[!-/:-@[-`{-~]/.test(source[i + 1] ?? "")) {
      write(source[i + 1]!);
      i += 2;
    } else if (char === "`") i = readCode(source, i, inline, write);
    else if (char === "*" || char === "_" || (char === "~" && source[i + 1] === "~"))
      i = readDelimiter(source, i, inline, openings, write);
    else if (char === "!" && source[i + 1] === "[") i = readImage(source, i, inline, write);
    else if (char === "[") i = readLink(source, i, inline, nesting, write);
    else if (char === "<") i = readAngle(source, i, inline, write);
    else if (char === "&") {
      const entity = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,31}));/i.exec(source.slice(i, i + 40));
      const code = entity?.[1] ? Number(entity[1]) : entity?.[2] ? Number.parseInt(entity[2], 16) : 0;
      const known = entity?.[3]
        ? entities[entity[3]]
        : code > 0 && code <= 0x10ffff
          ? String.fromCodePoint(code)
          : undefined;
      write(known ?? "&");
      i += known !== undefined ? entity![0].length : 1;
    } else {
      write(char);
      i++;
    }
  }
  // What never closed is text after all.
  for (const opening of openings.reverse())
    if (opening.count > 0) insert(inline, opening.at, opening.char.repeat(opening.count));
}

function insert(inline: Inline, at: number, piece: string): void {
  inline.text = inline.text.slice(0, at) + piece + inline.text.slice(at);
  const move = (offset: number, open: boolean) =>
    offset > at || (open && offset === at) ? offset + piece.length : offset;
  inline.marks = inline.marks.map((mark) => ({ ...mark, start: move(mark.start, true), end: move(mark.end, false) }));
}

function readCode(source: string, at: number, inline: Inline, write: (piece: string) => void): number {
  const ticks = /^`+/.exec(source.slice(at))![0];
  const rest = source.slice(at + ticks.length, at + ticks.length + MAX_REACH);
  const close = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(rest);
  if (!close) {
    write(ticks);
    return at + ticks.length;
  }
  const body = rest.slice(0, close.index);
  const text = /^ .*\S.* $/.test(body) ? body.slice(1, -1) : body;
  const start = inline.text.length;
  write(text);
  inline.marks.push({ type: "code", start, end: inline.text.length });
  return at + ticks.length + close.index + ticks.length;
}

// Delimiters still open at once; more are text.
const MAX_OPEN = 50;

function readDelimiter(
  source: string,
  at: number,
  inline: Inline,
  openings: Opening[],
  write: (piece: string) => void,
): number {
  const char = source[at]!;
  let end = at;
  while (source[end] === char) end++;
  let count = end - at;
  const before = source[at - 1] ?? " ";
  const after = source[end] ?? " ";
  const isSpace = (c: string) => /\s/.test(c);
  const isSign = (c: string) => /[\p{P}\p{S}]/u.test(c);
  const left = !isSpace(after) && (!isSign(after) || isSpace(before) || isSign(before));
  const right = !isSpace(before) && (!isSign(before) || isSpace(after) || isSign(after));
  const opens = left && (char !== "_" || !right || isSign(before));
  const closes = right && (char !== "_" || !left || isSign(after));
  if (closes) {
    for (let k = openings.length - 1; k >= 0 && count > 0; k--) {
      const opening = openings[k]!;
      if (opening.char !== char) continue;
      while (opening.count > 0 && count > 0) {
        const used = opening.count >= 2 && count >= 2 ? 2 : 1;
        if (char === "~" && used !== 2) break;
        opening.count -= used;
        count -= used;
        if (inline.text.length > opening.at)
          inline.marks.push({
            type: char === "~" ? "strike" : used === 2 ? "bold" : "italic",
            start: opening.at,
            end: inline.text.length,
          });
      }
      // Whatever opened inside and did not close is text.
      for (const inner of openings.splice(k + 1).reverse())
        if (inner.count > 0) insert(inline, inner.at, inner.char.repeat(inner.count));
      if (opening.count === 0) openings.splice(k, 1);
    }
  }
  if (count > 0 && opens && openings.length < MAX_OPEN) openings.push({ char, count, at: inline.text.length });
  else if (count > 0) write(char.repeat(count));
  return end;
}

/** Index of the bracket that closes the one at `at`, or -1. */
function closing(source: string, at: number): number {
  let depth = 0;
  const stop = Math.min(source.length, at + MAX_REACH);
  for (let i = at; i < stop; i++) {
    if (source[i] === "\\") i++;
    else if (source[i] === "[") depth++;
    else if (source[i] === "]" && --depth === 0) return i;
  }
  return -1;
}

const targetAt = (source: string, at: number) =>
  /^\(\s*(?:<([^<>\n]{0,4096})>|((?:[^\s()\\]|\\.|\([^\s()]{0,500}\)){0,4096}))(?:\s+(?:"[^"]{0,500}"|'[^']{0,500}'|\([^)]{0,500}\)))?\s*\)/.exec(
    source.slice(at, at + MAX_REACH),
  );

function readImage(source: string, at: number, inline: Inline, write: (piece: string) => void): number {
  const end = closing(source, at + 1);
  const target = end < 0 ? null : targetAt(source, end + 1);
  if (!target) {
    write("!");
    return at + 1;
  }
  const alt = parseInline(source.slice(at + 2, end)).text;
  inline.images.push({ text: alt, url: target[1] ?? target[2] ?? "" });
  return end + 1 + target[0].length;
}

function readLink(source: string, at: number, inline: Inline, nesting: number, write: (piece: string) => void): number {
  const end = nesting < MAX_NESTING ? closing(source, at) : -1;
  const target = end < 0 ? null : targetAt(source, end + 1);
  if (!target) {
    write("[");
    return at + 1;
  }
  const start = inline.text.length;
  read(source.slice(at + 1, end), inline, nesting + 1);
  const url = (target[1] ?? target[2] ?? "").replace(/\\([!-/:-@[-`{-~])/g, "$1");
  if (url && inline.text.length > start) inline.marks.push({ type: "link", start, end: inline.text.length, url });
  return end + 1 + target[0].length;
}

function readAngle(source: string, at: number, inline: Inline, write: (piece: string) => void): number {
  const near = source.slice(at, at + 1000);
  const address = /^<((?:https?|ftp|mailto):[^\s<>]{1,900}|[\w.+-]{1,64}@[\w.-]{1,255})>/i.exec(near);
  if (address) {
    const start = inline.text.length;
    write(address[1]!);
    inline.marks.push({
      type: "link",
      start,
      end: inline.text.length,
      url: address[1]!.includes(":") ? address[1]! : `mailto:${address[1]}`,
    });
    return at + address[0].length;
  }
  const tag = /^<(?:\/?([a-zA-Z][\w-]{0,40})(?:\s[^<>]{0,800})?\/?|!--[\s\S]{0,900}?--)>/.exec(near);
  if (!tag) {
    write("<");
    return at + 1;
  }
  if (/^br$/i.test(tag[1] ?? "")) write("\n");
  return at + tag[0].length;
}
