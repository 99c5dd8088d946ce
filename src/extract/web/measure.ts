// How much text a part of a page has, how much of it is prose, and how much of it is links. Counted once for a whole tree.

import { type DomElement, type DomNode, isElement, TEXT } from "./dom.ts";

export interface Measure {
  /** Characters of visible text, white space collapsed roughly. */
  text: number;
  /** Of them inside links. */
  link: number;
  /** Of them in runs that read as sentences. */
  prose: number;
}

export type Measures = Map<DomElement, Measure>;

// Below this a run of text is a label, a menu entry or a name.
const PROSE_CHARS = 80;
const blockTag =
  /^(address|article|aside|blockquote|body|center|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|li|main|nav|ol|p|pre|section|table|tbody|td|tr|ul)$/;
const none: Measure = { text: 0, link: 0, prose: 0 };

export function measureTree(root: DomElement): Measures {
  const measures: Measures = new Map();
  visit(root, false, measures);
  return measures;
}

function visit(element: DomElement, inLink: boolean, measures: Measures): Measure {
  const linked = inLink || element.localName === "a";
  const sum = { ...none };
  // Text of inline children runs together; a block child ends the run.
  let run = 0;
  let runLink = 0;
  const endRun = () => {
    if (run >= PROSE_CHARS && runLink < run * 0.5) sum.prose += run;
    run = 0;
    runLink = 0;
  };
  for (const child of element.childNodes as Iterable<DomNode>) {
    if (child.nodeType === TEXT) {
      const length = textLength(child.textContent ?? "");
      sum.text += length;
      if (linked) sum.link += length;
      run += length;
      if (linked) runLink += length;
    } else if (isElement(child)) {
      const inner = visit(child, linked, measures);
      sum.text += inner.text;
      sum.link += inner.link;
      if (blockTag.test(child.localName)) {
        endRun();
        sum.prose += inner.prose;
      } else {
        // What an inline child counted as prose on its own is counted again with the run around it.
        run += inner.text;
        runLink += inner.link;
      }
    }
  }
  if (blockTag.test(element.localName)) endRun();
  else if (run >= PROSE_CHARS && runLink < run * 0.5) sum.prose = run;
  measures.set(element, sum);
  return sum;
}

// Past this it is long in any script, and counting more exactly changes no decision.
const LONG_CHARS = 5_000;

/** Length of a text in the measure of alphabetic scripts: an ideograph says as much as two or three letters. */
export function textLength(text: string): number {
  if (text.length > LONG_CHARS) return text.length;
  const plain = text.replace(/\s+/g, " ").trim();
  const ideographs = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(plain)
    ? (plain.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0)
    : 0;
  return plain.length + ideographs * 1.5;
}

export const measureOf = (measures: Measures, element: DomElement): Measure => measures.get(element) ?? none;

export const linkShare = ({ text, link }: Measure): number => (text === 0 ? 0 : link / text);
