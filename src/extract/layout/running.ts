// Running headers, footers and page numbers: what stands at the same place at the edge of several pages.
import { heightOf, median, overlapX } from "./geometry.ts";
import type { TextLine } from "./lines.ts";

export interface PageLines {
  number: number;
  width: number;
  height: number;
  pieces: TextLine[];
}

/** Rows at each edge of a page that may be running text. */
const EDGE_ROWS = 5;
/** Part of the page's height at top and bottom where running text stands. */
const EDGE_ZONE = 0.25;
/** Lines of two pages stand at the same height when they differ by less than this part of the page's height. */
const SAME_PLACE = 0.012;
const PAGE_NUMBER =
  /^[-–—\s|•·]*((page|seite|p(age|p)?\.?|pag\.?|página|pagina|strana|side|sida|صفحه|صفحة|עמוד)\s*)?[\divxlc]{1,5}(\s*(of|from|von|de|di|av|sur|\/|-|–|\||z|из|od)\s*\d{1,4})?[-–—\s|•·]*$/iu;

interface Row {
  pieces: TextLine[];
  y: number;
}

/** The pieces that run, each with the edge it stands at. */
export function findRunning(
  pages: PageLines[],
  isFixed: (piece: TextLine) => boolean,
): Map<TextLine, "header" | "footer"> {
  const running = new Map<TextLine, "header" | "footer">();
  for (const edge of ["header", "footer"] as const) {
    const rowsOfPages = pages.map((page) => edgeRows(page, edge, isFixed));
    const places = indexPlaces(pages, rowsOfPages);
    for (const [p, rows] of rowsOfPages.entries()) {
      const page = pages[p]!;
      for (const [depth, row] of rows.entries()) {
        const found = row.pieces.filter(
          (piece) => isRepeated(piece, p, page, pages, places) || isLoneNumber(row, rows, depth, page, pages.length),
        );
        for (const piece of found) running.set(piece, edge);
        // running text is outermost: past a row without any, the page's own text begins
        if (!found.length) break;
      }
    }
  }
  return running;
}

/** Rows from the edge inwards. */
function edgeRows(page: PageLines, edge: "header" | "footer", isFixed: (piece: TextLine) => boolean): Row[] {
  const zone = page.height * EDGE_ZONE;
  const near = page.pieces.filter((piece) => (edge === "header" ? piece.base < zone : piece.base > page.height - zone));
  const sorted = near.sort((a, b) => (edge === "header" ? a.base - b.base : b.base - a.base));
  const rows: Row[] = [];
  for (const piece of sorted) {
    const row = rows.at(-1);
    if (row && Math.abs(row.y - piece.base) < 0.5 * piece.size) row.pieces.push(piece);
    else if (rows.length === EDGE_ROWS) break;
    else rows.push({ pieces: [piece], y: piece.base });
  }
  const end = rows.findIndex((row) => row.pieces.every(isFixed));
  return end < 0 ? rows : rows.slice(0, end);
}

const keyOf = (piece: TextLine): string =>
  piece.words
    .map((word) => word.text)
    .join(" ")
    .toLowerCase()
    .replace(/\p{N}+/gu, "#");

type Places = Map<string, { page: number; piece: TextLine }[]>;

function indexPlaces(pages: PageLines[], rowsOfPages: Row[][]): Places {
  const places: Places = new Map();
  for (const [p] of pages.entries())
    for (const row of rowsOfPages[p]!)
      for (const piece of row.pieces) {
        const key = keyOf(piece);
        const list = places.get(key);
        if (list) list.push({ page: p, piece });
        else places.set(key, [{ page: p, piece }]);
      }
  return places;
}

function isRepeated(piece: TextLine, p: number, page: PageLines, pages: PageLines[], places: Places): boolean {
  const text = keyOf(piece);
  const twins = (places.get(text) ?? []).filter(
    (other) =>
      other.page !== p &&
      Math.abs(fromEdge(other.piece, pages[other.page]!) - fromEdge(piece, page)) < SAME_PLACE * page.height &&
      Math.abs(other.piece.size - piece.size) < 0.15 * piece.size &&
      (overlapX(other.piece.box, piece.box) > 0 || pages.length > 2),
  );
  if (!twins.length) return false;
  // digits alone also repeat in columns of figures: they must count with the pages
  if (!/\p{L}/u.test(text)) return twins.some((other) => countsAlong(piece, other.piece, other.page - p));
  const enough = pages.length <= 3 ? 1 : pages.length <= 8 ? 2 : 3;
  return twins.length >= enough || twins.some((other) => Math.abs(other.page - p) <= 2 && sameText(piece, other.piece));
}

const fromEdge = (piece: TextLine, page: PageLines): number =>
  piece.base < page.height / 2 ? piece.base : page.height - piece.base + 10_000;

const textOf = (piece: TextLine): string => piece.words.map((word) => word.text).join(" ");
const sameText = (a: TextLine, b: TextLine): boolean => textOf(a) === textOf(b);

function countsAlong(a: TextLine, b: TextLine, pages: number): boolean {
  const [x, y] = [textOf(a).match(/\p{N}+/gu), textOf(b).match(/\p{N}+/gu)];
  return !!x && !!y && x.some((number, i) => toNumber(y[i] ?? "") - toNumber(number) === pages);
}

const toNumber = (text: string): number =>
  Number(
    [...text]
      .map((digit) => (/[\u0660-\u0669\u06f0-\u06f9]/.test(digit) ? String(digit.codePointAt(0)! & 15) : digit))
      .join(""),
  );

/** A page number by itself at the very edge, on documents too short to compare pages. */
function isLoneNumber(row: Row, rows: Row[], depth: number, page: PageLines, pageCount: number): boolean {
  if (row.pieces.length > 3 || depth > 1) return false;
  const next = rows[depth + 1];
  const gap = next ? Math.abs(next.y - row.y) : page.height;
  const size = median(row.pieces.map((piece) => heightOf(piece.box)));
  if (gap < 1.6 * size) return false;
  const text = row.pieces.map(textOf).join(" ");
  if (row.pieces.length === 1 && PAGE_NUMBER.test(text) && /\p{N}/u.test(text)) return true;
  // "Title of the paper    9": a number set apart at either end of the outermost row
  const outermost = depth === 0 && pageCount === 1 && row.pieces.length > 1;
  return outermost && gap > 1.8 * size && row.pieces.some((piece) => /^\d{1,4}$/.test(textOf(piece)));
}
