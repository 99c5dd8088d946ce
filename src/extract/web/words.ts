// The text of a part of the tree as it would be seen: white space collapsed, blocks and breaks on lines of their own.

import { type DomElement, type DomNode, isElement, TEXT } from "./dom.ts";
import { isHidden } from "./hidden.ts";

const breaking =
  /^(address|article|aside|blockquote|br|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)$/;
const silent = /^(script|style|noscript|template|svg|iframe|select|button|textarea)$/;

export function blockText(root: DomElement): string {
  const pieces: string[] = [];
  collect(root, pieces);
  return pieces
    .join("")
    .replace(/[^\S\n\r]*\r[^\S\n\r]*/g, "\r")
    .replace(/[^\S\r]+/g, " ")
    .replace(/ *\r[ \r]*/g, "\n")
    .trim();
}

function collect(node: DomNode, pieces: string[]): void {
  if (node.nodeType === TEXT) {
    pieces.push((node.textContent ?? "").replace(/[\u00ad\u200b]/g, "").replace(/\r/g, " "));
    return;
  }
  if (!isElement(node) || silent.test(node.localName) || isHidden(node)) return;
  // A carriage return marks a meant break until white space is collapsed; the text itself has none left.
  const apart = breaking.test(node.localName);
  if (apart) pieces.push("\r");
  for (const child of node.childNodes) collect(child, pieces);
  if (apart && node.localName !== "br") pieces.push("\r");
  if (/^t[dh]$/.test(node.localName)) pieces.push(" ");
}
