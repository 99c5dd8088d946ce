// Ruling lines of a page: straight strokes and edges of boxes, joined, without what only underlines text.
import type { Box, PositionedPage } from "../document.ts";
import type { TextLine } from "./lines.ts";

/** A horizontal rule at `at` from `from` to `to`, or a vertical one. */
export interface Rule {
  at: number;
  from: number;
  to: number;
}

export interface Rules {
  horizontal: Rule[];
  vertical: Rule[];
}

/** Rules closer than this, in points at a page of A4 height, are one rule drawn twice. */
export const SAME_RULE = 2.2;
/** Ends of two pieces of one rule may be this far apart. */
const JOIN_GAP = 3;
const MIN_LENGTH = 4;
/** More rules than this on a page are a drawing, and would cost quadratic time. */
const MAX_RULES = 3_000;

/** Rules that are drawn, and the edges of shaded areas, which are weaker evidence: text is shaded too. */
export function findRules(page: PositionedPage, pieces: TextLine[]): { drawn: Rules; shaded: Rules } {
  const strokes = page.rects.filter(({ stroke }) => stroke);
  const fills = page.rects.filter(({ bbox, fill, stroke }) => !stroke && fill && !isPaper(bbox, fill, page));
  return {
    drawn: collect(page, page.lines, strokes, pieces),
    shaded: collect(page, [], fills, pieces),
  };
}

function collect(
  page: PositionedPage,
  lines: PositionedPage["lines"],
  rects: PositionedPage["rects"],
  pieces: TextLine[],
): Rules {
  const scale = page.unit === "px" ? page.height / 842 : 1;
  const horizontal: Rule[] = [];
  const vertical: Rule[] = [];
  const add = (x0: number, y0: number, x1: number, y1: number): void => {
    // the edge of the paper is no rule
    if (
      Math.max(x0, x1) < 2 ||
      Math.max(y0, y1) < 2 ||
      Math.min(x0, x1) > page.width - 2 ||
      Math.min(y0, y1) > page.height - 2
    )
      return;
    const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
    if (height <= 1.5 * scale && width >= MIN_LENGTH * scale)
      horizontal.push({ at: (y0 + y1) / 2, from: Math.min(x0, x1), to: Math.max(x0, x1) });
    else if (width <= 1.5 * scale && height >= MIN_LENGTH * scale)
      vertical.push({ at: (x0 + x1) / 2, from: Math.min(y0, y1), to: Math.max(y0, y1) });
  };
  for (const line of lines) add(line.x0, line.y0, line.x1, line.y1);
  for (const { bbox } of rects) {
    const [x0, y0, x1, y1] = bbox;
    add(x0, y0, x1, y0);
    add(x0, y1, x1, y1);
    add(x0, y0, x0, y1);
    add(x1, y0, x1, y1);
  }
  if (horizontal.length + vertical.length > MAX_RULES) return { horizontal: [], vertical: [] };
  const own = horizontal.filter((rule) => !isUnderline(rule, pieces));
  return { horizontal: joinRules(own, scale), vertical: joinRules(vertical, scale) };
}

/** White areas and those as large as the page are no cells. */
const isPaper = (box: Box, fill: string, page: PositionedPage): boolean =>
  fill === "ffffff" || (box[2] - box[0]) * (box[3] - box[1]) > 0.4 * page.width * page.height;

function isUnderline(rule: Rule, pieces: TextLine[]): boolean {
  return pieces.some(
    (piece) =>
      rule.at > piece.base - 0.45 * piece.size &&
      rule.at < piece.base + 0.3 * piece.size &&
      rule.from >= piece.box[0] - 2 &&
      rule.to <= piece.box[2] + 2,
  );
}

function joinRules(rules: Rule[], scale: number): Rule[] {
  const sorted = [...rules].sort((a, b) => a.at - b.at || a.from - b.from);
  const joined: Rule[] = [];
  let open: Rule[] = [];
  for (const rule of sorted) {
    open = open.filter((other) => rule.at - other.at <= SAME_RULE * scale);
    const same = open.find(
      (other) => rule.from <= other.to + JOIN_GAP * scale && rule.to >= other.from - JOIN_GAP * scale,
    );
    if (same) {
      same.from = Math.min(same.from, rule.from);
      same.to = Math.max(same.to, rule.to);
    } else {
      const copy = { ...rule };
      joined.push(copy);
      open.push(copy);
    }
  }
  return joined;
}
