// The public JSON of a document. Words and marks stay inside; of the marks only the links are shown.

import type { Box, Cell, Element, NumberedDocument, NumberedTable, Page } from "../document.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderText } from "./text.ts";

export const parts = ["text", "markdown", "pages", "elements", "tables"] as const;
export type Part = (typeof parts)[number];

export interface PublicElement {
  id: string;
  type: Element["type"];
  text: string;
  page: number;
  bbox: Box | null;
  level?: number;
  marker?: string;
  /** Id of the table in `tables`. */
  table?: string;
  url?: string;
  language?: string;
  confidence?: number;
  role?: Element["role"];
  links?: { start: number; end: number; url: string }[];
}

export type PublicCell = Omit<Cell, "words">;
export type PublicTable = Omit<NumberedTable, "cells"> & { cells: PublicCell[] };

export interface PublicDocument {
  title: string | null;
  authors: string[];
  language: string | null;
  published_at: string | null;
  metadata: Record<string, unknown>;
  page_count: number;
  text?: string;
  markdown?: string;
  pages?: Page[];
  elements?: PublicElement[];
  tables?: PublicTable[];
}

const makers: { [P in Part]: (document: NumberedDocument) => PublicDocument[P] } = {
  text: ({ elements }) => renderText(elements),
  markdown: ({ elements }) => renderMarkdown(elements),
  pages: ({ pages }) => pages.map(publishPage),
  elements: ({ elements }) => elements.map(publishElement),
  tables: ({ tables }) => tables.map(publishTable),
};

export function publish(document: NumberedDocument, include: readonly Part[]): PublicDocument {
  const { title, authors, language, published_at, metadata, page_count } = document;
  const chosen = parts.filter((part) => include.includes(part)).map((part) => [part, makers[part](document)]);
  return { title, authors, language, published_at, metadata, page_count, ...Object.fromEntries(chosen) };
}

function publishPage({ number, width, height, unit, rotation, ocr, name, hidden }: Page): Page {
  const size = (length: number | null) => (length === null ? null : round(length));
  const page: Page = { number, width: size(width), height: size(height), unit, rotation, ocr };
  if (name !== undefined) page.name = name;
  if (hidden) page.hidden = true;
  return page;
}

function publishElement(element: Element): PublicElement {
  const { id, type, level, marker, text, page, url, language, confidence, role, table, marks } = element;
  const links = marks?.flatMap(({ type: mark, start, end, url: to }) =>
    mark === "link" && to ? [{ start, end, url: to }] : [],
  );
  const published: PublicElement = { id, type, text, page, bbox: roundBox(element.bbox) };
  if (level !== undefined) published.level = level;
  if (marker !== undefined) published.marker = marker;
  if (table) published.table = table.id;
  if (url) published.url = url;
  if (language) published.language = language;
  if (confidence !== undefined) published.confidence = round(confidence);
  if (role) published.role = role;
  if (links?.length) published.links = links;
  return published;
}

function publishTable({ id, page, bbox, rows, columns, caption, cells }: NumberedTable): PublicTable {
  return { id, page, bbox: roundBox(bbox), rows, columns, caption, cells: cells.map(publishCell) };
}

function publishCell({ row, column, row_span, column_span, text, header, bbox, address }: Cell): PublicCell {
  const cell: PublicCell = { row, column, row_span, column_span, text, header, bbox: roundBox(bbox) };
  if (address !== undefined) cell.address = address;
  return cell;
}

/** A hundredth of a point or pixel is below what any reader can tell; more digits only weigh. */
const round = (value: number): number => Math.round(value * 100) / 100;

const roundBox = (box: Box | null): Box | null => box && (box.map(round) as Box);
