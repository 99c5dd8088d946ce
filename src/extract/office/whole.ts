// Small pieces of a whole document that every office reader needs: its one page, its title, the pages that were asked for.

import { Fault } from "../../errors.ts";
import type { Block, Page, Reading } from "../document.ts";

/** Kinds without pages have one page without size. */
export const singlePage = (): Page => ({ number: 1, width: null, height: null, unit: null, rotation: 0, ocr: false });

/** The title as it stands on the page: set as title, else the first heading of the first level. */
export function titleFromBlocks(blocks: Block[]): string | null {
  const found =
    blocks.find((block) => block.type === "title") ??
    blocks.find((block) => block.type === "heading" && block.level === 1);
  return found?.text ?? null;
}

/** Which of the document's pages (slides, sheets) to read: those asked for and there, within the limit. */
export function choosePages(count: number, { options, limits }: Reading): number[] {
  const all = Array.from({ length: count }, (_, n) => n + 1);
  const wanted = options.pages;
  const chosen = wanted ? all.filter((number) => wanted.includes(number)) : all;
  if (chosen.length > limits.maxPages)
    throw new Fault("too_many_pages", { detail: `The document has ${count} pages; the limit is ${limits.maxPages}.` });
  if (wanted && chosen.length === 0)
    throw new Fault("invalid_request", {
      errors: [
        { pointer: "/options/pages", message: `The document has ${count} pages; none of those asked for exists.` },
      ],
    });
  return chosen;
}

/** A damaged part costs what it holds, not the document: a warning says so. Anything else than damage stays a fault. */
export function tolerate<T>(reading: Reading, what: string, read: () => T, otherwise: T, page?: number): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "corrupt_document") throw error;
    const place = page === undefined ? {} : { page };
    reading.warn({
      code: "damaged_part",
      message: `A part of the document is damaged and was left out: ${what}.`,
      ...place,
    });
    return otherwise;
  }
}
