// The text of a binary Word file as blocks: characters with marks, paragraphs by style, cells and rows by their marks.

import type { Block } from "../document.ts";
import { cellText } from "./cells.ts";
import type { DocFile } from "./doc-file.ts";
import { flag, number, type Sprms, sprm } from "./doc-sprms.ts";
import type { DocStyle } from "./doc-styles.ts";
import { type EdgeRow, edgeTable } from "./edge-tables.ts";
import { addRun, finishInline, type Inline, isWholly, newInline, type RunStyle } from "./inline.ts";
import { kindOfStyle, type ListMarker, pushBlock, withMarker } from "./style-names.ts";
import { plainSymbols, symbolSign } from "./symbol-fonts.ts";
import type { Numbering } from "./word-numbering.ts";

export interface DocReading {
  doc: DocFile;
  styleOf(index: number): DocStyle | undefined;
  numbering: Numbering;
  /** What stands for the note called at this place. */
  noteMarks: Map<number, string>;
}

interface Story {
  blocks: Block[];
  inline: Inline;
  figures: Block[];
  fields: { instruction: string; showing: boolean }[];
  cell: Block[];
  row: EdgeRow["cells"];
  rows: EdgeRow[];
}

const MAX_FIELDS = 64;

/** Characters that are not text, and what they put into it. */
const controls: Record<string, string> = { "\t": "\t", "\x0b": "\n", "\x0e": "\n", "\x1e": "-" };

function linkOf(story: Story): string | undefined {
  for (let n = story.fields.length - 1; n >= 0; n--) {
    const url = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(story.fields[n]!.instruction)?.[1];
    if (url) return url;
  }
  return undefined;
}

function addText(story: Story, text: string, sprms: Sprms): void {
  const field = story.fields.at(-1);
  if (field && !field.showing) {
    if (field.instruction.length < 4096) field.instruction += text;
    return;
  }
  if (flag(sprms, sprm.hidden) || flag(sprms, sprm.deleted) || story.fields.some((f) => !f.showing)) return;
  const url = linkOf(story);
  const style: RunStyle = {
    bold: flag(sprms, sprm.bold),
    italic: flag(sprms, sprm.italic),
    strike: flag(sprms, sprm.strike),
    ...(url ? { url } : {}),
  };
  addRun(story.inline, plainSymbols(text, ""), style);
}

function control(reading: DocReading, story: Story, sign: string, cp: number, sprms: Sprms): void {
  if (sign === "\x13") {
    if (story.fields.length < MAX_FIELDS) story.fields.push({ instruction: "", showing: false });
  } else if (sign === "\x14") {
    const field = story.fields.at(-1);
    if (field) field.showing = true;
  } else if (sign === "\x15") story.fields.pop();
  else if (sign === "\x02") {
    const mark = reading.noteMarks.get(cp);
    if (mark) addText(story, `[${mark}]`, new Map());
  } else if (sign === "\x01") {
    if (flag(sprms, sprm.special) && story.fields.every((field) => field.showing))
      story.figures.push({ type: "figure", text: "", page: 1, bbox: null });
  } else if (sign === "\r" || sign === "\x07" || sign === "\x0c") endOf(reading, story, sign, cp);
  else addText(story, controls[sign] ?? "", sprms);
}

function endOf(reading: DocReading, story: Story, sign: string, cp: number): void {
  const { style: index, sprms } = reading.doc.paragraphAt(cp);
  const inTable = flag(sprms, sprm.inTable) || (number(sprms, sprm.tableDepth) ?? 0) > 0;
  if (sign === "\x07" && flag(sprms, sprm.rowEnd)) {
    endRow(story, sprms);
    story.inline = newInline();
    return;
  }
  const block = paragraphBlock(reading, story, index, sprms);
  if (!inTable && sign !== "\x07") endTable(story);
  const to = inTable || sign === "\x07" ? story.cell : story.blocks;
  if (block) pushBlock(to, block);
  to.push(...story.figures);
  story.figures = [];
  if (sign === "\x07") endCell(story);
}

