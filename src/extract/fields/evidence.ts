// Where in the document a value was read. The public JSON of `evidence`.

import type { Box } from "../document.ts";

/** One stretch of an element's text (or of a table cell's). */
export interface Place {
  text: string;
  page: number;
  bbox: Box | null;
  element: string;
  /** Kinds without pages: offsets into the text of the element, or of the cell where `cell` or `row` say so. */
  range?: [start: number, end: number];
  /** Spreadsheets: the name of the sheet, and the cell's address. */
  sheet?: string;
  cell?: string;
  /** A value in a table: its cell's row and column, from 0. */
  row?: number;
  column?: number;
}

export interface Alternative extends Place {
  value: unknown;
  confidence: number;
}

export interface Evidence extends Partial<Place> {
  state: "found" | "missing" | "ambiguous";
  confidence: number;
  alternatives: Alternative[];
  /** Where a value spans several elements: each stretch. `text` is theirs, one a line, `bbox` holds those of the first page. */
  parts?: Place[];
}

export function missing(): Evidence {
  return { state: "missing", confidence: 0, alternatives: [] };
}
