// Items of a list printed without a table: lines under a row of column heads, or the lines of a till receipt.

import { readCell } from "./cells.ts";
import { headScore, readHead } from "./columns.ts";
import type { Finder } from "./finder.ts";
import type { Hit } from "./labels.ts";
import type { Want } from "./plan.ts";
import { type Span, segmentSpan, trimSpan } from "./spans.ts";
import { extend, type Item } from "./tables.ts";
import { boxOf, type Segment } from "./view.ts";

/** Lines of one list. */
const MAX_LINES = 5_000;
/** Rows without an amount that one item may have. */
const MAX_TEXT_ROWS = 4;

interface Column {
  pattern: string;
  want: Want;
  x0: number;
  x1: number;
}

/** Labels that end the list: the sums under it. */
const ends = new Set([
  "total",
  "subtotal",
  "tax",
  "amount_due",
  "rounding",
  "paid",
  "change",
  "discount",
  "tip",
  "tax_summary",
  "shipping",
]);

export function lineItems(wants: [string, Want][], finder: Finder): Item[] {
  const numeric = wants.filter(([, want]) => want.field.type === "number" || want.field.type === "integer");
  const text =
    wants.find(([, want]) => want.concept === "description") ??
    wants.find(([, want]) => want.field.type === "string" && want.reads === "line");
  if (!numeric.length) return [];
  const head = findHead(wants, finder);
  if (head) return underHead(head, text, finder);
  const amount =
    numeric.find(([, want]) => want.concept === "line_amount") ?? numeric.find(([, want]) => want.reads === "amount");
  return amount && text
    ? withoutHead(
        amount,
        text,
        numeric.find(([, want]) => want.concept === "quantity"),
        finder,
      )
    : [];
}

function findHead(wants: [string, Want][], finder: Finder): { row: number; columns: Column[] } | null {
  let best: { row: number; columns: Column[] } | null = null;
  for (const [at, row] of finder.view.rows.slice(0, 2_000).entries()) {
    // Two labels at least, of the lexicon or the caller's: all other rows are passed over without a closer look
    const named = row.filter((segment) => finder.labels.bySegment.has(segment.index));
    if (named.reduce((sum, segment) => sum + finder.labels.bySegment.get(segment.index)!.length, 0) < 2) continue;
    const pairs: { column: Column; score: number }[] = [];
    for (const segment of named) {
      if (!segment.box || segment.text.length > 80 || segment.source.cell) continue;
      const pieces = piecesOf(segment, finder);
      for (const piece of pieces) {
        const head = readHead(piece.span.source.text.slice(piece.span.start, piece.span.end));
        for (const [pattern, want] of wants) {
          const score = headScore(want, head);
          if (score >= 0.35) pairs.push({ column: { pattern, want, x0: piece.x0, x1: piece.x1 }, score });
        }
      }
    }
    pairs.sort((a, b) => b.score - a.score);
    const columns: Column[] = [];
    for (const { column } of pairs) {
      if (!columns.some((other) => other.pattern === column.pattern || (other.x0 < column.x1 && column.x0 < other.x1)))
        columns.push(column);
    }
    const values = columns.filter((column) => column.want.field.type !== "string").length;
    if (columns.length >= 2 && values >= 1 && (!best || columns.length > best.columns.length))
      best = { row: at, columns };
  }
  return best;
}

/** A head printed as one stretch, "QTY U.PRICE TOTAL", is as many columns as it has labels. */
function piecesOf(segment: Segment, finder: Finder): { span: Span; x0: number; x1: number }[] {
  const hits = finder.labels.bySegment.get(segment.index) ?? [];
  const spans: Span[] =
    hits.length > 1 && !overlapping(hits)
      ? hits.map((hit) => ({ source: segment.source, start: hit.start, end: hit.end }))
      : [segmentSpan(segment)];
  return spans.map((span) => {
    const box = boxOf(span.source, span.start, span.end) ?? segment.box!;
    return { span, x0: box[0], x1: box[2] };
  });
}

const overlapping = (hits: Hit[]): boolean => hits.some((hit, i) => i > 0 && hit.start < hits[i - 1]!.end);