function paragraphBlock(reading: DocReading, story: Story, index: number, sprms: Sprms): Block | null {
  const { text, marks } = finishInline(story.inline);
  story.inline = newInline();
  if (text === "") return null;
  const style = reading.styleOf(index);
  const kind = kindOfStyle([style?.name ?? ""], number(sprms, sprm.outline) ?? style?.outline);
  return withMarker({ ...kind, text, marks, page: 1, bbox: null }, markerOf(reading, style, sprms));
}

function markerOf(reading: DocReading, style: DocStyle | undefined, sprms: Sprms): ListMarker | null {
  const list = number(sprms, sprm.list) ?? style?.list ?? 0;
  if (list <= 0 || list >= 0x7ff) return null;
  const level = Math.min(Math.max(0, number(sprms, sprm.level) ?? style?.level ?? 0), 8);
  const next = reading.numbering.next(String(list), level);
  return next && next.marker !== "" ? { ...next, level: level + 1 } : null;
}

function endCell(story: Story): void {
  const { text, rest } = cellText(story.cell);
  const bold = story.cell.every((block) => block.type === "heading" || isWholly("bold", block.text, block.marks));
  story.row.push({ text, bold });
  story.blocks.push(...rest);
  story.cell = [];
}

type Merge = "none" | "start" | "continue";
const downwards: Merge[] = ["none", "continue", "none", "start"];
const sideways: Merge[] = ["none", "start", "continue", "continue"];

/** Edges of the cells, then 20 bytes a cell that begin with how it is merged. */
function endRow(story: Story, sprms: Sprms): void {
  const shape = sprms.get(sprm.tableShape);
  const count = shape?.[0] ?? 0;
  const shapes: EdgeRow["shapes"] = [];
  let left = 0;
  if (shape && shape.length >= 1 + (count + 1) * 2) {
    left = shape.readInt16LE(1);
    for (let n = 0; n < count; n++) {
      const at = 1 + (count + 1) * 2 + n * 20;
      const bits = at + 2 <= shape.length ? shape.readUInt16LE(at) : 0;
      shapes.push({
        edge: shape.readInt16LE(3 + n * 2),
        across: sideways[bits & 3]!,
        down: downwards[(bits >> 5) & 3]!,
      });
    }
  }
  if (story.row.length > 0) story.rows.push({ left, shapes, cells: story.row, header: flag(sprms, sprm.tableHeader) });
  story.row = [];
}

function endTable(story: Story): void {
  if (story.row.length > 0) endRow(story, new Map());
  if (story.rows.length > 0) story.blocks.push(edgeTable(story.rows, 1));
  story.rows = [];
  story.blocks.push(...story.cell);
  story.cell = [];
}

/** Blocks of the text between two places. */
export function readDocStory(reading: DocReading, from: number, to: number): Block[] {
  const story: Story = { blocks: [], inline: newInline(), figures: [], fields: [], cell: [], row: [], rows: [] };
  const { doc } = reading;
  const until = Math.min(to, doc.text.length);
  for (let cp = Math.max(0, from); cp < until; ) {
    const { sprms, end } = doc.charactersAt(cp);
    const runEnd = Math.min(Math.max(end, cp + 1), until);
    const symbol = sprms.get(sprm.symbol);
    if (symbol && symbol.length >= 4 && flag(sprms, sprm.special))
      addText(story, symbolSign("", symbol.readUInt16LE(2)), sprms);
    else readRun(reading, story, cp, runEnd, sprms);
    cp = runEnd;
  }
  const last = paragraphBlock(reading, story, 0, new Map());
  endTable(story);
  if (last) story.blocks.push(last);
  story.blocks.push(...story.figures);
  return story.blocks;
}

function readRun(reading: DocReading, story: Story, from: number, to: number, sprms: Sprms): void {
  const text = reading.doc.text.slice(from, to);
  let plain = 0;
  for (const match of text.matchAll(/[\x00-\x1f]/g)) {
    if (match.index > plain) addText(story, text.slice(plain, match.index), sprms);
    control(reading, story, match[0], from + match.index, sprms);
    plain = match.index + 1;
  }
  if (plain < text.length) addText(story, text.slice(plain), sprms);
}
