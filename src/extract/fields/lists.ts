// Items of an array: rows of a table, lines of a receipt, entries of a section, words of a list.

import { entryItems } from "./entries.ts";
import type { Finder } from "./finder.ts";
import { lineItems } from "./item-lines.ts";
import { planList, type Want } from "./plan.ts";
import type { ArrayField } from "./schema.ts";
import { sectionsOf } from "./sections.ts";
import { type Item, tableItems } from "./tables.ts";
import { wordList } from "./word-lists.ts";

export interface ListRequest {
  field: ArrayField;
  name: string;
  /** Pointer of an item, with a sign for its index; also the id of the list's own label. */
  pattern: string;
  wants: Map<string, Want>;
  finder: Finder;
}

const sectioned = new Set(["experience", "education", "projects", "certifications"]);

/** For each item the candidates of its leaves, by pointer pattern. */
export function listItems(request: ListRequest): Item[] {
  const { field, name, pattern, wants, finder } = request;
  const leaf = wants.get(pattern);
  if (leaf) return wordList(leaf, finder).map((candidate) => new Map([[pattern, [candidate]]]));
  const inner = [...wants].filter(([key]) => key.startsWith(`${pattern}/`));
  if (!inner.length) return [];
  const concept = planList(field, name);
  const fromSections = (): Item[] => {
    const labels = new Map([[`list:${pattern}`, 1]]);
    if (concept) labels.set(concept, 1);
    for (const section of sectionsOf(finder, labels)) {
      const items = entryItems(inner, section.body);
      if (items.length) return items;
    }
    return [];
  };
  if (concept && sectioned.has(concept)) {
    const items = fromSections();
    if (items.length) return items;
  }
  const rows = tableItems(inner, finder);
  const lines = lineItems(inner, finder);
  if (rows.length && fill(rows) >= fill(lines) * 0.8) return rows;
  if (lines.length) return lines;
  return rows.length ? rows : fromSections();
}

/** Leaves filled in all items: the reading that fills more read the right place. */
const fill = (items: Item[]): number => items.reduce((sum, item) => sum + item.size, 0);
