// Items of an array: rows of a table, lines of a receipt, entries of a section.

import type { Finder } from "./finder.ts";
import type { Want } from "./plan.ts";
import type { ArrayField } from "./schema.ts";
import type { Candidate } from "./spans.ts";

export interface ListRequest {
  field: ArrayField;
  name: string;
  /** Pointer of an item, "*" for its index. */
  pattern: string;
  wants: Map<string, Want>;
  finder: Finder;
}

/** For each item the candidates of its leaves, by pointer pattern. */
export function listItems(_request: ListRequest): Map<string, Candidate[]>[] {
  return [];
}
