// The inside of an OpenDocument paragraph: spans, links, fields, notes, comments; frames are handed back to be read as blocks.

import { addRun, type Inline, type RunStyle } from "./inline.ts";
import type { OdfStyles } from "./odf-styles.ts";
import { child, childrenNamed, elementsOf, textOf, type XmlNode } from "./xml.ts";

export interface OdfContent {
  inline: Inline;
  /** Frames and shapes anchored in the paragraph. */
  frames: XmlNode[];
  notes: { marker: string; body: XmlNode }[];
  comments: XmlNode[];
}

/** text:s may ask for any number of blanks. */
const MAX_BLANKS = 100;

type Handler = (node: XmlNode, style: RunStyle, content: OdfContent, styles: OdfStyles) => void;

const skip: Handler = () => {};
const frame: Handler = (node, _, content) => content.frames.push(node);

const handlers: Record<string, Handler> = {
  "text:s": (node, style, content) =>
    addRun(
      content.inline,
      " ".repeat(Math.min(Math.max(1, Number(node.attrs["text:c"] ?? 1) || 1), MAX_BLANKS)),
      style,
    ),
  "text:tab": (_, style, content) => addRun(content.inline, "\t", style),
  "text:line-break": (_, style, content) => addRun(content.inline, "\n", style),
  "text:span": (node, outer, content, styles) => {
    const own = styles.style("text", node.attrs["text:style-name"]);
    if (own.hidden) return;
    const code = own.names.some((name) => /^(source text|teletype|user entry)$/i.test(name));
    const style = {
      ...outer,
      bold: own.bold ?? outer.bold,
      italic: own.italic ?? outer.italic,
      strike: own.strike ?? outer.strike,
      code: code || outer.code,
    };
    readOdfInline(node, style, content, styles);
  },
  "text:a": (node, style, content, styles) => {
    const url = node.attrs["xlink:href"] ?? "";
    readOdfInline(node, url.startsWith("#") ? style : { ...style, url }, content, styles);
  },
  "text:note": (node, style, content) => {
    const marker = textOf(child(node, "text:note-citation")).trim();
    const body = child(node, "text:note-body");
    if (body) content.notes.push({ marker, body });
    addRun(content.inline, `[${marker}]`, { url: style.url });
  },
  "text:ruby": (node, style, content, styles) => readOdfInline(child(node, "text:ruby-base"), style, content, styles),
  "text:hidden-text": skip,
  "text:script": skip,
  "text:tracked-changes": skip,
  "office:annotation": (node, _, content) => content.comments.push(node),
  "office:annotation-end": skip,
  "draw:frame": frame,
  "draw:g": frame,
  "draw:custom-shape": frame,
  "draw:rect": frame,
  "draw:ellipse": frame,
  "draw:a": (node, _, content) => content.frames.push(...elementsOf(node)),
};

/** White space in the XML counts as one blank, as in HTML. */
function addCollapsed(inline: Inline, text: string, style: RunStyle): void {
  const collapsed = text.replace(/[ \t\r\n]+/g, " ");
  const blankBefore = inline.text === "" || /[ \n]$/.test(inline.text);
  addRun(inline, blankBefore && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed, style);
}

/** Fields and everything else hold what is shown as their text. */
export function readOdfInline(
  parent: XmlNode | undefined,
  style: RunStyle,
  content: OdfContent,
  styles: OdfStyles,
): void {
  for (const node of parent?.children ?? []) {
    if (typeof node === "string") addCollapsed(content.inline, node, style);
    else if (handlers[node.name]) handlers[node.name]!(node, style, content, styles);
    else readOdfInline(node, style, content, styles);
  }
}

export function commentText(node: XmlNode): string {
  const author = textOf(child(node, "dc:creator")).trim();
  const text = childrenNamed(node, "text:p").map(textOf).join("\n").trim() || textOf(child(node, "text:list")).trim();
  return author && text ? `${author}: ${text}` : text;
}
