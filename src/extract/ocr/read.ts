// Reads lines of text: each slanted box is cut out 48 pixels high, the model gives characters over time steps, and the
// best path through them is the text; a time step is a place along the line.
import { Tensor } from "onnxruntime-node";
import type { Recogniser } from "./models.ts";
import type { Pyramid, Raster, Slant } from "./raster.ts";

const HEIGHT_PX = 48; // the model's own
const MARGIN = 0.15; // of the height, added: on 30 receipts words right rose from .82 to .84
const MIN_WIDTH_PX = 48;
const MAX_WIDTH_PX = 3200; // about 200 characters; a longer line is squeezed
const BATCH_WIDTH_PX = 3200; // sum of the widths in one run; bounds its memory to about 200 MB
const WIDTH_STEP_PX = 16;

export interface Character {
  text: string;
  /** Middle of the character along the line, 0 to 1. */
  at: number;
  /** 0 to 1. */
  confidence: number;
  /** How likely the model thought a space somewhere between the last character and this one, 0 to 1. */
  spaceBefore: number;
  /** For a digit the likeliest letter in its place, for a letter the likeliest digit. */
  rival: { text: string; confidence: number } | null;
}

export interface ReadLine {
  box: Slant;
  characters: Character[];
  /** The cut-out the characters were read from. */
  strip: Raster;
}

/** In the order of the boxes. */
export async function readLines(pyramid: Pyramid, found: Slant[], model: Recogniser): Promise<ReadLine[]> {
  const boxes = found.map((box) => ({ ...box, height: box.height * (1 + MARGIN) }));
  const widths = boxes.map((box) => {
    const width = Math.ceil((box.width / box.height) * HEIGHT_PX);
    return Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, Math.ceil(width / WIDTH_STEP_PX) * WIDTH_STEP_PX));
  });
  const order = boxes.map((_, i) => i).sort((a, b) => widths[a]! - widths[b]! || a - b);
  const lines: ReadLine[] = new Array(boxes.length);
  for (let start = 0; start < order.length; ) {
    // Lines of one width only: padding changes what the model reads, and so would the neighbours in a batch.
    const width = widths[order[start]!]!;
    let end = start;
    while (end < order.length && widths[order[end]!] === width && (end - start + 1) * width <= BATCH_WIDTH_PX) end++;
    end = Math.max(end, start + 1);
    const batch = order.slice(start, end);
    const strips = batch.map((i) => pyramid.cut(boxes[i]!, width, HEIGHT_PX));
    const read = await run(model, strips, width);
    batch.forEach((i, n) => {
      lines[i] = { box: found[i]!, characters: read[n]!, strip: strips[n]! };
    });
    start = end;
  }
  return lines;
}

async function run(model: Recogniser, strips: Raster[], width: number): Promise<Character[][]> {
  const { session } = model;
  const plane = width * HEIGHT_PX;
  const input = new Float32Array(strips.length * 3 * plane);
  strips.forEach(({ data }, n) => {
    const start = n * 3 * plane;
    for (let i = 0; i < plane; i++) input[start + i] = data[i]! / 127.5 - 1;
    input.copyWithin(start + plane, start, start + plane);
    input.copyWithin(start + 2 * plane, start, start + plane);
  });
  const tensor = new Tensor("float32", input, [strips.length, 3, HEIGHT_PX, width]);
  const output = (await session.run({ [session.inputNames[0]!]: tensor }))[session.outputNames[0]!]!;
  const [, steps, classes] = output.dims as [number, number, number];
  const data = output.data as Float32Array;
  return strips.map((_, n) => decodePath(data.subarray(n * steps * classes, (n + 1) * steps * classes), steps, model));
}

/** The likeliest class of each step; repeats are one character, class 0 is none. */
function decodePath(data: Float32Array, steps: number, model: Recogniser): Character[] {
  const { alphabet, allowed, spaces } = model;
  const classes = alphabet.length;
  const found: Character[] = [];
  let last = 0;
  let first = 0;
  let spaceBefore = 0;
  for (let step = 0; step < steps; step++) {
    const from = step * classes;
    let best = 0;
    for (const k of allowed) if (data[from + k]! > data[from + best]!) best = k;
    const confidence = data[from + best]!;
    for (const k of spaces) spaceBefore = Math.max(spaceBefore, data[from + k]!);
    if (best !== 0 && best === last) {
      const open = found.at(-1);
      if (open && alphabet[best] !== " ") {
        open.at = (first + step + 1) / 2 / steps;
        open.confidence = Math.max(open.confidence, confidence);
      }
    } else if (best !== 0) {
      first = step;
      const text = alphabet[best] ?? "";
      if (text === " ") spaceBefore = 1;
      else {
        const rival = rivalOf(best, data.subarray(from, from + classes), model);
        found.push({ text, at: (step + 0.5) / steps, confidence, spaceBefore, rival });
        spaceBefore = 0;
      }
    }
    last = best;
  }
  return found;
}

function rivalOf(best: number, step: Float32Array, { alphabet, digits, letters }: Recogniser): Character["rival"] {
  const others = digits.includes(best) ? letters : letters.includes(best) ? digits : null;
  if (!others) return null;
  let rival = others[0]!;
  for (const k of others) if (step[k]! > step[rival]!) rival = k;
  return { text: alphabet[rival]!, confidence: step[rival]! };
}
