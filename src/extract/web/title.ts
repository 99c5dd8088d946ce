// The title of a page, without the name of the site that templates put beside it.

import type { DomDocument } from "./dom.ts";
import { isHidden } from "./hidden.ts";

export interface TitleHints {
  headline: string | null;
  meta: string | null;
  site: string | null;
}

export function chooseTitle(page: DomDocument, { headline, meta, site }: TitleHints): string | null {
  const titles = [headline, meta, page.title].map((title) => clean(title)).filter((title) => title !== "");
  const headings = [...page.querySelectorAll("h1")]
    .filter((heading) => !isHidden(heading))
    .map((heading) => clean(heading.textContent));
  // The heading a reader sees, where the page's own words for itself agree with it.
  const logo = (heading: string) => site !== null && letters(heading) === letters(site);
  const seen = headings.find(
    (heading) => heading !== "" && !logo(heading) && titles.some((title) => sameTitle(heading, title)),
  );
  if (seen) return seen;
  const [stated] = titles;
  if (stated) return withoutSite(stated, site);
  return headings.find((heading) => heading !== "") ?? null;
}

const clean = (text: string | null | undefined): string => text?.replace(/\s+/g, " ").trim() ?? "";

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** One is in the other, or they share most of their words. */
export function sameTitle(a: string, b: string): boolean {
  const [first, second] = [wordsOf(a), new Set(wordsOf(b))];
  if (first.length === 0 || second.size === 0) return false;
  const common = first.filter((word) => second.has(word)).length;
  return common >= first.length * 0.7 && common >= Math.min(second.size * 0.5, 4);
}

/** "Headline | Site" and "Site: Headline", by the site's name or by the longer side. */
function withoutSite(title: string, site: string | null): string {
  const parts = title.split(/\s+[|·•–—»›-]\s+|\s+::\s+/);
  if (parts.length < 2) return title;
  const isSite = (part: string) => site !== null && letters(part) === letters(site);
  if (isSite(parts.at(-1)!)) return title.slice(0, title.lastIndexOf(parts.at(-1)!)).replace(/[\s|·•–—»›:-]+$/, "");
  if (isSite(parts[0]!)) return title.slice(parts[0]!.length).replace(/^[\s|·•–—»›:-]+/, "");
  const last = parts.at(-1)!;
  // A short tail after a bar is a site or a section; after a dash it may belong to the headline.
  return /[|·•»›]|::/.test(title) && wordsOf(last).length <= 4 && wordsOf(title).length > 6
    ? title.slice(0, title.lastIndexOf(last)).replace(/[\s|·•–—»›:-]+$/, "")
    : title;
}
