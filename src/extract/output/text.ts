// Plain text from the elements: blocks apart by an empty line, items of a list and rows of a table one a line.

import type { Cell, Element, Table } from "../document.ts";

export function renderText(elements: Element[]): string {
  let text = "";
  let previous: Element | null = null;
  for (const element of elements) {
    const piece = renderElement(element);
    if (!piece) continue;
    if (previous) text += previous.type === "list_item" && element.type === "list_item" ? "\n" : "\n\n";
    text += piece;
    previous = element;
  }
  return text;
}

/** Running text is not part of the story; a figure's alternative text describes it and is not text of the document. */
const silent: ReadonlySet<string> = new Set(["header", "footer", "figure"]);

function renderElement(element: Element): string {
  if (silent.has(element.type)) return "";
  if (element.type !== "list_item") return element.text.trimEnd();
  const indent = "  ".repeat(Math.max(0, Math.min(element.level ?? 1, 20) - 1));
  return `${indent}${element.marker ?? "•"} ${element.text.trim()}`;
}

export function renderTableText(table: Table): string {
  return rowsOf(table)
    .map((cells) => cells.map((cell) => cell.text.replace(/\s+/g, " ").trim()).join("\t"))
    .join("\n");
}

/** The cells row by row, left to right; a spanning cell stands once, where it starts. */
export function rowsOf(table: Table): Cell[][] {
  const rows = new Map<number, Cell[]>();
  for (const cell of table.cells) {
    const row = rows.get(cell.row);
    if (row) row.push(cell);
    else rows.set(cell.row, [cell]);
  }
  return [...rows.entries()].sort(([a], [b]) => a - b).map(([, cells]) => cells.sort((a, b) => a.column - b.column));
}
