// The schema.org objects that a page carries as JSON-LD. Much of it in the wild is slightly broken; what cannot be read is left out.

import type { DomDocument } from "./dom.ts";

export type Thing = Record<string, unknown>;

// A page that describes its whole catalogue should not cost more than the page itself.
const MAX_THINGS = 2_000;
const MAX_SCRIPT_CHARS = 2_000_000;
const MAX_DEPTH = 12;

const articleTypes =
  /(?:article|blogposting|report|liveblogposting|review|recipe|howto|qapage|podcastepisode|claimreview)$/i;

export function readLinkedData(page: DomDocument): Thing[] {
  const things: Thing[] = [];
  for (const script of page.querySelectorAll('script[type*="ld+json"]')) {
    const text = (script.textContent ?? "").slice(0, MAX_SCRIPT_CHARS);
    collect(parse(text), things, 0);
  }
  return things;
}

function parse(text: string): unknown {
  const bare = text.replace(
    /^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)|(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)\s*;?\s*$/g,
    "",
  );
  for (const attempt of [
    bare,
    bare.replace(/[\x00-\x1f]+/g, " "),
    bare.replace(/[\x00-\x1f]+/g, " ").replace(/,\s*([}\]])/g, "$1"),
  ]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // The next attempt mends a little more.
    }
  }
  return null;
}

function collect(value: unknown, things: Thing[], depth: number): void {
  if (depth > MAX_DEPTH || things.length >= MAX_THINGS || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, things, depth + 1);
    return;
  }
  const thing = value as Thing;
  if (thing["@type"] !== undefined) things.push(thing);
  for (const key of ["@graph", "mainEntity", "mainEntityOfPage", "hasPart", "itemListElement"])
    collect(thing[key], things, depth + 1);
}

export const typesOf = (thing: Thing): string[] =>
  [thing["@type"]].flat().filter((type): type is string => typeof type === "string");

/** The thing the page is about: an article, or else the page itself. */
export function mainThing(things: Thing[]): Thing | null {
  const articles = things.filter((thing) => typesOf(thing).some((type) => articleTypes.test(type)));
  const described = articles.find((thing) => thing.datePublished || thing.author);
  return described ?? articles[0] ?? things.find((thing) => typesOf(thing).includes("WebPage")) ?? null;
}

/** Names of a person, an organization, a list of them, or a reference to one elsewhere on the page. */
export function namesOf(value: unknown, things: Thing[]): string[] {
  return [value].flat(3).flatMap((item) => {
    if (typeof item === "string") return [item];
    if (typeof item !== "object" || item === null) return [];
    const { name, "@id": id } = item as Thing;
    if (name !== undefined) return [name].flat().filter((one): one is string => typeof one === "string");
    const other = things.find((thing) => id !== undefined && thing["@id"] === id && thing.name !== undefined);
    return typeof other?.name === "string" ? [other.name] : [];
  });
}

export function textOf(value: unknown): string | null {
  const first = [value].flat()[0];
  if (typeof first === "string") return first.trim() || null;
  if (typeof first === "object" && first !== null) {
    const { url, name, "@value": inner } = first as Thing;
    return textOf(inner ?? url ?? name);
  }
  return null;
}
