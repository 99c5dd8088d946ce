// One image in, positioned text out: decode, turn upright, find the lines of text, read them, find the rulings.
// The only door of this folder for the readers; layout/ turns what comes out into blocks.
import type { Line, TextItem } from "../document.ts";

export interface Recognised {
  /** Pixels of the upright image; every box below is in these. */
  width: number;
  height: number;
  /** Degrees, clockwise, by which the image had to be turned to stand upright. */
  rotation: 0 | 90 | 180 | 270;
  /** Lines of text in reading order, words with boxes filled. */
  items: TextItem[];
  /** Long straight strokes: the rulings of tables. */
  lines: Line[];
  /** Mean over all characters, 0 to 1; 1 where there is no text. */
  confidence: number;
}

export async function recognise(_image: Uint8Array, _request: { languages: string[] }): Promise<Recognised> {
  return { width: 0, height: 0, rotation: 0, items: [], lines: [], confidence: 1 };
}
