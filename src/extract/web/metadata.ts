// What a page says about itself: JSON-LD, OpenGraph and other meta tags, microdata, and last its markup.

import { isoDate } from "./dates.ts";
import type { DomDocument, DomElement } from "./dom.ts";
import { isHidden } from "./hidden.ts";
import { mainThing, namesOf, readLinkedData, type Thing, textOf, typesOf } from "./linked-data.ts";
import { nameWords } from "./names.ts";
import { chooseTitle } from "./title.ts";
import { resolveUrl } from "./urls.ts";
import { textWithin } from "./words.ts";

export interface PageMetadata {
  title: string | null;
  authors: string[];
  language: string | null;
  published_at: string | null;
  metadata: Record<string, unknown>;
  baseUrl: string | null;
  /** The article's text, where the page's data repeats it. */
  body: string | null;
}

export function readMetadata(page: DomDocument, url: string | null): PageMetadata {
  const meta = readMetaTags(page);
  const things = readLinkedData(page);
  const main = mainThing(things);
  const first = (...names: string[]): string | null => names.map((name) => meta.get(name)?.[0]).find(Boolean) ?? null;
  const canonical = page.querySelector('link[rel="canonical"]')?.getAttribute("href") ?? null;
  const address = resolveUrl(canonical ?? first("og:url"), url) ?? url;
  const base = resolveUrl(page.querySelector("base[href]")?.getAttribute("href") ?? null, url ?? address);
  const baseUrl = base ?? url ?? (address && /^https?:/i.test(address) ? address : null);
  const named =
    first("og:site_name", "application-name", "al:ios:app_name") ?? namesOf(main?.publisher, things)[0] ?? null;
  const site = named && /^(?:https?:|@)/.test(named) ? (namesOf(main?.publisher, things)[0] ?? null) : named;

  const described = {
    description:
      first("og:description", "description", "twitter:description", "dc.description") ?? textOf(main?.description),
    site: clean(site),
    url: address,
    image: resolveUrl(
      first("og:image", "og:image:url", "twitter:image", "twitter:image:src") ??
        textOf(main?.image) ??
        textOf(main?.thumbnailUrl),
      baseUrl,
    ),
    modified_at: isoDate(
      textOf(main?.dateModified) ??
        first("article:modified_time", "og:updated_time", "last-modified", "dcterms.modified", "datemodified"),
    ),
    section: clean(first("article:section", "parsely-section") ?? textOf(main?.articleSection)),
    keywords: keywordsOf(meta, main),
    type: clean(first("og:type") ?? (main ? (typesOf(main)[0] ?? null) : null)),
  };
  const kept = Object.entries(described).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return {
    title: chooseTitle(page, {
      headline: textOf(main?.headline) ?? textOf(main?.name),
      meta: first("og:title", "twitter:title", "citation_title", "dc.title", "parsely-title", "sailthru.title"),
      site,
    }),
    authors: authorsOf(page, meta, main, things, site),
    language: languageOf(
      page,
      first("og:locale", "language", "dc.language", "content-language") ?? textOf(main?.inLanguage),
    ),
    published_at: publishedAt(page, meta, main),
    metadata: Object.fromEntries(kept),
    baseUrl,
    body: bodyOf(main),
  };
}

// Shorter than this it is a summary.
const MIN_BODY_CHARS = 400;

function bodyOf(main: Thing | null): string | null {
  const body = textOf(main?.articleBody)?.replace(/<[^<>]{0,1000}>/g, " ") ?? "";
  return body.length >= MIN_BODY_CHARS ? body : null;
}

const clean = (text: string | null): string | null => text?.replace(/\s+/g, " ").trim() || null;

// Pages have some dozens; a thousand is a trap.
const MAX_META_TAGS = 1000;

function readMetaTags(page: DomDocument): Map<string, string[]> {
  const meta = new Map<string, string[]>();
  for (const tag of [...page.querySelectorAll("meta")].slice(0, MAX_META_TAGS)) {
    const content = tag.getAttribute("content")?.trim();
    const name = tag.getAttribute("property") ?? tag.getAttribute("name") ?? tag.getAttribute("http-equiv");
    if (!content || !name) continue;
    for (const one of name.toLowerCase().split(/\s+/)) meta.set(one, [...(meta.get(one) ?? []), content]);
  }
  return meta;
}

function keywordsOf(meta: Map<string, string[]>, main: Thing | null): string[] {
  const said =
    meta.get("keywords") ??
    meta.get("news_keywords") ??
    meta.get("article:tag") ??
    [main?.keywords].flat().filter((word) => typeof word === "string");
  return [...new Set(said.flatMap((list) => list.split(/[,;]/)).map((word) => word.trim()))]
    .filter(Boolean)
    .slice(0, 50);
}

function languageOf(page: DomDocument, other: string | null): string | null {
  const said =
    page.documentElement.getAttribute("lang") ||
    page.documentElement.getAttribute("xml:lang") ||
    page.body.getAttribute("lang") ||
    other;
  const tag = said?.trim().replaceAll("_", "-") ?? "";
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) ? tag : null;
}

