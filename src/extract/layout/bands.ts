// Tables ruled or shaded in rows only: horizontal rules of one length, or shaded stripes, with text in columns between them.
import type { Box, PositionedPage } from "../document.ts";
import { overlap, unite, widthOf } from "./geometry.ts";
import { type Grid, makeGrid, type TextGaps } from "./lattice.ts";
import type { TextLine } from "./lines.ts";
import type { Rule } from "./rules.ts";
import { type Column, findColumns, place, type Row, toRows } from "./stream.ts";

/** Rules that bound one table end within this many points of each other. */
const SAME_END = 8;
/** Rows of text that may follow the last rule of a table. */
const MAX_EXTENSION = 200;

interface Band {
  from: number;
  to: number;
  ys: number[];
}

export function findBands(page: PositionedPage, pieces: TextLine[], rules: Rule[], textGaps: TextGaps): Grid[] {
  const groups = [...ruleGroups(rules, toRows(pieces), page), ...shadeGroups(page)];
  const grids: Grid[] = [];
  for (const group of groups) {
    const rows = toRows(
      pieces.filter((piece) => overlap(piece.box[0], piece.box[2], group.from, group.to) > 0.5 * widthOf(piece.box)),
    );
    const inside = rows.filter((row) => row.base > group.ys[0]! && row.base < group.ys.at(-1)! + 1);
    if (!inside.length) continue;
    const columns = findColumns(inside);
    if (columns.length < 2) continue;
    const ys = extend(group, inside, rows, columns);
    const grid = makeGrid(
      [group.from, group.to],
      ys,
      { horizontal: ys.map((at) => ({ at, from: group.from, to: group.to })), vertical: [] },
      textGaps,
    );
    if (grid && grid.xs.length > 2 && grid.ys.length > 2) grids.push(grid);
  }
  return grids;
}

const rowsIn = (rows: Row[], { from, to, ys }: Band): Row[] =>
  rows.flatMap((row) => {
    if (row.base < ys[0]! || row.base > ys.at(-1)! + 1) return [];
    const pieces = row.pieces.filter(
      (piece) => overlap(piece.box[0], piece.box[2], from, to) > 0.5 * widthOf(piece.box),
    );
    return pieces.length ? [{ ...row, pieces, box: unite(pieces.map((piece) => piece.box)) }] : [];
  });

/** Stretches between rules of the same length that hold rows of several pieces. */
function ruleGroups(rules: Rule[], rows: Row[], page: PositionedPage): Band[] {
  const long = rules.filter((rule) => rule.to - rule.from > 0.12 * page.width).sort((a, b) => a.at - b.at);
  const groups: Rule[][] = [];
  for (const rule of long) {
    const group = groups.find(
      ([first]) => Math.abs(first!.from - rule.from) < SAME_END && Math.abs(first!.to - rule.to) < SAME_END,
    );
    if (group) group.push(rule);
    else groups.push([rule]);
  }
  const bands: Band[] = [];
  for (const group of groups) {
    let open: number[] = [];
    const { from, to } = group[0]!;
    const close = (): void => {
      if (open.length >= 2) bands.push({ from, to, ys: open });
      open = [];
    };
    for (let i = 1; i < group.length; i++) {
      const [top, bottom] = [group[i - 1]!.at, group[i]!.at];
      const inside = rowsIn(rows, { from, to, ys: [top, bottom] });
      const tabular = inside.filter((row) => row.pieces.length >= 2).length;
      const crossing = rows.some(
        (row) => row.base > top && row.base < bottom && row.pieces.some((piece) => crosses(piece.box, from, to)),
      );
      const widest = Math.max(0, ...inside.map((row) => row.pieces.length));
      if (crossing || (inside.length && tabular < 0.5 * inside.length && widest < 3)) close();
      else if (!open.length) open.push(top, bottom);
      else open.push(bottom);
    }
    close();
  }
  return bands;
}

const crosses = (box: Box, from: number, to: number): boolean =>
  overlap(box[0], box[2], from, to) > 1 && (box[0] < from - 14 || box[2] > to + 14);

/** Shaded areas side by side are a stripe; stripes over each other, one table. */
function shadeGroups(page: PositionedPage): Band[] {
  const areas = page.rects.filter(
    ({ bbox, fill, stroke }) =>
      !stroke &&
      fill &&
      fill !== "ffffff" &&
      bbox[3] - bbox[1] > 5 &&
      bbox[3] - bbox[1] < 0.15 * page.height &&
      bbox[2] - bbox[0] > 8,
  );
  const stripes: Box[] = [];
  for (const { bbox } of areas.sort((a, b) => a.bbox[1] - b.bbox[1] || a.bbox[0] - b.bbox[0])) {
    const stripe = stripes.find(
      (other) =>
        Math.abs(other[1] - bbox[1]) < 2 &&
        Math.abs(other[3] - bbox[3]) < 2 &&
        bbox[0] - other[2] < 6 &&
        other[0] - bbox[2] < 6,
    );
    if (stripe) {
      stripe[0] = Math.min(stripe[0], bbox[0]);
      stripe[2] = Math.max(stripe[2], bbox[2]);
    } else stripes.push([...bbox]);
  }
  const groups: Box[][] = [];
  for (const stripe of stripes) {
    const group = groups.find((other) => {
      const last = other.at(-1)!;
      const apart = stripe[1] - last[3];
      return (
        overlap(last[0], last[2], stripe[0], stripe[2]) > 0.5 * Math.max(widthOf(last), widthOf(stripe)) &&
        apart < 4 * (last[3] - last[1])
      );
    });
    if (group) group.push(stripe);
    else groups.push([stripe]);
  }
  return groups.map((group) => {
    const all = unite(group);
    const ys = [...new Set(group.flatMap((stripe) => [stripe[1], stripe[3]]))].sort((a, b) => a - b);
    return { from: all[0], to: all[2], ys: ys.filter((y, i) => i === 0 || y - ys[i - 1]! > 2.5) };
  });
}

/** Rows right above the first and below the last rule that stand in the same columns belong to the table. */
function extend(band: Band, inside: Row[], rows: Row[], columns: Column[]): number[] {
  const ys = [...band.ys];
  const pitch = Math.max(1.9 * inside[0]!.size, 1.25 * ((ys.at(-1)! - ys[0]!) / Math.max(1, inside.length)));
  const fits = (row: Row): boolean => {
    const pieces = row.pieces.filter((piece) => overlap(piece.box[0], piece.box[2], band.from, band.to) > 0);
    if (pieces.length < 2 || pieces.some((piece) => crosses(piece.box, band.from, band.to))) return false;
    return place({ ...row, pieces }, columns).every((entry) => entry.first === entry.last);
  };
  const step = (direction: 1 | -1): void => {
    const ordered = direction === 1 ? rows : [...rows].reverse();
    let edge = direction === 1 ? ys.at(-1)! : ys[0]!;
    let count = 0;
    for (const row of ordered) {
      const distance = direction === 1 ? row.base - edge : edge - row.base;
      if (distance < 1) continue;
      const near = direction === 1 ? row.box[1] - edge : edge - row.box[3];
      if (near > pitch - row.size || !fits(row) || count++ > MAX_EXTENSION) break;
      edge = direction === 1 ? row.box[3] + 0.15 * row.size : row.box[1] - 0.15 * row.size;
      if (direction === 1) ys.push(edge);
      else ys.unshift(edge);
    }
  };
  step(-1);
  step(1);
  return ys;
}
