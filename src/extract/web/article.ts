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

export interface ArticleHints {
  title: string | null;
  /** The body as the page's own data repeats it; often cut, sometimes absent. */
  body: string | null;
}

/** The parts of the page that are its article, in order. */
export function findArticle(page: DomDocument, { title, body }: ArticleHints): DomElement[] {
  const whole = page.cloneNode(true);
  const before = proseOf([page.body]);
  tidyPage(page, title);
  const roots = locate(page).map(narrow);
  for (const root of roots) clearLinks(root);

  // A page whose names mislead is better read with some boilerplate than without its article.
  const found = proseOf(roots);
  const missed = body !== null && coverage(roots, body) < LEAST_COVERED;
  if (!missed && (found >= ENOUGH_PROSE || found >= before * LEAST_PROSE)) return roots;
  const others = [locate(whole), [page.body], [whole.body]];
  if (missed) return others.find((other) => coverage(other, body) > MOST_COVERED) ?? roots;
  return proseOf(others[0]!) > found * 3 ? others[0]! : roots;
}

// Less than this, and little of what the page has, may be only a part of the article.
const ENOUGH_PROSE = 400;
const LEAST_PROSE = 0.25;
const LEAST_COVERED = 0.5;
const MOST_COVERED = 0.8;

function proseOf(roots: DomElement[]): number {
  return roots.reduce((sum, root) => sum + measureOf(measureTree(root), root).prose, 0);
}

// So many samples of so many words tell how much of a text another one has.
const SAMPLES = 40;
const SAMPLE_WORDS = 5;

function coverage(roots: DomElement[], body: string): number {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const text = ` ${roots.flatMap((root) => words(root.textContent ?? "")).join(" ")} `;
  const wanted = words(body);
  const step = Math.max(1, Math.floor((wanted.length - SAMPLE_WORDS) / SAMPLES));
  let hits = 0;
  let samples = 0;
  for (let at = 0; at + SAMPLE_WORDS <= wanted.length; at += step) {
    samples++;
    if (text.includes(` ${wanted.slice(at, at + SAMPLE_WORDS).join(" ")} `)) hits++;
  }
  return samples === 0 ? 1 : hits / samples;
}

// Readability reads the text of every element again and again: the sum of all their texts is what it costs, about 1 s for 10 million
// characters. A news page has 2 million; a long book as one page 20 million.
const MAX_COST = 40_000_000;
// And about 1 s for 20,000 elements; a page of news has 2,000.
const MAX_ELEMENTS = 60_000;

/** Readability works on a copy and cleans more than it should; only the places it chose are taken over. */
function locate(page: DomDocument): DomElement[] {
  const measures = measureTree(page.body);
  let cost = 0;
  for (const { text } of measures.values()) cost += text;
  if (cost > MAX_COST || measures.size > MAX_ELEMENTS) return [page.body];
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
