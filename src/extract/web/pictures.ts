// Which parts of a page are pictures with their captions, also where nothing is marked so.

import { type DomElement, type DomNode, isElement, TEXT } from "./dom.ts";
import { nameWords } from "./names.ts";
import { countTags, textWithin } from "./words.ts";

// A caption is a line or two; a longer part with that name is a wrapper.
const MAX_CAPTION_CHARS = 600;

const captionWords = new Set(
  "caption captions figcaption credit credits bildunterschrift legende didascalia legenda".split(" "),
);

export function isCaption(element: DomElement): boolean {
  if (element.localName === "a" || element.localName === "table") return false;
  if (!nameWords(element).some((word) => captionWords.has(word) || /caption$/.test(word))) return false;
  return textWithin(element, MAX_CAPTION_CHARS) !== null && countTags(element, notInCaption, 1) === 0;
}

const notInCaption = new Set("img table h1 ul ol".split(" "));
const notBesidePicture = new Set("h1 h2 h3 h4 h5 h6 ul ol table blockquote pre strong b".split(" "));
const pictures = new Set(["img"]);

// A line under a picture; more is a paragraph beside one.
const MAX_LINE_CHARS = 200;

/** A box that holds one picture and a line of text: a figure with its caption, though nothing is named so. */
export function isPictureWithLine(element: DomElement): boolean {
  if (!/^(div|p|center|td|span|section)$/.test(element.localName)) return false;
  if (!textWithin(element, MAX_LINE_CHARS) || countTags(element, pictures, 2) !== 1) return false;
  if (countTags(element, notBesidePicture, 1) > 0) return false;
  // In a paragraph, words that end like a sentence are one.
  if (element.localName === "p" && /[.!?…"”»]\s*$/.test(element.textContent ?? "")) return false;
  return beginsWithPicture(element);
}

/** Text first and a picture after it is a sentence with an illustration. */
function beginsWithPicture(node: DomNode): boolean {
  for (const child of node.childNodes) {
    if (child.nodeType === TEXT && (child.textContent ?? "").trim() !== "") return false;
    if (isElement(child) && (child.localName === "img" || child.querySelector("img") !== null))
      return child.localName === "img" || beginsWithPicture(child);
    if (isElement(child) && (child.textContent ?? "").trim() !== "") return false;
  }
  return false;
}

/** Lazy loading keeps the true address in another attribute and a placeholder in src. */
export function imageAddress(element: DomElement): string | null {
  const lazy = ["data-src", "data-original", "data-lazy-src", "data-url"]
    .map((name) => element.getAttribute(name))
    .find(Boolean);
  const source = element.getAttribute("src");
  if (lazy && (!source || source.startsWith("data:") || /placeholder|blank|spacer|loading/i.test(source))) return lazy;
  const first = /^\s*(\S+)/.exec(element.getAttribute("srcset") ?? element.getAttribute("data-srcset") ?? "")?.[1];
  return source && !source.startsWith("data:") ? source : (lazy ?? first ?? null);
}

export function isTracker(element: DomElement): boolean {
  const [width, height] = ["width", "height"].map((name) => Number.parseInt(element.getAttribute(name) ?? "", 10));
  return (width !== undefined && width <= 2) || (height !== undefined && height <= 2);
}
