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
// A doubtful name counts where there is hardly text, or where it is mostly links.
const SHORT_CHARS = 160;

export function tidyPage(page: DomDocument, title: string | null): void {
  removeHidden(page.body);
  const measures = measureTree(page.body);
  removeOtherArticles(page, title, measures);
  const total = Math.max(1, measureOf(measures, page.body).prose);
  sweep(page.body, { measures, total });
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
  if (named === "boilerplate") return !isRunning(element);
  if (named === "doubtful" && !isRunning(element))
    return (
      measure.text > 0 &&
      (linkShare(measure) > 0.5 || (measure.text < SHORT_CHARS && measure.prose === 0)) &&
      !holdsMedia(element)
    );
  return false;
}

/** A quoted post of another site, named after that site. */
const isEmbed = (element: DomElement): boolean =>
  element.querySelector("blockquote") !== null && /embed|tweet|twitter|instagram|social/i.test(element.className);

/** Part of a running sentence or a paragraph itself: names there style words, they do not lay out the page. */
const isRunning = (element: DomElement): boolean =>
  /^(a|b|i|em|strong|span|code|sub|sup|td|th|tr|tbody|h1|h2|h3)$/.test(element.localName) &&
  /^(p|li|td|blockquote|h[1-6])$/.test(element.parentElement?.localName ?? "");

const holdsMedia = (element: DomElement): boolean =>
  element.localName === "img" || element.querySelector("img, table, pre") !== null;
