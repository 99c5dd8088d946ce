// Finds the article of a page: tidies the page, lets Readability choose where in it the article is, widens or narrows that choice to
// the part the page itself names as the body, and clears it of lists of links.

import { Readability } from "@mozilla/readability";
import type { DomDocument, DomElement } from "./dom.ts";
import { linkShare, measureOf, measureTree } from "./measure.ts";
import { isBodyNamed } from "./names.ts";
import { tidyPage } from "./tidy.ts";

// Readability tries again with laxer rules while it finds less than this many characters.
const ENOUGH_CHARS = 300;
// A named body must hold this much of the prose that was found, or it is the body of something else.
const BODY_SHARE = 0.75;
const MARK = "data-extract-node";

/** The parts of the page that are its article, in order. */
export function findArticle(page: DomDocument, title: string | null): DomElement[] {
  const whole = page.cloneNode(true);
  const before = proseOf(page);
  tidyPage(page, title);
  // A page whose names mislead is better read with its boilerplate than not at all.
  if (proseOf(page) < Math.min(before * LEAST_PROSE, ENOUGH_PROSE)) return locate(whole);
  const roots = locate(page).map(narrow);
  for (const root of roots) clearLinks(root);
  return roots;
}

// Less prose than this after tidying, of a page that had several times as much, means that the article itself was taken out.
const ENOUGH_PROSE = 500;
const LEAST_PROSE = 0.25;

const proseOf = (page: DomDocument): number => measureOf(measureTree(page.body), page.body).prose;

/** Readability works on a copy and cleans more than it should; only the places it chose are taken over. */
function locate(page: DomDocument): DomElement[] {
  const elements = [...page.body.querySelectorAll("*")];
  for (const [i, element] of elements.entries()) element.setAttribute(MARK, String(i));
  const reader = new Readability<DomElement>(page.cloneNode(true) as never, {
    charThreshold: ENOUGH_CHARS,
    keepClasses: true,
    serializer: (element) => element as unknown as DomElement,
  });
  const found = reader.parse()?.content;
  for (const element of elements) element.removeAttribute(MARK);
  const chosen = found ? topMarks(found, elements) : [];
  return chosen.length > 0 ? chosen : [page.body];
}

function topMarks(element: DomElement, elements: DomElement[]): DomElement[] {
  const mark = element.getAttribute(MARK);
  const original = mark === null ? undefined : elements[Number(mark)];
  if (original) return [original];
  return [...element.children].flatMap((child) => topMarks(child, elements));
}

/** The smallest part named as a body that still holds most of the prose. */
function narrow(root: DomElement): DomElement {
  const measures = measureTree(root);
  const total = measureOf(measures, root).prose;
  let best = root;
  for (const element of root.querySelectorAll("div, section, article, main, td")) {
    if (measureOf(measures, element).prose >= total * BODY_SHARE && isBodyNamed(element)) best = element;
  }
  return best;
}

/** Parts that are mostly links and hold no prose: teasers, lists of topics, tables of other pages. */
function clearLinks(root: DomElement): void {
  const measures = measureTree(root);
  for (const element of root.querySelectorAll("div, section, aside, header, footer, article, center")) {
    const measure = measureOf(measures, element);
    if (measure.text === 0 || measure.prose > 0) continue;
    if (linkShare(measure) > 0.6 && element.querySelector("table, pre") === null) element.remove();
  }
}
