// One pass over the tags of a page before the parser sees it: bounds nesting and size, leaves out what never shows (scripts, styles,
// drawings, comments), and puts exactly one html, head and body around the rest, which the parser does not do by itself.

import { Fault } from "../../errors.ts";

// Browsers flatten markup below 512 levels; every walk here is recursive, and real pages stay below 80.
const MAX_DEPTH = 150;
// 300,000 tags are parsed in about 2 s and 400 MB; the longest real pages (whole books, the HTML standard) have fewer.
const MAX_TAGS = 300_000;

const voidTags = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Ended by the next of their own kind, so that a page that never closes them is not deep. */
const endedBy: Record<string, string> = {
  p: "p",
  li: "li",
  dt: "dt dd",
  dd: "dt dd",
  td: "td th",
  th: "td th",
  tr: "td th tr",
  option: "option",
};
const impliedEnds = new Map(Object.entries(endedBy).map(([name, ended]) => [name, new Set(ended.split(" "))]));
/** Their content is not markup, or not shown. */
const skippedTags = new Set("script style svg textarea xmp noembed noframes canvas".split(" "));
const headTags = new Set("title base link meta style script noscript template".split(" "));

interface Tag {
  name: string;
  closing: boolean;
  start: number;
  end: number;
  attributes: string;
}

export function boundMarkup(html: string): string {
  const head: string[] = [];
  const body: string[] = [];
  const open: string[] = [];
  const counts = new Map<string, number>();
  const outer: Record<string, string> = { html: "", body: "" };
  const endless = new Set<string>();
  let out = head;
  let tags = 0;
  let at = 0;
  const text = (from: number, to: number) => {
    const piece = html.slice(from, to);
    if (out === head && /\S/.test(piece)) out = body;
    if (out === body) out.push(piece.replaceAll("<", "&lt;"));
  };

  for (let tag = nextTag(html, 0); tag; tag = nextTag(html, at)) {
    const { name, closing, start, end } = tag;
    text(at, start);
    at = end;
    if (name === "") continue;
    if (!closing && ++tags > MAX_TAGS)
      throw new Fault("document_too_complex", { detail: `The page has more than ${MAX_TAGS} tags.` });
    if (name === "html" || name === "head" || name === "body") {
      if (!closing && outer[name] === "") outer[name] = tag.attributes;
      if (name === "body" && !closing) out = body;
      continue;
    }
    if (out === head && !headTags.has(name)) out = body;
    if (name === "title" || skippedTags.has(name)) {
      if (closing || tag.attributes.endsWith("/") || endless.has(name)) continue;
      at = endOfRaw(html, name, end);
      if (at < 0) {
        // A script without end runs to the end of the page, as in browsers; anything else is only this tag.
        endless.add(name);
        at = name === "script" || name === "style" ? html.length : end;
        continue;
      }
      const kept = name === "title" || (name === "script" && /ld\+json/i.test(tag.attributes));
      if (kept) out.push(html.slice(start, at));
    } else if (voidTags.has(name)) {
      if (!closing || name === "br") out.push(closing ? "<br>" : html.slice(start, end));
    } else if (!closing) {
      const ended = impliedEnds.get(name);
      while (ended?.has(open.at(-1) ?? "")) {
        const last = open.pop()!;
        counts.set(last, counts.get(last)! - 1);
      }
      open.push(name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (open.length <= MAX_DEPTH) out.push(`<${name}${tag.attributes.replace(/\/$/, "")}>`);
    } else if (counts.get(name)) {
      // Only closes what is open, so the work of looking back is paid by what it takes off the list.
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        counts.set(last, counts.get(last)! - 1);
        if (last === name) break;
      }
      if (open.length < MAX_DEPTH) out.push(`</${name}>`);
    }
  }
  text(at, html.length);
  return `<!doctype html><html${outer.html}><head>${head.join("")}</head><body${outer.body}>${body.join("")}</body></html>`;
}

/** The next tag at or after `from`; comments, declarations and instructions come as a tag without name. */
function nextTag(html: string, from: number): Tag | null {
  for (let start = html.indexOf("<", from); start >= 0; start = html.indexOf("<", start + 1)) {
    const bare = (end: number): Tag => ({ name: "", closing: false, start, end, attributes: "" });
    const sign = html[start + 1] ?? "";
    if (html.startsWith("<!--", start)) {
      const end = html.indexOf("-->", start + 2);
      return bare(end < 0 ? html.length : end + 3);
    }
    if (html.startsWith("<![CDATA[", start)) {
      const end = html.indexOf("]]>", start);
      return bare(end < 0 ? html.length : end + 3);
    }
    if (sign === "!" || sign === "?") {
      const end = html.indexOf(">", start);
      return bare(end < 0 ? html.length : end + 1);
    }
    const closing = sign === "/";
    const named = nameAt(html, closing ? start + 2 : start + 1);
    if (named === "") continue;
    const nameEnd = start + 1 + Number(closing) + named.length;
    const end = endOfTag(html, nameEnd);
    return {
      name: named.toLowerCase(),
      closing,
      start,
      end,
      attributes: html.slice(nameEnd, Math.max(nameEnd, end - 1)),
    };
  }
  return null;
}

// The longest known names have about 20 characters; the rest of a longer one is read as an attribute.
const MAX_NAME = 64;

const nameAt = (html: string, at: number): string =>
  /^[a-zA-Z][^\s/><]*/.exec(html.slice(at, at + MAX_NAME))?.[0] ?? "";

/** Just past the ">" that ends the tag: one inside a quoted value does not, a stray quote elsewhere does not quote. */
function endOfTag(html: string, from: number): number {
  let afterEquals = false;
  for (let at = from; at < html.length; at++) {
    const char = html[at]!;
    if (char === ">") return at + 1;
    if (afterEquals && (char === '"' || char === "'")) {
      const end = html.indexOf(char, at + 1);
      if (end < 0) return html.length;
      at = end;
      afterEquals = false;
    } else if (char === "=") afterEquals = true;
    else if (afterEquals && !/\s/.test(char)) afterEquals = false;
  }
  return html.length;
}

/** Just past the end tag of an element whose content is not markup, or -1. */
function endOfRaw(html: string, name: string, from: number): number {
  for (let at = html.indexOf("</", from); at >= 0; at = html.indexOf("</", at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() !== name) continue;
    const end = html.indexOf(">", at);
    return end < 0 ? html.length : end + 1;
  }
  return -1;
}
