// Gives a whole document its ids, e1, e2, … and t1, t2, …, and makes every string in it safe to store and to send.

import type { Block, Document, Element, NumberedDocument, NumberedTable, Table } from "../document.ts";
import { renderTableText } from "./text.ts";

export function numberDocument(document: Document): NumberedDocument {
  const elements: Element[] = [];
  const tables: NumberedTable[] = [];
  const add = (block: Block, table?: Table) => {
    const element: Element = { ...(block as Element), id: `e${elements.length + 1}`, text: clean(block.text) };
    delete element.table;
    if (table) {
      const cells = table.cells.map((cell) => ({ ...cell, text: clean(cell.text) }));
      element.table = { ...table, cells, id: `t${tables.length + 1}` };
      element.text = renderTableText(element.table);
      tables.push(element.table);
    }
    elements.push(element);
  };

  for (const [at, block] of document.blocks.entries()) {
    if (block.type !== "table") add(block);
    if (block.type !== "table" || !block.table) continue;
    // A caption that a reader only set on the table still has to be seen in text and markdown.
    const caption = block.table.caption?.trim();
    const near = [document.blocks[at - 1], document.blocks[at + 1]];
    if (caption && !near.some((other) => other?.type === "caption" && other.text.includes(caption)))
      add({ type: "caption", text: caption, page: block.page, bbox: null });
    add(block, block.table);
  }

  const { blocks: _, ...rest } = document;
  return {
    ...(cleanDeep(rest) as typeof rest),
    title: clean(document.title ?? titleOf(elements) ?? "") || null,
    elements,
    tables,
  };
}

// How far into a document its first heading may stand and still be its title.
const TITLE_WITHIN = 5;

function titleOf(elements: Element[]): string | undefined {
  const title = elements.find((element) => element.type === "title");
  const heading = elements.slice(0, TITLE_WITHIN).find((element) => element.type === "heading" && element.level === 1);
  return (title ?? heading)?.text;
}

/** One character for one: offsets of words and marks stay right. NUL and halves of surrogate pairs break databases and clients. */
function clean(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.replace(/[\x00-\x08\x0b\x0e-\x1f]/g, "\uFFFD").replace(/[\f\r]/g, "\n");
}

const MAX_DEPTH = 40; // metadata is shallow; a reader that hands on a hostile tree is cut here

function cleanDeep(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return depth > MAX_DEPTH ? [] : value.map((item) => cleanDeep(item, depth + 1));
  if (value && typeof value === "object") {
    if (depth > MAX_DEPTH) return {};
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([key, item]) => [clean(key), cleanDeep(item, depth + 1)]));
  }
  return value;
}