function endsList(row: Segment[], finder: Finder): boolean {
  const first = row[0];
  if (!first) return true;
  const hits = (finder.labels.bySegment.get(first.index) ?? []).concat(
    row[1] ? (finder.labels.bySegment.get(row[1].index) ?? []) : [],
  );
  return hits.some(
    (hit) =>
      hit.start - hit.segment.start < 4 &&
      hit.labels.some((label) => ends.has(label.id)) &&
      (hit.end - hit.start) / hit.segment.text.length > 0.3,
  );
}

const isAmount = (finder: Finder, segment: Segment): boolean =>
  (finder.values.bySegment.get(segment.index) ?? []).some(
    (value) => value.number?.decimals === 2 && !value.number.glued && !value.number.percent,
  );

function underHead(head: { row: number; columns: Column[] }, text: [string, Want] | undefined, finder: Finder): Item[] {
  const items: Item[] = [];
  const page = finder.view.rows[head.row]![0]!.page;
  let waiting: Segment[] = [];
  let textFirst: boolean | null = null;
  let gap = 0;
  for (let at = head.row + 1; at < finder.view.rows.length && items.length < MAX_LINES; at++) {
    const row = finder.view.rows[at]!;
    if (!row[0] || (row[0].page !== page && items.length === 0)) break;
    if (row[0].page !== page) break;
    if (items.length && endsList(row, finder)) break;
    if (!row.some((segment) => /[\p{L}\p{N}]/u.test(segment.text))) continue;
    const amounts = row.filter((segment) => isAmount(finder, segment)).length;
    if (!amounts && endsList(row, finder)) continue;
    if (!amounts) {
      if (textFirst === null) textFirst = items.length === 0 && !headContinues(row);
      if (textFirst) waiting = [...waiting, ...row].slice(-MAX_TEXT_ROWS);
      else if (items.length && text && gap < MAX_TEXT_ROWS) extendText(items.at(-1)!, text, row, finder);
      gap++;
      if (gap > 8 && items.length) break;
      continue;
    }
    gap = 0;
    const item = readRow(row, head.columns, text, finder);
    if (textFirst && waiting.length && text) {
      const before: Item = new Map([[text[0], readCell(text[1], waiting.map(segmentSpan), finder, 0.85)]]);
      const own = item.get(text[0]);
      // A code on the line of the amounts is not the description when words stand above it
      if (!own || !/\p{L}{3}/u.test(String(own[0]?.value))) item.set(text[0], before.get(text[0])!);
    }
    waiting = [];
    if (item.size) items.push(item);
    if (textFirst === null) textFirst = false;
  }
  return items.length && items.some((item) => item.size >= 2) ? items : [];
}

/** "(RM)" under "Amount": the head has a second line. */
const headContinues = (row: Segment[]): boolean =>
  row.every((segment) => segment.text.length < 12 && !/\d/.test(segment.text));

function extendText(item: Item, text: [string, Want], row: Segment[], finder: Finder): void {
  const more = readCell(text[1], row.map(segmentSpan), finder, 0.85);
  const own = item.get(text[0])?.[0];
  if (own && !/\p{L}{3}/u.test(String(own.value))) item.set(text[0], more);
  else extend(item, new Map([[text[0], more]]));
}

/** Gives each stretch of a row to the column it stands under. */
function readRow(row: Segment[], columns: Column[], text: [string, Want] | undefined, finder: Finder): Item {
  const item: Item = new Map();
  const cells = new Map<string, { want: Want; spans: Span[] }>();
  const put = (pattern: string, want: Want, span: Span): void => {
    const cell = cells.get(pattern);
    if (cell) cell.spans.push(span);
    else cells.set(pattern, { want, spans: [span] });
  };
  for (const segment of row) {
    for (const piece of splitNumbers(segment, finder)) {
      const box = boxOf(piece.source, piece.start, piece.end);
      if (!box) continue;
      const column = nearest(box[0], box[2], columns, isNumber(piece), segment.height);
      if (column) put(column.pattern, column.want, piece);
      else if (text && !isNumber(piece)) put(text[0], text[1], piece);
    }
  }
  for (const [pattern, { want, spans }] of cells) {
    const found = readCell(want, spans, finder, 0.88);
    if (found.length) item.set(pattern, found);
  }
  return item;
}

