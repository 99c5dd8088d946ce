// Pages for layout tests, without a PDF: text set line by line in a face whose characters are all half as wide as high.
import type { PositionedPage, TextItem } from "../../../src/extract/document.ts";
import { layOut } from "../../../src/extract/layout/layout.ts";

export interface Style {
  size?: number;
  bold?: boolean;
  italic?: boolean;
  font?: string;
  rotation?: number;
}

const CHARACTER = 0.5;

export class Paper {
  readonly page: PositionedPage;

  constructor(number = 1, width = 600, height = 800) {
    this.page = {
      number,
      width,
      height,
      unit: "pt",
      rotation: 0,
      ocr: false,
      items: [],
      lines: [],
      rects: [],
      images: [],
      links: [],
    };
  }

  /** One line with its base line at y; returns where it ends. */
  text(x: number, y: number, text: string, { size = 10, ...style }: Style = {}): number {
    let at = x;
    for (const word of text.split(" ")) {
      const width = word.length * CHARACTER * size;
      const item: TextItem = {
        text: word,
        bbox: [at, y - 0.8 * size, at + width, y + 0.22 * size],
        size,
        font: "Serif",
        ...style,
      };
      this.page.items.push(item);
      at += width + CHARACTER * size;
    }
    return at - CHARACTER * size;
  }

  /** Text broken into lines of at most `width`, from base line y downwards; returns the base line after it. */
  flow(x: number, y: number, width: number, text: string, style: Style & { pitch?: number } = {}): number {
    const size = style.size ?? 10;
    const room = Math.floor(width / (CHARACTER * size));
    let line = "";
    let at = y;
    for (const word of text.split(" ")) {
      if (line && line.length + 1 + word.length > room) {
        this.text(x, at, line, style);
        at += style.pitch ?? 1.2 * size;
        line = word;
      } else line = line ? `${line} ${word}` : word;
    }
    this.text(x, at, line, style);
    return at + (style.pitch ?? 1.2 * size);
  }

  /** Words set from right to left, each in logical order itself. */
  rtl(right: number, y: number, text: string, { size = 10, ...style }: Style = {}): void {
    let at = right;
    for (const word of text.split(" ")) {
      const width = word.length * CHARACTER * size;
      this.page.items.push({
        text: word,
        bbox: [at - width, y - 0.8 * size, at, y + 0.22 * size],
        size,
        font: "Serif",
        ...style,
      });
      at -= width + CHARACTER * size;
    }
  }

  rule(x0: number, y0: number, x1: number, y1: number): void {
    this.page.lines.push({ x0, y0, x1, y1, width: 0.5 });
  }

  shade(x0: number, y0: number, x1: number, y1: number, fill = "dddddd"): void {
    this.page.rects.push({ bbox: [x0, y0, x1, y1], fill, stroke: false });
  }

  /** Every line of a grid. */
  grid(xs: number[], ys: number[]): void {
    for (const x of xs) this.rule(x, ys[0]!, x, ys.at(-1)!);
    for (const y of ys) this.rule(xs[0]!, y, xs.at(-1)!, y);
  }
}

export const blocksOf = (...papers: Paper[]) => layOut(papers.map((paper) => paper.page));

/** [type, text] of each block. */
export const outline = (...papers: Paper[]): [string, string][] =>
  blocksOf(...papers).map((block) => [block.type, block.table ? "" : block.text]);

/** Rows of texts of the first table; a place inside a span is "↖". */
export function tableOf(...papers: Paper[]): string[][] {
  const table = blocksOf(...papers).find((block) => block.table)?.table;
  if (!table) return [];
  const rows = Array.from({ length: table.rows }, () => new Array<string>(table.columns).fill(""));
  for (const cell of table.cells)
    for (let r = cell.row; r < cell.row + cell.row_span; r++)
      for (let c = cell.column; c < cell.column + cell.column_span; c++)
        rows[r]![c] = r === cell.row && c === cell.column ? cell.text : "↖";
  return rows;
}

export const LOREM =
  "the keeper of the lighthouse wrote down every ship that passed the cape and the hour of its passing so that the harbour could be told in time when a pilot was needed on board";
