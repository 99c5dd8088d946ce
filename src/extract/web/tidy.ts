// Takes out of a page what is not its article: hidden parts, navigation, forms, and what its names call boilerplate. Careful with
// whatever holds much of the page's prose: a wrapper may be named after one of the many things inside it.

import { type DomDocument, type DomElement, isElement } from "./dom.ts";
import { isHidden } from "./hidden.ts";
import { linkShare, type Measures, measureOf, measureTree } from "./measure.ts";
import { isBodyNamed, isBoilerplateRole, judgeName } from "./names.ts";
import { sameTitle } from "./title.ts";

const removedTags = new Set(
  "nav dialog button select option textarea input label template noscript iframe object embed canvas audio video map menu".split(
    " ",
  ),
);
/** Not laid out by name: the page itself, the rows and cells of data, the paragraphs of a text. */
const keptTags = new Set(
  "html body main tr td th tbody thead tfoot caption col colgroup pre code blockquote figure picture img br hr".split(
    " ",
  ),
);

// A part with more of the page's prose than this is not boilerplate, whatever it is called.
const MOST_PROSE = 0.3;
// A label has hardly any text.
const SHORT_CHARS = 160;

export function tidyPage(page: DomDocument, title: string | null): void {
  removeHidden(page.body);
  const measures = measureTree(page.body);
  removeOtherArticles(page, title, measures);
  const total = Math.max(1, measureOf(measures, page.body).prose);
  sweep(page.body, { measures, total });
  removeTeasers(page.body, measures, total);
}

function removeHidden(element: DomElement): void {
  for (const child of [...element.childNodes]) {
    if (!isElement(child)) {
      if (child.nodeType === 8) child.remove();
    } else if (isHidden(child)) child.remove();
    else removeHidden(child);
  }
}

// How many times the prose of the next one the main article has to have.
const MAIN_ARTICLE_TIMES = 3;

/** Where one article is much the largest, or bears the page's title, those beside it are teasers or comments. */
function removeOtherArticles(page: DomDocument, title: string | null, measures: Measures): void {
  const articles = [...page.querySelectorAll("article")];
  const size = (element: DomElement) => measureOf(measures, element).prose;
  const largest = articles.reduce<DomElement | null>(
    (best, element) => (best && size(best) >= size(element) ? best : element),
    null,
  );
  if (!largest || size(largest) === 0) return;
  const titled =
    title === null ? undefined : articles.find((element) => size(element) > 0 && bearsTitle(element, title));
  const main = titled ?? largest;
  const others = articles.filter((element) => !element.contains(main) && !main.contains(element));
  if (titled || others.every((element) => size(main) >= size(element) * MAIN_ARTICLE_TIMES))
    for (const element of others) element.remove();
}

const bearsTitle = (element: DomElement, title: string): boolean =>
  [...element.querySelectorAll("h1, h2")].some(
    (heading) => heading.querySelector("a") === null && sameTitle(heading.textContent ?? "", title),
  );

// Three of a kind are a list; a teaser is a headline and a sentence or two.
const TEASERS = 3;
const TEASER_CHARS = 350;

/** Rows of boxes of one shape, each short and with a linked headline or picture: other articles of the site. */
function removeTeasers(element: DomElement, measures: Measures, total: number): void {
  const shapes = new Map<string, DomElement[]>();
  for (const child of element.children) {
    const shape = `${child.localName} ${child.getAttribute("class") ?? ""}`;
    const group = shapes.get(shape);
    if (group) group.push(child);
    else shapes.set(shape, [child]);
  }
  for (const group of shapes.values()) {
    const prose = group.reduce((sum, child) => sum + measureOf(measures, child).prose, 0);
    if (group.length < TEASERS || prose > total * MOST_PROSE) continue;
    if (group.every((child) => isTeaser(child, measureOf(measures, child).text)))
      for (const child of group) child.remove();
  }
  for (const child of element.children) removeTeasers(child, measures, total);
}

function isTeaser(element: DomElement, length: number): boolean {
  if (length > TEASER_CHARS || !/^(div|article|section|li|a)$/.test(element.localName)) return false;
  if (element.localName === "a") return element.querySelector("img, h2, h3, h4, h5") !== null;
  return (
    element.querySelector("h2 a, h3 a, h4 a, h5 a, h6 a, a h2, a h3, a h4, a h5, a h6") !== null ||
    hasLinkedPicture(element)
  );
}

/** A link to the picture's own file opens it larger; it does not lead to another page. */
const hasLinkedPicture = (element: DomElement): boolean =>
  [...element.querySelectorAll("a")].some(
    (link) =>
      link.querySelector("img") !== null &&
      !/\.(?:jpe?g|png|gif|webp|avif)(?:$|\?)/i.test(link.getAttribute("href") ?? ""),
  );

interface Sweep {
  measures: Measures;
  total: number;
}

function sweep(element: DomElement, context: Sweep): void {
  for (const child of [...element.children]) {
    if (isBoilerplate(child, context)) child.remove();
    else sweep(child, context);
  }
}

function isBoilerplate(element: DomElement, { measures, total }: Sweep): boolean {
  const name = element.localName;
  if (keptTags.has(name)) return false;
  const measure = measureOf(measures, element);
  const share = measure.prose / total;
  if (share > MOST_PROSE) return false;
  if (removedTags.has(name)) return true;
  if (isBodyNamed(element)) return false;
  if (isBoilerplateRole(element)) return true;
  if (name === "footer" && element.closest("article, blockquote") === null) return true;
  if (name === "aside" || name === "form") return share < 0.15;
  if (isEmbed(element)) return false;
  const named = judgeName(element);
  if (named === null || isRunning(element)) return false;
  if (named === "boilerplate") return true;
  if (measure.text === 0 || element.localName === "li") return false;
  if (linkShare(measure) > 0.5) return true;
  return named === "label" && measure.text < SHORT_CHARS && measure.prose === 0 && !holdsMedia(element);
}

/** A quoted post of another site, named after that site. */
const isEmbed = (element: DomElement): boolean =>
  /embed|tweet|twitter|instagram|social/i.test(element.className) && element.querySelector("blockquote") !== null;

/** Part of a running sentence or a paragraph itself: names there style words, they do not lay out the page. */
const isRunning = (element: DomElement): boolean =>
  /^(a|abbr|b|cite|i|em|font|mark|small|strong|span|code|sub|sup|u)$/.test(element.localName) &&
  /^(p|li|dd|blockquote|h[1-6])$/.test(element.parentElement?.localName ?? "");

const holdsMedia = (element: DomElement): boolean =>
  element.localName === "img" || element.querySelector("img, table, pre") !== null;