const isNumber = (span: Span): boolean => {
  const text = span.source.text.slice(span.start, span.end);
  return text.length <= 40 && /^[^\p{L}]*\d[^\p{L}]*\p{L}{0,3}$/u.test(text);
};

/** "2 COKE 3.50" in one stretch: numbers at its ends are columns of their own. */
function splitNumbers(segment: Segment, finder: Finder): Span[] {
  const numbers = (finder.values.bySegment.get(segment.index) ?? []).filter(
    (value) => value.number && !value.number.glued,
  );
  const out: Span[] = [];
  let from = segment.start;
  let to = segment.end;
  const first = numbers[0];
  if (
    first &&
    first.start - segment.start < 2 &&
    first.number!.decimals === 0 &&
    first.number!.digits <= 3 &&
    /^\s*[x×]?\s+\p{L}/iu.test(segment.source.text.slice(first.end, first.end + 6))
  ) {
    out.push({ source: segment.source, start: first.start, end: first.end });
    from = first.end;
  }
  const tail: Span[] = [];
  for (let i = numbers.length - 1; i >= 0; i--) {
    const value = numbers[i]!;
    if (value.start < from || value.number!.decimals === 0) break;
    if (!/^\s*[\p{L}*]{0,3}\s*$/u.test(segment.source.text.slice(value.end, to))) break;
    tail.unshift({ source: segment.source, start: value.start, end: value.end });
    to =
      value.number!.currencyAt && value.number!.currencyAt[0] < value.start ? value.number!.currencyAt[0] : value.start;
  }
  const middle = trimSpan({ source: segment.source, start: from, end: to });
  return [...out, ...(middle ? [middle] : []), ...tail];
}

function nearest(x0: number, x1: number, columns: Column[], number: boolean, height: number): Column | null {
  let best: Column | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    if (
      (column.want.field.type === "number" || column.want.field.type === "integer") !== number &&
      column.want.reads !== "code"
    ) {
      if (!number || column.want.field.type !== "string" || column.want.reads === "line") continue;
    }
    const overlap = Math.min(x1, column.x1) - Math.max(x0, column.x0);
    const edge = Math.min(
      Math.abs(x1 - column.x1),
      Math.abs(x0 - column.x0),
      Math.abs((x0 + x1) / 2 - (column.x0 + column.x1) / 2),
    );
    const distance = overlap > 0 ? -overlap / Math.max(1, x1 - x0) + edge / 1_000 : edge;
    if (distance < least) {
      least = distance;
      best = column;
    }
  }
  return least > 4 * Math.max(height, 1) ? null : best;
}

/** Lines that end in an amount, above the first sum: how tills print what was bought. */
function withoutHead(
  amount: [string, Want],
  text: [string, Want],
  quantity: [string, Want] | undefined,
  finder: Finder,
): Item[] {
  const items: Item[] = [];
  const rows = finder.view.rows;
  const sum = rows.findIndex(
    (row, at) => at > 0 && endsList(row, finder) && row.some((segment) => isAmount(finder, segment)),
  );
  if (sum < 0) return [];
  for (let at = 0; at < sum && items.length < MAX_LINES; at++) {
    const row = rows[at]!;
    const pieces = row.flatMap((segment) => splitNumbers(segment, finder));
    const last = pieces.at(-1);
    if (!last || !isNumber(last) || pieces.length < 2) continue;
    const value = readCell(amount[1], [last], finder, 0.75);
    const words = pieces
      .slice(0, -1)
      .filter((piece) => !isNumber(piece) && /\p{L}{2}/u.test(piece.source.text.slice(piece.start, piece.end)));
    if (!value.length || !words.length || !/[.,]\d\d/.test(last.source.text.slice(last.start, last.end))) continue;
    const item: Item = new Map([
      [amount[0], value],
      [text[0], readCell(text[1], words, finder, 0.75)],
    ]);
    const count = pieces.find(
      (piece) => isNumber(piece) && /^\d{1,3}$/.test(piece.source.text.slice(piece.start, piece.end)),
    );
    if (quantity && count) item.set(quantity[0], readCell(quantity[1], [count], finder, 0.7));
    items.push(item);
  }
  return items;
}
