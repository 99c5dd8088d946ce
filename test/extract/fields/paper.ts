// Documents made in code: a page with text at places, or elements in a flow without places (as HTML and DOCX give them).

import type { Box, Cell, Element, ElementType, NumberedDocument, Word } from "../../../src/extract/document.ts";

/** Width of a letter as a share of its height: near enough to a real font for gaps and overlaps to be right. */
const LETTER = 0.5;

function wordsOf(text: string, x: number, y: number, size: number): Word[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    bbox: [x + match.index * size * LETTER, y, x + (match.index + match[0].length) * size * LETTER, y + size],
  }));
}

export const widthOf = (text: string, size: number): number => text.length * size * LETTER;

function document(elements: Element[], pages: number, paged: boolean): NumberedDocument {
  return {
    title: null,
    authors: [],
    language: null,
    published_at: null,
    metadata: {},
    page_count: pages,
    pages: Array.from({ length: pages }, (_, i) => ({
      number: i + 1,
      width: paged ? 600 : null,
      height: paged ? 840 : null,
      unit: paged ? ("pt" as const) : null,
      rotation: 0 as const,
      ocr: false,
    })),
    elements,
    tables: elements.flatMap((element) => (element.table ? [element.table] : [])),
  } as NumberedDocument;
}

export interface Paper {
  /** One line of text at a place. */
  put(x: number, y: number, text: string, size?: number): Paper;
  /** Lines under each other. */
  lines(x: number, y: number, texts: string[], size?: number): Paper;
  /** A paragraph of several lines as one element. */
  paragraph(x: number, y: number, texts: string[], size?: number): Paper;
  /** A table with a cell for each text. */
  table(x: number, y: number, widths: number[], rows: string[][]): Paper;
  /** The same as loose text, as a layout that found no table gives it. */
  columns(y: number, xs: number[], rows: string[][]): Paper;
  turn(): Paper;
  done(): NumberedDocument;
}

export function paper(): Paper {
  const elements: Element[] = [];
  let page = 1;
  let tables = 0;
  const add = (element: Omit<Element, "id" | "page">): void => {
    elements.push({ ...element, id: `e${elements.length + 1}`, page });
  };
  const self: Paper = {
    put(x, y, text, size = 10) {
      if (text.trim())
        add({
          type: "paragraph",
          text,
          bbox: [x, y, x + widthOf(text, size), y + size],
          words: wordsOf(text, x, y, size),
        });
      return self;
    },
    lines(x, y, texts, size = 10) {
      texts.forEach((text, i) => void self.put(x, y + i * size * 1.4, text, size));
      return self;
    },
    paragraph(x, y, texts, size = 10) {
      const words: Word[] = [];
      let text = "";
      texts.forEach((line, i) => {
        const offset = text ? text.length + 1 : 0;
        for (const word of wordsOf(line, x, y + i * size * 1.3, size))
          words.push({ ...word, start: word.start + offset, end: word.end + offset });
        text = text ? `${text} ${line}` : line;
      });
      const width = Math.max(...texts.map((line) => widthOf(line, size)));
      add({ type: "paragraph", text, bbox: [x, y, x + width, y + texts.length * size * 1.3], words });
      return self;
    },
    table(x, y, widths, rows) {
      const cells: Cell[] = [];
      rows.forEach((row, r) => {
        let left = x;
        row.forEach((text, c) => {
          const top = y + r * 16;
          const bbox: Box = [left, top, left + widths[c]!, top + 16];
          if (text)
            cells.push({
              row: r,
              column: c,
              row_span: 1,
              column_span: 1,
              text,
              header: r === 0,
              bbox,
              words: wordsOf(text, left + 2, top + 3, 10),
            });
          left += widths[c]!;
        });
      });
      const bbox: Box = [x, y, x + widths.reduce((a, b) => a + b, 0), y + rows.length * 16];
      add({
        type: "table",
        text: "",
        bbox,
        table: { id: `t${++tables}`, page, bbox, rows: rows.length, columns: widths.length, caption: null, cells },
      });
      return self;
    },
    columns(y, xs, rows) {
      rows.forEach((row, r) => {
        row.forEach((text, c) => void self.put(xs[c]!, y + r * 15, text));
      });
      return self;
    },
    turn() {
      page++;
      return self;
    },
    done: () => document(elements, page, true),
  };
  return self;
}

export interface Flow {
  heading(level: number, text: string): Flow;
  text(...paragraphs: string[]): Flow;
  items(...texts: string[]): Flow;
  table(rows: string[][]): Flow;
  title(text: string): Flow;
  done(): NumberedDocument;
}

export function flow(): Flow {
  const elements: Element[] = [];
  let tables = 0;
  const add = (type: ElementType, text: string, more: Partial<Element> = {}): void => {
    elements.push({ type, text, page: 1, bbox: null, ...more, id: `e${elements.length + 1}` });
  };
  const self: Flow = {
    heading(level, text) {
      add("heading", text, { level });
      return self;
    },
    title(text) {
      add("title", text);
      return self;
    },
    text(...paragraphs) {
      for (const text of paragraphs) add("paragraph", text);
      return self;
    },
    items(...texts) {
      for (const text of texts) add("list_item", text, { level: 1, marker: "•" });
      return self;
    },
    table(rows) {
      const columns = Math.max(...rows.map((row) => row.length));
      const cells: Cell[] = rows.flatMap((row, r) =>
        row.flatMap((text, c) =>
          text ? [{ row: r, column: c, row_span: 1, column_span: 1, text, header: r === 0, bbox: null }] : [],
        ),
      );
      add("table", "", {
        table: { id: `t${++tables}`, page: 1, bbox: null, rows: rows.length, columns, caption: null, cells },
      });
      return self;
    },
    done: () => document(elements, 1, false),
  };
  return self;
}
