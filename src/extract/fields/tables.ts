// Items of a list from the tables of the document: columns by their heads, rows to items, over page breaks.

import type { Cell, Table } from "../document.ts";
import { readCell } from "./cells.ts";
import { matchColumns } from "./columns.ts";
import type { Finder } from "./finder.ts";
import { findPhrases } from "./labels.ts";
import type { Want } from "./plan.ts";
import type { Candidate } from "./spans.ts";
import type { Source } from "./view.ts";

export type Item = Map<string, Candidate[]>;

/** Rows at the top of a table that may be its head. */
const HEAD_ROWS = 6;
/** Rows of one list: a spreadsheet of a million rows is not a field of a document. */
const MAX_ITEMS = 10_000;

interface Shape {
  columns: Map<number, string>;
  head: number;
  score: number;
}

export function tableItems(wants: [string, Want][], finder: Finder): Item[] {
  const tables = finder.view.document.elements.filter((element) => element.table);
  const shapes = tables.map((element) => shapeOf(wants, element.table!));
  const need = Math.min(2, wants.length);
  let best = -1;
  shapes.forEach((shape, i) => {
    if (shape && shape.columns.size >= need && (best < 0 || shape.score > shapes[best]!.score + 0.01)) best = i;
  });
  if (best < 0) return [];
  const first = shapes[best]!;
  const items: Item[] = [];
  for (let i = best; i < tables.length && items.length < MAX_ITEMS; i++) {
    const table = tables[i]!.table!;
    const own = shapes[i];
    const same = own !== null && own !== undefined && sameColumns(own, first);
    // The next page goes on without a head: as many columns, and directly after
    const goesOn =
      i > best &&
      !same &&
      table.columns === tables[best]!.table!.columns &&
      (own === null || own === undefined || own.columns.size < need);
    if (i !== best && !same && !goesOn) continue;
    if (i !== best && !same && items.length === 0) continue;
    readRows(wants, table, tables[i]!.id, same || i === best ? (own ?? first) : { ...first, head: -1 }, finder, items);
  }
  return items;
}

const sameColumns = (a: Shape, b: Shape): boolean =>
  a.columns.size === b.columns.size && [...a.columns].every(([column, pattern]) => b.columns.get(column) === pattern);

function shapeOf(wants: [string, Want][], table: Table): Shape | null {
  let best: Shape | null = null;
  for (let row = 0; row < Math.min(HEAD_ROWS, table.rows); row++) {
    const heads: string[] = Array.from({ length: Math.min(table.columns, 200) }, () => "");
    let numbers = 0;
    for (const cell of table.cells) {
      if (cell.row > row || cell.row + cell.row_span <= row) continue;
      if (/^[\p{Sc}\s]*-?\d[\d.,\s]*%?$/u.test(cell.text)) numbers++;
      const split = cell.column_span > 1 ? splitHead(cell, table) : null;
      if (split) for (const [column, text] of split) heads[column] = text;
      else
        for (let column = cell.column; column < cell.column + cell.column_span && column < heads.length; column++)
          heads[column] = cell.text.replace(/\s+/g, " ");
    }
    if (numbers > 1) continue;
    const columns = matchColumns(wants, heads);
    const score = columns.size + (table.rows - row > 1 ? 0.2 : 0) - row * 0.05 + Math.min(0.15, table.rows / 200);
    if (columns.size && (!best || score > best.score)) best = { columns, head: row, score };
  }
  return best;
}

/** Heads that the layout joined, "Qty Price Total" over three columns: each label goes to the column it stands over. */
function splitHead(cell: Cell, table: Table): [number, string][] | null {
  const hits = findPhrases(cell.text.slice(0, 200)).filter((hit, i, all) => i === 0 || hit.start >= all[i - 1]!.end);
  if (hits.length < 2) return null;
  const text = (hit: { start: number; end: number }): string => cell.text.slice(hit.start, hit.end);
  if (!cell.words?.length)
    return hits.length === cell.column_span ? hits.map((hit, i) => [cell.column + i, text(hit)]) : null;
  const out: [number, string][] = [];
  for (const hit of hits) {
    const words = cell.words.filter((word) => word.end > hit.start && word.start < hit.end);
    if (!words.length) continue;
    const middle =
      (Math.min(...words.map((word) => word.bbox[0])) + Math.max(...words.map((word) => word.bbox[2]))) / 2;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const other of table.cells) {
      if (
        other.column_span !== 1 ||
        !other.bbox ||
        other.column < cell.column ||
        other.column >= cell.column + cell.column_span
      )
        continue;
      const away = Math.max(other.bbox[0] - middle, middle - other.bbox[2], 0);
      if (away < least) {
        least = away;
        best = other.column;
      }
    }
    if (best >= 0 && !out.some(([column]) => column === best)) out.push([best, text(hit)]);
  }
  return out.length >= 2 ? out : null;
}