const publishedTags = [
  "article:published_time",
  "og:published_time",
  "datepublished",
  "date",
  "pubdate",
  "publishdate",
  "publish_date",
  "publish-date",
  "parsely-pub-date",
  "sailthru.date",
  "citation_publication_date",
  "citation_date",
  "dc.date.issued",
  "dc.date",
  "dcterms.created",
  "dcterms.issued",
  "article.published",
  "article:published",
  "cxenseparse:recs:publishtime",
  "rnews:datepublished",
];

function publishedAt(page: DomDocument, meta: Map<string, string[]>, main: Thing | null): string | null {
  const stated = [
    textOf(main?.datePublished),
    textOf(main?.dateCreated),
    textOf(main?.uploadDate),
    ...publishedTags.map((name) => meta.get(name)?.[0]),
  ];
  for (const text of stated) {
    const date = isoDate(text);
    if (date) return date;
  }
  for (const element of page.querySelectorAll(
    '[itemprop~="datePublished"], [pubdate], time[datetime], abbr.published, time',
  ))
    if (!element.closest("aside, nav, footer")) {
      const date = isoDate(
        element.getAttribute("content") ??
          element.getAttribute("datetime") ??
          element.getAttribute("title") ??
          element.textContent,
      );
      if (date) return date;
    }
  return dateInMarkup(page);
}

const dateWords = new Set(
  "date datetime dateline timestamp published pubdate publishdate postdate time posted datum fecha data".split(" "),
);
// The date of an article stands near its head; this many named parts are looked at.
const MAX_NAMED = 40;

function dateInMarkup(page: DomDocument): string | null {
  let looked = 0;
  for (const element of page.querySelectorAll("[class], [id]")) {
    if (!nameWords(element).some((word) => dateWords.has(word))) continue;
    if (textWithin(element, 120) === null || isHidden(element)) continue;
    const text = element.textContent ?? "";
    const date = isoDate(text);
    if (date) return date;
    if (++looked > MAX_NAMED) return null;
  }
  return null;
}

function authorsOf(
  page: DomDocument,
  meta: Map<string, string[]>,
  main: Thing | null,
  things: Thing[],
  site: string | null,
): string[] {
  const stated = [
    () => namesOf(main?.author ?? main?.creator, things),
    () =>
      [
        "author",
        "article:author",
        "byl",
        "parsely-author",
        "sailthru.author",
        "dc.creator",
        "dcterms.creator",
        "citation_author",
        "article:author_name",
        "twitter:data1",
      ].flatMap((name) =>
        name === "twitter:data1" && !/written|author/i.test(meta.get("twitter:label1")?.[0] ?? "")
          ? []
          : (meta.get(name) ?? []),
      ),
    () => [...page.querySelectorAll('[itemprop~="author"]')].slice(0, MAX_AUTHORS).map((element) => nameIn(element)),
    () =>
      [...page.querySelectorAll('a[rel~="author"]')].slice(0, MAX_AUTHORS).map((element) => element.textContent ?? ""),
    () => bylines(page),
  ];
  for (const find of stated) {
    const names = splitNames(find()).filter((name) => name.toLowerCase() !== site?.toLowerCase());
    if (names.length) return names;
  }
  return [];
}

const nameIn = (element: DomElement): string =>
  element.querySelector('[itemprop~="name"]')?.textContent ??
  element.getAttribute("content") ??
  element.textContent ??
  "";

const authorWords = new Set("byline author authors autor auteur autore writer".split(" "));

function bylines(page: DomDocument): string[] {
  for (const element of page.querySelectorAll("[class], [id]")) {
    if (!nameWords(element).some((word) => authorWords.has(word)) || isHidden(element)) continue;
    if (textWithin(element, 120) === null) continue;
    const text = clean(element.textContent)?.replace(/\s*[|·•].*$/, "") ?? "";
    // A name is two to five words with capitals; anything else in such a place is not one.
    if (
      /^(?:(?:by|von|par|por|di|door|av|автор:?|text:)\s+)?\p{Lu}[\p{L}.'’-]*(?:\s+(?:(?:and|und|et|y|e|&|de|van|von|der|da|di)\s+)?\p{Lu}[\p{L}.'’-]*){1,6}$/iu.test(
        text,
      ) &&
      text.length < 80 &&
      /\p{Lu}\p{L}+\s+\p{Lu}/u.test(text)
    )
      return [text];
  }
  return [];
}

// More names than this are the staff, not the authors.
const MAX_AUTHORS = 20;

function splitNames(names: string[]): string[] {
  const found = names
    .flatMap((name) =>
      (clean(name) ?? "")
        .replace(/^(?:by|von|par|por|di|door|written by|author:|autor:|автор:|text:|текст:)\s+/i, "")
        .split(/\s*(?:;|,(?!\s*(?:jr|sr|phd|md|m\.d)\b)|\s+(?:and|und|et|&|y)\s+)\s*/i),
    )
    .map((name) => name.replace(/\s*[|(<].*$/, "").trim())
    // Degrees and titles behind a comma are not people.
    .filter((name) => !/^\p{Lu}{1,4}$/u.test(name) || names.some((whole) => whole.trim() === name))
    .filter((name) => name.length > 1 && name.length < 80 && !/^https?:|@|^\d+$|\.(?:com|org|net)$/i.test(name));
  return [...new Set(found)].slice(0, MAX_AUTHORS);
}
