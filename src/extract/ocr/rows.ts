// Rows of a page: what stands side by side gets one height. Paper is never quite flat, and the boxes of a label and of its
// amount far to the right differ by a few pixels that would tear the row apart.
import type { Box, TextItem } from "../document.ts";

/** Centres of a row lie within this part of the smaller height; lines of one column are a whole height apart. */
const SAME_ROW = 0.6;

/** From top to bottom and left to right, each item moved up or down to the middle of its row. */
export function alignRows(items: TextItem[]): TextItem[] {
  const rows: { items: TextItem[]; centre: number; height: number }[] = [];
  for (const item of [...items].sort((a, b) => centreOf(a) - centreOf(b) || a.bbox[0] - b.bbox[0])) {
    const height = item.bbox[3] - item.bbox[1];
    const row = rows.at(-1);
    if (row && centreOf(item) - row.centre < SAME_ROW * Math.min(height, row.height)) {
      row.items.push(item);
      row.centre += (centreOf(item) - row.centre) / row.items.length;
      row.height = Math.min(row.height, height);
    } else rows.push({ items: [item], centre: centreOf(item), height });
  }
  return rows.flatMap((row) =>
    row.items.sort((a, b) => a.bbox[0] - b.bbox[0]).map((item) => moveDown(item, row.centre - centreOf(item))),
  );
}

const centreOf = (item: TextItem) => (item.bbox[1] + item.bbox[3]) / 2;

function moveDown(item: TextItem, by: number): TextItem {
  const move = ([x0, y0, x1, y1]: Box): Box => [x0, y0 + by, x1, y1 + by];
  return { ...item, bbox: move(item.bbox), words: item.words?.map(({ text, bbox }) => ({ text, bbox: move(bbox) })) };
}