/** Labels of the sums that stand under a list. */
const sums = new Set([
  "total",
  "subtotal",
  "tax",
  "amount_due",
  "discount",
  "shipping",
  "paid",
  "rounding",
  "opening_balance",
  "closing_balance",
]);

/** A row of sums inside the table: a label of one, and nothing where the description would be. */
function isSumRow(sources: Source[], item: Item, texts: Set<string>, finder: Finder): boolean {
  if ([...item.keys()].some((pattern) => texts.has(pattern))) return false;
  return sources.some((source) => {
    const hits = finder.labels.bySegment.get(source.segments[0]?.index ?? -1) ?? [];
    return hits.some((hit) => hit.start < 8 && hit.labels.some((label) => sums.has(label.id)));
  });
}

const totalRow =
  /^\s*(?:sub-?\s?total|total|grand total|net|tax|vat|gst|discount|shipping|balance|amount due|summe|gesamt|zwischensumme|netto|mwst|ust|zzgl|rechnungsbetrag|sous-total|montant|tva|importe|iva|base imponible|subtotale|totale|imponibile|totaal|subtotaal|btw|suma|razem|opening balance|closing balance|carried forward|brought forward)\b/iu;

function readRows(
  wants: [string, Want][],
  table: Table,
  id: string,
  shape: Shape,
  finder: Finder,
  items: Item[],
): void {
  const grid = finder.view.tables.get(id) ?? new Map<string, Source>();
  const rows = new Map<number, Source[]>();
  for (const source of grid.values()) {
    const row = rows.get(source.cell!.row) ?? [];
    row.push(source);
    rows.set(source.cell!.row, row);
  }
  const texts = new Set(
    wants
      .filter(([, want]) => want.field.type === "string" && !want.field.format && !want.field.choices)
      .map(([pattern]) => pattern),
  );
  const leaves = new Map(wants);
  for (const [row, sources] of [...rows].sort((a, b) => a[0] - b[0])) {
    if (row <= shape.head || items.length >= MAX_ITEMS) continue;
    sources.sort((a, b) => a.cell!.column - b.cell!.column);
    const item: Item = new Map();
    for (const source of sources) {
      const pattern = shape.columns.get(source.cell!.column);
      const want = pattern === undefined ? undefined : leaves.get(pattern);
      if (!pattern || !want) continue;
      const found = readCell(want, [{ source, start: 0, end: source.text.length }], finder, 0.92);
      if (found.length) item.set(pattern, found);
    }
    if (!item.size || isHeadAgain(table, row, shape)) continue;
    const first = sources[0]?.text ?? "";
    const values = [...item.keys()].filter((pattern) => !texts.has(pattern));
    const wide = (sources[0]?.cell?.column_span ?? 1) > 1 || sources.length < Math.max(2, shape.columns.size);
    if (totalRow.test(first) && wide) continue;
    // Totals under the columns, their label in whichever cell comes first
    if (
      sources.length <= 2 &&
      sources.length < shape.columns.size &&
      sources.some((source) => totalRow.test(source.text))
    )
      continue;
    if (isSumRow(sources, item, texts, finder)) continue;
    const previous = items.at(-1);
    const onlyText =
      values.length === 0 && item.size === 1 && texts.has([...item.keys()][0]!) && shape.columns.size > 1;
    if (onlyText && previous && hasValues(previous, texts)) {
      extend(previous, item);
      continue;
    }
    items.push(item);
  }
}

const hasValues = (item: Item, texts: Set<string>): boolean => [...item.keys()].some((pattern) => !texts.has(pattern));

/** A row with nothing but text goes on with the text of the row above it. */
export function extend(item: Item, more: Item): void {
  for (const [pattern, candidates] of more) {
    const old = item.get(pattern)?.[0];
    const next = candidates[0];
    if (!next) continue;
    if (!old) item.set(pattern, candidates);
    else item.set(pattern, [{ ...old, value: `${old.value} ${next.value}`, spans: [...old.spans, ...next.spans] }]);
  }
}

function isHeadAgain(table: Table, row: number, shape: Shape): boolean {
  if (shape.head < 0) return false;
  const text = (at: number): string =>
    table.cells
      .filter((cell) => cell.row === at)
      .sort((a, b) => a.column - b.column)
      .map((cell) => cell.text)
      .join("|");
  return table.cells.length < 5_000 && text(row) === text(shape.head);
}
