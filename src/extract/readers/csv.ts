// CSV and TSV: the dialect is told from the text, the rows become one table with the first row as header where it reads like one.

import { Fault } from "../../errors.ts";
import type { Cell, Reader } from "../document.ts";
import { decodeSource, pageless } from "./text.ts";

export interface Dialect {
  separator: string;
  quote: '"' | "'";
}

// A million cells are 108 MB of JSON and 630 MB of memory; beyond that nobody can use the answer.
const MAX_CELLS = 1_000_000;
// Rows that the guess of the dialect looks at.
const SAMPLE_ROWS = 100;
const SAMPLE_CHARS = 64 * 1024;

export const readCsv: Reader = async (source, reading) => {
  const text = decodeSource(source, reading);
  // Excel's own line for the separator; not a row.
  const told = /^sep=([^\n])\n/i.exec(text);
  const body = told ? text.slice(told[0].length) : text;
  const dialect = told ? { separator: told[1]!, quote: '"' as const } : sniffDialect(body);
  const rows = parseCsv(body, dialect);
  const header = hasHeader(rows);
  const cells: Cell[] = rows.flatMap((row, r) =>
    row.map((value, column) => ({
      row: r,
      column,
      row_span: 1,
      column_span: 1,
      text: value.trim(),
      header: header && r === 0,
      bbox: null,
    })),
  );
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const ragged = rows.filter((row) => row.length !== rows[0]!.length).length;
  if (ragged > 0)
    reading.warn({
      code: "ragged_rows",
      message: `${ragged} of ${rows.length} rows have another number of cells than the first.`,
    });
  const table = { page: 1, bbox: null, rows: rows.length, columns, caption: null, cells };
  const { separator, quote } = dialect;
  return pageless([{ type: "table", text: "", page: 1, bbox: null, table }], {
    metadata: { separator, quote, header, rows: rows.length, columns },
  });
};

/** Rows of values; rows without any text are left out. */
export function parseCsv(text: string, { separator, quote }: Dialect, maxRows = Number.POSITIVE_INFINITY): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cells = 0;
  let at = 0;
  const endRow = () => {
    if (row.some((value) => value !== "")) rows.push(row);
    row = [];
  };
  while (at < text.length && rows.length < maxRows) {
    let value = "";
    let from = at;
    while (text[from] === " " && separator !== " ") from++;
    if (text[from] === quote) {
      [value, at] = readQuoted(text, from + 1, quote);
      // What follows a closing quote up to the separator belongs to the value in a sloppy file.
      const end = endOfValue(text, at, separator);
      value += text.slice(at, end).trimEnd();
      at = end;
    } else {
      const end = endOfValue(text, at, separator);
      value = text.slice(at, end);
      at = end;
    }
    row.push(value);
    if (++cells > MAX_CELLS)
      throw new Fault("document_too_complex", { detail: `The table has more than ${MAX_CELLS} cells.` });
    if (text[at] === "\n" || at >= text.length) endRow();
    else if (at === text.length - 1) row.push("");
    at++;
  }
  endRow();
  return rows;
}

function readQuoted(text: string, from: number, quote: string): [value: string, end: number] {
  let value = "";
  let at = from;
  for (;;) {
    const end = text.indexOf(quote, at);
    // A quote that never closes is not one: the value ends with its line, so that one slip does not swallow the file.
    if (end < 0) {
      const line = text.indexOf("\n", from);
      return [quote + text.slice(from, line < 0 ? text.length : line), line < 0 ? text.length : line];
    }
    value += text.slice(at, end);
    if (text[end + 1] !== quote) return [value, end + 1];
    value += quote;
    at = end + 2;
  }
}

function endOfValue(text: string, from: number, separator: string): number {
  for (let at = from; at < text.length; at++) if (text[at] === separator || text[at] === "\n") return at;
  return text.length;
}

/** The separator and quote that give the most rows of the same width, two columns at least. */
export function sniffDialect(text: string): Dialect {
  const cut =
    text.length > SAMPLE_CHARS ? text.slice(0, text.lastIndexOf("\n", SAMPLE_CHARS) + 1 || SAMPLE_CHARS) : text;
  let best: { dialect: Dialect; score: number } = { dialect: { separator: ",", quote: '"' }, score: 0 };
  for (const separator of [",", ";", "\t", "|", ":"])
    for (const quote of ['"', "'"] as const) {
      const dialect = { separator, quote };
      const rows = parseCsv(cut, dialect, SAMPLE_ROWS);
      const widths = rows.map((row) => row.length);
      const common = mostCommon(widths);
      if (common < 2) continue;
      const share = widths.filter((width) => width === common).length / widths.length;
      // Even rows count most, then their width. A colon stands in times, an apostrophe in words: both must win clearly.
      const doubt = (separator === ":" ? 0.5 : 1) * (quote === "'" ? 0.9 : 1);
      const score = share * share * (1 + Math.log2(common) / 10) * doubt * (1 - torn(rows));
      if (score > best.score) best = { dialect, score };
    }
  return best.dialect;
}

/** Share of the values that begin or end with a quote: they were torn apart at a separator inside it. */
function torn(rows: string[][]): number {
  const values = rows.flat();
  return values.filter((value) => /^\s*["']|["']\s*$/.test(value)).length / Math.max(1, values.length);
}

function mostCommon(numbers: number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  let best = 0;
  for (const [number, count] of counts) if (count > (counts.get(best) ?? 0)) best = number;
  return best;
}

const isNumber = (value: string): boolean => /^[-+(]?[\p{Sc}\s]*\d[\d.,\s'%)]*\p{Sc}?$/u.test(value.trim());
const isDate = (value: string): boolean => /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/.test(value.trim());
const isValue = (value: string): boolean => isNumber(value) || isDate(value);

/** A first row of distinct words over columns that hold something else: values, or words that come again. */
function hasHeader(rows: string[][]): boolean {
  const [first, ...rest] = rows.slice(0, SAMPLE_ROWS);
  if (!first || rest.length === 0) return false;
  const named = first.filter((value) => value.trim() !== "");
  if (named.length < first.length * 0.5 || named.some(isValue)) return false;
  if (new Set(named.map((value) => value.trim().toLowerCase())).size < named.length) return false;
  // Nothing below speaks against it: a table of words has a header more often than not.
  return !first.some((value, column) => rest.some((row) => row[column] === value && value.trim() !== ""));
}
