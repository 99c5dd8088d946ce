// Markdown from the elements. It shows the same text in the same order as text.ts, with its structure.

import type { Element, NumberedTable, Table } from "../document.ts";
import { escapeHtml, escapeInline, linkTarget, longestTicks, renderInline } from "./inline.ts";
import { rowsOf } from "./text.ts";

export function renderMarkdown(elements: Element[]): string {
  let markdown = "";
  let previous: Element | null = null;
  const indents: number[] = [];
  for (const element of elements) {
    if (element.type !== "list_item") indents.length = 0;
    const piece = element.type === "list_item" ? renderItem(element, indents) : renderBlock(element);
    if (!piece) continue;
    if (previous) markdown += previous.type === "list_item" && element.type === "list_item" ? "\n" : "\n\n";
    markdown += element.role === "quote" ? quote(piece) : piece;
    previous = element;
  }
  return markdown;
}

const blocks: Record<Element["type"], (element: Element) => string> = {
  title: (element) => renderHeading(element, 1),
  heading: (element) => renderHeading(element, element.level ?? 2),
  paragraph: renderInline,
  caption: renderInline,
  footnote: renderInline,
  formula: renderInline,
  list_item: (element) => renderItem(element, []),
  table: (element) => (element.table ? renderTable(element.table) : ""),
  figure: renderFigure,
  code: renderCode,
  header: () => "",
  footer: () => "",
};

const renderBlock = (element: Element): string => blocks[element.type](element);

function renderHeading(element: Element, level: number): string {
  const text = renderInline({ ...element, text: element.text.replace(/\n/g, " ") }, true);
  return text && `${"#".repeat(Math.max(1, Math.min(level, 6)))} ${text}`;
}

/** Keeps an ordered marker ordered; markdown only knows "1." and "1)", so "(a)" stays in front as text. */
function renderItem(element: Element, indents: number[]): string {
  const depth = Math.max(1, Math.min(element.level ?? 1, 20));
  // A deeper item stands under the text of the one above it, whatever the width of that one's marker.
  const indent = indents.slice(0, depth - 1).reduce((sum, width) => sum + width, 0);
  const marker = element.marker?.trim() ?? "";
  const ordered = /^\(?(\d{1,9})([.)])$/.exec(marker);
  const shown = ordered && !marker.startsWith("(") ? `${ordered[1]}${ordered[2]} ` : "- ";
  const kept = shown === "- " && /[\p{L}\p{N}]/u.test(marker) ? `${escapeInline(marker)} ` : "";
  indents.length = Math.min(indents.length, depth - 1);
  while (indents.length < depth - 1) indents.push(0);
  indents.push(shown.length);
  const body = renderInline(element).replace(/\n/g, `\n${" ".repeat(indent + shown.length)}`);
  return `${" ".repeat(indent)}${shown}${kept}${body}`;
}

function renderFigure({ text, url }: Element): string {
  const address = url && !url.startsWith("data:") ? linkTarget(url) : "";
  const alt = text.replace(/\s+/g, " ").trim();
  return alt || address ? `![${escapeInline(alt).replace(/[[\]]/g, "\\$&")}](${address})` : "";
}

function renderCode({ text, language }: Element): string {
  const fence = "`".repeat(Math.max(2, longestTicks(text)) + 1);
  return `${fence}${(language ?? "").replace(/[\s`]/g, "")}\n${text.replace(/\n$/, "")}\n${fence}`;
}

const quote = (piece: string): string => piece.replace(/^/gm, "> ").replace(/^> $/gm, ">");

// A sparse sheet may name cells a million rows apart; beyond this many places the empty ones are left out.
const MAX_GRID = 2_000_000;

function renderTable(table: NumberedTable): string {
  if (table.cells.length === 0) return "";
  const spans = table.cells.some((cell) => cell.row_span > 1 || cell.column_span > 1);
  return spans ? renderHtmlTable(table) : renderPipeTable(table);
}

function renderPipeTable(table: Table): string {
  const filled = rowsOf(table);
  const columns = filled.reduce(
    (most, cells) => Math.max(most, (cells.at(-1)?.column ?? 0) + 1),
    Math.max(1, table.columns),
  );
  const full = columns * filled.length <= MAX_GRID;
  const lines = filled.map((cells) => {
    const texts: string[] = full ? Array(columns).fill("") : [];
    for (const cell of cells) texts[full ? cell.column : texts.length] = cellText(cell.text);
    return `| ${texts.join(" | ")} |`;
  });
  lines.splice(1, 0, `|${" --- |".repeat(full ? columns : (filled[0]?.length ?? 1))}`);
  return lines.join("\n");
}

const cellText = (text: string): string =>
  escapeInline(text.trim())
    .replace(/\|/g, "\\|")
    .replace(/\s*\n\s*/g, "<br>");

function renderHtmlTable(table: Table): string {
  const rows = rowsOf(table).map((cells) => {
    const row = cells.map((cell) => {
      const tag = cell.header ? "th" : "td";
      const rowSpan = cell.row_span > 1 ? ` rowspan="${cell.row_span}"` : "";
      const columnSpan = cell.column_span > 1 ? ` colspan="${cell.column_span}"` : "";
      const text = escapeHtml(cell.text.trim()).replace(/\s*\n\s*/g, "<br>");
      return `<${tag}${rowSpan}${columnSpan}>${text}</${tag}>`;
    });
    return `<tr>${row.join("")}</tr>`;
  });
  return `<table>\n${rows.join("\n")}\n</table>`;
}
