// JSON as structured text: objects as "key: value" lines under headings, arrays of flat objects as tables, so that it stays readable
// and its values keep their names.

import { Fault } from "../../errors.ts";
import type { Block, Cell, Reader, Table } from "../document.ts";
import { decodeSource, pageless } from "./text.ts";

// Deeper data is shown as JSON text at this level.
const MAX_DEPTH = 12;
// V8 parses any depth, but JSON.stringify and every walk recurse: deeper input is a trap, not data.
const MAX_INPUT_DEPTH = 1000;
const MAX_BLOCKS = 200_000;

export const readJson: Reader = async (source, reading) => {
  const text = decodeSource(source, reading);
  checkDepth(text);
  const blocks: Block[] = [];
  write(parse(text), [], blocks);
  return pageless(blocks);
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const lines = parseLines(text);
    if (lines) return lines;
    throw new Fault("corrupt_document", { detail: "The text is not valid JSON.", cause });
  }
}

/** JSON Lines: one value a line. */
function parseLines(text: string): unknown[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return null;
  try {
    return lines.map((line) => JSON.parse(line));
  } catch {
    return null;
  }
}

function checkDepth(text: string): void {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (quoted) {
      if (char === 0x5c) i++;
      else if (char === 0x22) quoted = false;
    } else if (char === 0x22) quoted = true;
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > MAX_INPUT_DEPTH)
        throw new Fault("document_too_complex", {
          detail: `The JSON is nested deeper than ${MAX_INPUT_DEPTH} levels.`,
        });
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;
const show = (value: unknown): string => (typeof value === "string" ? value : value === null ? "null" : String(value));

function write(value: unknown, path: string[], blocks: Block[]): void {
  if (blocks.length > MAX_BLOCKS) throw new Fault("document_too_complex", { detail: "The JSON has too many parts." });
  if (isPlain(value)) add(blocks, { type: "paragraph", text: show(value) });
  else if (path.length >= MAX_DEPTH)
    add(blocks, { type: "code", text: JSON.stringify(value, null, 2), language: "json" });
  else if (Array.isArray(value)) writeArray(value, path, blocks);
  else writeObject(value as Json, path, blocks);
}

function writeObject(value: Json, path: string[], blocks: Block[]): void {
  const entries = Object.entries(value);
  for (const [key, item] of entries.filter(([, item]) => isPlain(item))) writePair(key, item, blocks);
  for (const [key, item] of entries.filter(([, item]) => !isPlain(item))) {
    const inner = [...path, key];
    add(blocks, { type: "heading", text: key, level: Math.min(6, inner.length) });
    write(item, inner, blocks);
  }
}

function writePair(key: string, value: unknown, blocks: Block[]): void {
  const text = `${key}: ${show(value)}`;
  add(blocks, { type: "paragraph", text, marks: [{ type: "bold", start: 0, end: key.length + 1 }] });
}

function writeArray(items: unknown[], path: string[], blocks: Block[]): void {
  const table = tableOf(items);
  if (table) add(blocks, { type: "table", text: "", table });
  for (const [i, item] of table ? [] : items.entries()) {
    if (isPlain(item)) {
      add(blocks, { type: "list_item", text: show(item), marker: "•", level: 1 });
      continue;
    }
    const inner = [...path, String(i + 1)];
    add(blocks, { type: "heading", text: `${path.at(-1) ?? "item"} ${i + 1}`, level: Math.min(6, inner.length) });
    write(item, inner, blocks);
  }
}

// A record wider than this is not read across.
const MAX_COLUMNS = 100;

/** Two or more objects whose values are plain, with mostly the same keys; or rows of plain values of one length. */
function tableOf(items: unknown[]): Table | null {
  if (items.length < 2) return null;
  if (items.every((item) => Array.isArray(item) && item.length > 1 && item.every(isPlain))) {
    const rows = items as unknown[][];
    return rows.every((row) => row.length === rows[0]!.length) ? makeTable(rows, false) : null;
  }
  if (!items.every((item) => isObject(item) && Object.values(item).every(isPlain))) return null;
  const records = items as Json[];
  const keys = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const filled = records.reduce((sum, record) => sum + Object.keys(record).length, 0);
  if (keys.length === 0 || keys.length > MAX_COLUMNS || filled < keys.length * records.length * 0.5) return null;
  return makeTable(
    [keys, ...records.map((record) => keys.map((key) => (Object.hasOwn(record, key) ? record[key] : "")))],
    true,
  );
}

function makeTable(rows: unknown[][], header: boolean): Table {
  const cells: Cell[] = rows.flatMap((row, r) =>
    row.map((value, column) => ({
      row: r,
      column,
      row_span: 1,
      column_span: 1,
      text: show(value),
      header: header && r === 0,
      bbox: null,
    })),
  );
  return { page: 1, bbox: null, rows: rows.length, columns: rows[0]!.length, caption: null, cells };
}

const add = (blocks: Block[], block: Omit<Block, "page" | "bbox">): void =>
  void blocks.push({ ...block, page: 1, bbox: null });
