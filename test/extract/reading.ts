// Runs the engine on bytes or text that a test made.
import {
  defaultLimits,
  defaultOptions,
  type Extracted,
  type ExtractOptions,
  extract,
} from "../../src/extract/extract.ts";

export interface Given {
  name?: string;
  contentType?: string;
  url?: string;
  options?: Partial<ExtractOptions>;
  schema?: unknown;
}

export function read(content: string | Uint8Array, given: Given = {}): Promise<Extracted> {
  return extract({
    bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
    name: given.name ?? null,
    contentType: given.contentType ?? null,
    url: given.url ?? null,
    options: { ...defaultOptions, ...given.options },
    schema: given.schema ?? null,
    limits: defaultLimits,
  });
}

/** Type, level or marker, and text of each element: the shape of a document in a line each. */
export function outline({ document }: Extracted): string[] {
  return document.elements!.map(({ type, level, marker, text }) =>
    [type, type === "heading" ? level : marker, text].filter((part) => part !== undefined).join(" "),
  );
}

/** The rows of the nth table, cells as text. */
export function rowsOf({ document }: Extracted, nth = 0): string[][] {
  const rows: string[][] = [];
  for (const { row, column, text } of document.tables![nth]!.cells) {
    rows[row] ??= [];
    rows[row][column] = text;
  }
  return rows;
}
