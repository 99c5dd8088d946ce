// Ends of things in RTF: a paragraph, a cell, a row, a table, a story become blocks here.

import { cellText } from "./cells.ts";
import { edgeTable } from "./edge-tables.ts";
import { addRun, finishInline, isWholly, newInline } from "./inline.ts";
import { plainBullet } from "./number-words.ts";
import { newParagraph, type RtfState, type RtfStory } from "./rtf-state.ts";
import { kindOfStyle, type ListMarker, outlineOfName, pushBlock, withMarker } from "./style-names.ts";
import { plainSymbols } from "./symbol-fonts.ts";

export const storyOf = (state: RtfState) => state.stories.at(-1)!;

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();
function decoderOf(name: string): InstanceType<typeof TextDecoder> {
  let decoder = decoders.get(name);
  if (!decoder) {
    decoder = new TextDecoder(name);
    decoders.set(name, decoder);
  }
  return decoder;
}

/** Collected bytes as text; they wait because a character of an East Asian code page has two. */
export function flushBytes(state: RtfState): void {
  if (state.bytes === "") return;
  const { bytes, group } = state;
  state.bytes = "";
  if (state.symbolFonts.has(group.font)) {
    addText(
      state,
      plainSymbols([...bytes].map((byte) => String.fromCharCode(0xf000 + byte.charCodeAt(0))).join(""), "Symbol"),
    );
    return;
  }
  const name = state.fonts.get(group.font) ?? state.codePage;
  addText(state, /^[\x00-\x7f]*$/.test(bytes) ? bytes : decoderOf(name).decode(Buffer.from(bytes, "latin1")));
}

const linkOf = (instruction: string) =>
  /^\s*HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1] ?? /^\s*HYPERLINK\s+([^\s"\\]+)/i.exec(instruction)?.[1];

const MAX_PROPERTY = 10_000;

/** Text to where the group's destination sends it. */
export function addText(state: RtfState, text: string): void {
  const { group } = state;
  if (group.destination === "text") {
    if (group.hidden) return;
    const url = group.field ? linkOf(group.field.instruction) : undefined;
    const { bold, italic, strike } = group;
    addRun(
      storyOf(state).inline,
      plainSymbols(text, ""),
      url ? { bold, italic, strike, url } : { bold, italic, strike },
    );
  } else if (group.destination === "marker") storyOf(state).paragraph.marker += text;
  else if (group.destination === "property" && (state.info[group.property]?.length ?? 0) < MAX_PROPERTY)
    state.info[group.property] = (state.info[group.property] ?? "") + text;
  else if (group.destination === "instruction" && group.field && group.field.instruction.length < MAX_PROPERTY)
    group.field.instruction += text;
  else if (group.destination === "author") state.author += text;
  else if (group.destination === "shapeName") state.shapeName = text.trim();
  else if (group.destination === "shapeValue" && state.shapeName === "wzDescription" && group.figure)
    group.figure.text = (group.figure.text + text).trim();
  else if (group.destination === "styles" && state.style && state.style.style.name.length < 200)
    state.style.style.name += text;
  else if (group.destination === "fonts" && /symbol|wingdings/i.test(text)) state.symbolFonts.add(state.fontIndex);
}

function outlineOf(state: RtfState, index: number): number | undefined {
  let style = state.styles.get(index);
  for (let n = 0; style && n < 20; n++) {
    const outline = style.outline ?? outlineOfName(style.name);
    if (outline !== undefined) return outline;
    style = style.parent === undefined ? undefined : state.styles.get(style.parent);
  }
  return undefined;
}

function markerOf(story: RtfStory): ListMarker | null {
  const written = story.paragraph.marker.trim();
  if (written === "" && (!story.paragraph.listed || story.paragraph.markerWritten)) return null;
  const ordered = /[\p{L}\p{N}]/u.test(written) && written !== "o";
  return { marker: ordered ? written : plainBullet(written), ordered, level: story.paragraph.level + 1 };
}

/** Takes the collected text as one block to the cell or the story. */
export function endParagraph(state: RtfState, inCell = false): void {
  flushBytes(state);
  const story = storyOf(state);
  const { text, marks } = finishInline(story.inline);
  story.inline = newInline();
  const toCell = inCell || story.paragraph.inTable || story.rowOpen;
  const to = toCell ? story.cell : story.blocks;
  if (!toCell && (text !== "" || story.anchored.length > 0)) endTable(story);
  if (text !== "") {
    const name = state.styles.get(story.paragraph.style)?.name ?? "";
    const kind = kindOfStyle([name], story.paragraph.outline ?? outlineOf(state, story.paragraph.style));
    const block = withMarker({ ...kind, text, marks, page: 1, bbox: null }, markerOf(story));
    pushBlock(to, block);
  }
  to.push(...story.anchored);
  story.anchored = [];
  story.paragraph.marker = "";
  story.paragraph.markerWritten = false;
}

export function endCell(state: RtfState): void {
  endParagraph(state, true);
  const story = storyOf(state);
  const { text, rest } = cellText(story.cell);
  const bold = story.cell.every((block) => block.type === "heading" || isWholly("bold", block.text, block.marks));
  story.row.cells.push({ text, bold });
  story.blocks.push(...rest);
  story.cell = [];
}

export function endRow(story: RtfStory): void {
  if (story.row.cells.length > 0) story.rows.push({ ...story.row, shapes: [...story.row.shapes] });
  story.row = { ...story.row, cells: [] };
  story.rowOpen = false;
}

/** Cells without the end of their row are lost rows of a cut-off file: kept as a row. */
export function endTable(story: RtfStory): void {
  if (story.cell.length > 0) {
    story.blocks.push(...story.cell);
    story.cell = [];
  }
  if (story.row.cells.length > 0) endRow(story);
  if (story.rows.length > 0) story.blocks.push(edgeTable(story.rows, 1));
  story.rows = [];
}

function joined(story: RtfStory): string {
  return cellText(story.blocks).text;
}

/** A note, header or comment is over: its blocks go where they belong. */
export function endStory(state: RtfState): void {
  endParagraph(state);
  const story = state.stories.pop()!;
  story.rowOpen = false;
  endTable(story);
  const text = joined(story);
  if (text === "" && story.type !== "body") return;
  const block = { text, page: 1, bbox: null };
  if (story.type === "footnote") state.notes.push({ ...block, type: "footnote", text: `[${story.marker}] ${text}` });
  else if (story.type === "comment")
    state.comments.push({
      ...block,
      type: "paragraph",
      role: "comment",
      text: story.author ? `${story.author}: ${text}` : text,
    });
  else if (story.type === "body") storyOf(state).anchored.push(...story.blocks);
  else if (!state.running.has(story.type + text)) {
    // Each section repeats its headers; each text once.
    state.running.add(story.type + text);
    (story.type === "header" ? state.headers : state.footers).push({ ...block, type: story.type });
  }
}

export function resetParagraph(story: RtfStory): void {
  // The marker comes before or after \pard, by writer.
  const { marker, markerWritten } = story.paragraph;
  story.paragraph = { ...newParagraph(), marker, markerWritten };
}
