// Pages whose text runs sideways or upside down: turned upright for the layout, and the boxes turned back after it.
import type { Block, Box, PositionedPage } from "../document.ts";

type Turn = 0 | 90 | 180 | 270;

/** The direction, in degrees clockwise, that most characters of the page have. */
export function directionOfPage(page: PositionedPage): Turn {
  const weights = new Map<number, number>();
  for (const item of page.items) {
    const rotation = item.rotation ?? 0;
    weights.set(rotation, (weights.get(rotation) ?? 0) + item.text.length);
  }
  let [best, most] = [0, weights.get(0) ?? 0];
  for (const [rotation, weight] of weights) if (weight > most && rotation % 90 === 0) [best, most] = [rotation, weight];
  return best as Turn;
}

/** The page seen so that text of this direction is upright. */
export function turnPage(page: PositionedPage, turn: Turn): PositionedPage {
  if (turn === 0) return page;
  const box = (source: Box): Box => turnBox(source, turn, page.width, page.height);
  const sideways = turn !== 180;
  return {
    ...page,
    width: sideways ? page.height : page.width,
    height: sideways ? page.width : page.height,
    items: page.items.map((item) => ({
      ...item,
      bbox: box(item.bbox),
      rotation: ((item.rotation ?? 0) - turn + 360) % 360,
      ...(item.words && { words: item.words.map((word) => ({ ...word, bbox: box(word.bbox) })) }),
    })),
    lines: page.lines.map((line) => {
      const [x0, y0, x1, y1] = box([line.x0, line.y0, line.x1, line.y1]);
      return { x0, y0, x1, y1, width: line.width };
    }),
    rects: page.rects.map((rect) => ({ ...rect, bbox: box(rect.bbox) })),
    images: page.images.map((image) => ({ ...image, bbox: box(image.bbox) })),
    links: page.links.map((link) => ({ ...link, bbox: box(link.bbox) })),
  };
}

/** Turns counterclockwise by `turn`, which makes upright what was turned clockwise. */
function turnBox([x0, y0, x1, y1]: Box, turn: Turn, width: number, height: number): Box {
  if (turn === 90) return [y0, width - x1, y1, width - x0];
  if (turn === 180) return [width - x1, height - y1, width - x0, height - y0];
  if (turn === 270) return [height - y1, x0, height - y0, x1];
  return [x0, y0, x1, y1];
}

/** Boxes of blocks laid out on turned pages, back on the pages as they are. */
export function turnBack(blocks: Block[], pages: Map<number, { turn: Turn; width: number; height: number }>): Block[] {
  return blocks.map((block) => {
    const page = pages.get(block.page);
    if (!page || page.turn === 0) return block;
    const back = ((360 - page.turn) % 360) as Turn;
    const sideways = page.turn !== 180;
    const [width, height] = sideways ? [page.height, page.width] : [page.width, page.height];
    const box = (source: Box): Box => turnBox(source, back, width, height);
    const turned: Block = { ...block, bbox: block.bbox && box(block.bbox) };
    if (block.words) turned.words = block.words.map((word) => ({ ...word, bbox: box(word.bbox) }));
    if (block.table)
      turned.table = {
        ...block.table,
        bbox: block.table.bbox && box(block.table.bbox),
        cells: block.table.cells.map((cell) => ({
          ...cell,
          bbox: cell.bbox && box(cell.bbox),
          ...(cell.words && { words: cell.words.map((word) => ({ ...word, bbox: box(word.bbox) })) }),
        })),
      };
    return turned;
  });
}
