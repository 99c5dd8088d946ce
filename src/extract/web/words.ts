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

/** The length of the text, or null where it is longer than `most`: stops there, so that asking at every level of a page stays cheap. */
export function textWithin(root: DomElement, most: number): number | null {
  let length = 0;
  const count = (node: DomNode): boolean => {
    if (node.nodeType === TEXT) length += (node.textContent ?? "").trim().length;
    else if (isElement(node)) for (const child of node.childNodes) if (!count(child)) return false;
    return length <= most;
  };
  return count(root) ? length : null;
}

/** How many elements of these names are inside, counted up to `most`; much cheaper than a selector, which is compiled anew each time. */
export function countTags(root: DomElement, names: ReadonlySet<string>, most: number): number {
  let found = 0;
  const count = (element: DomElement): boolean => {
    for (const child of element.childNodes) {
      if (!isElement(child)) continue;
      if (names.has(child.localName)) found++;
      if (found >= most || !count(child)) return false;
    }
    return true;
  };
  count(root);
  return found;
}
