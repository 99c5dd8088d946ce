// The body of an OpenDocument text as blocks: headings, lists with their numbers, tables, frames.

import type { Block, Box, Cell } from "../document.ts";
import type { Archive } from "./archive.ts";
import { cellText, MAX_CELLS, tableBlock } from "./cells.ts";
import { finishInline, newInline } from "./inline.ts";
import { commentText, type OdfContent, readOdfInline } from "./odf-inline.ts";
import { type OdfStyle, type OdfStyles, writeMarker } from "./odf-styles.ts";
import { kindOfStyle, type ParagraphKind, pushBlock, withMarker } from "./style-names.ts";
import { child, elementsOf, firstDescendant, parseXml, textOf, type XmlNode } from "./xml.ts";

export interface OdfStory {
  archive: Archive;
  styles: OdfStyles;
  page: number;
  bbox: Box | null;
  /** Numbers of the lists read so far, by list id and by style, for those that count on. */
  lists: Map<string, number[]>;
  outline: number[];
  notes: Block[];
  comments: Block[];
}

interface ListPlace {
  style: string | undefined;
  depth: number;
  counters: number[];
  /** Only the first paragraph of an item carries the marker. */
  marker: string | null;
}

function kindOf(node: XmlNode, style: OdfStyle): ParagraphKind {
  const level = node.name === "text:h" ? Number(node.attrs["text:outline-level"] ?? 1) || 1 : style.outline;
  return kindOfStyle(style.names, level === undefined ? undefined : Math.max(1, level) - 1);
}

/** The number of a heading, from the outline of the document. */
function outlineMarker(node: XmlNode, story: OdfStory): string {
  const depth = Number(node.attrs["text:outline-level"] ?? 1) || 1;
  const level = story.styles.outline(depth);
  if (!level || level.format === "none" || node.attrs["text:is-list-header"] === "true") return "";
  story.outline[depth] = (story.outline[depth] ?? level.start - 1) + 1;
  story.outline.length = depth + 1;
  return writeMarker(level, depth, story.outline, story.styles.outline);
}

function addParagraph(node: XmlNode, story: OdfStory, out: Block[], list: ListPlace | null): void {
  const style = story.styles.style("paragraph", node.attrs["text:style-name"]);
  const content: OdfContent = { inline: newInline(), frames: [], notes: [], comments: [] };
  const kind = kindOf(node, style);
  const plain = kind.type === "heading" || kind.type === "title" || kind.type === "code";
  if (!style.hidden)
    readOdfInline(node, plain ? {} : { bold: style.bold, italic: style.italic }, content, story.styles);
  const { text, marks } = finishInline(content.inline);
  if (text !== "") {
    const block: Block = { ...kind, text, marks, page: story.page, bbox: story.bbox };
    const marker = kind.type === "heading" && !list ? outlineMarker(node, story) : (list?.marker ?? "");
    const level = Math.min(list?.depth ?? 1, 9);
    pushBlock(out, withMarker(block, marker === "" ? null : { marker, ordered: /[\p{L}\p{N}]/u.test(marker), level }));
    if (list) list.marker = null;
  }
  for (const { marker, body } of content.notes) addNote(marker, body, story);
  for (const comment of content.comments) addComment(comment, story);
  for (const frame of content.frames) readOdfBlock(frame, story, out, null);
}

function addNote(marker: string, body: XmlNode, story: OdfStory): void {
  const inner: Block[] = [];
  readOdfBlocks(body, story, inner);
  const { text } = cellText(inner);
  if (text !== "") story.notes.push({ type: "footnote", text: `[${marker}] ${text}`, page: story.page, bbox: null });
}

function addComment(node: XmlNode, story: OdfStory): void {
  const text = commentText(node);
  if (text !== "") story.comments.push({ type: "paragraph", text, page: story.page, bbox: null, role: "comment" });
}

// ---- lists -------------------------------------------------------------------------------------------------------------

function startList(node: XmlNode, story: OdfStory, outer: ListPlace | null): ListPlace {
  const style = node.attrs["text:style-name"] ?? outer?.style;
  if (outer) return { style, depth: outer.depth + 1, counters: outer.counters, marker: null };
  const goesOn = node.attrs["text:continue-list"];
  const before =
    (goesOn ? story.lists.get(`id ${goesOn}`) : undefined) ??
    (node.attrs["text:continue-numbering"] === "true" ? story.lists.get(`style ${style}`) : undefined);
  const counters = before ?? [];
  story.lists.set(`style ${style}`, counters);
  if (node.attrs["xml:id"]) story.lists.set(`id ${node.attrs["xml:id"]}`, counters);
  return { style, depth: 1, counters, marker: null };
}

function addList(node: XmlNode, story: OdfStory, out: Block[], outer: ListPlace | null): void {
  const place = startList(node, story, outer);
  const { depth, counters } = place;
  if (outer) counters.length = Math.min(counters.length, depth);
  for (const item of elementsOf(node)) {
    if (item.name !== "text:list-item" && item.name !== "text:list-header") continue;
    const holdsText = elementsOf(item).some((inner) => inner.name === "text:p" || inner.name === "text:h");
    place.marker = null;
    if (item.name === "text:list-item" && holdsText) {
      const style = place.style ?? paragraphList(item, story);
      const level = story.styles.level(style, depth) ?? {
        bullet: "•",
        format: "none",
        prefix: "",
        suffix: "",
        shown: 1,
        start: 1,
      };
      const start = item.attrs["text:start-value"];
      counters[depth] = start === undefined ? (counters[depth] ?? level.start - 1) + 1 : Number(start) || 0;
      counters.length = depth + 1;
      place.marker = writeMarker(level, depth, counters, (at) => story.styles.level(style, at));
    }
    for (const inner of elementsOf(item)) readOdfBlock(inner, story, out, place);
  }
}

/** A list without a style of its own takes that of its first paragraph. */
function paragraphList(item: XmlNode, story: OdfStory): string | undefined {
  const paragraph = firstDescendant(item, "text:p") ?? firstDescendant(item, "text:h");
  return story.styles.style("paragraph", paragraph?.attrs["text:style-name"]).list;
}

// ---- tables ------------------------------------------------------------------------------------------------------------

function* rowsOf(table: XmlNode, header = false): Generator<{ row: XmlNode; header: boolean }> {
  for (const node of elementsOf(table)) {
    if (node.name === "table:table-row") yield { row: node, header };
    else if (node.name === "table:table-header-rows") yield* rowsOf(node, true);
    else if (node.name === "table:table-rows" || node.name === "table:table-row-group") yield* rowsOf(node, header);
  }
}

const count = (node: XmlNode, name: string, most: number) =>
  Math.min(Math.max(1, Number(node.attrs[name] ?? 1) || 1), most);
/** Repeats pad a table with empty cells to the edge of the sheet; a text never needs more. */
const MAX_REPEAT = 1000;

export function addOdfTable(node: XmlNode, story: OdfStory, out: Block[]): void {
  const cells: Cell[] = [];
  const beside: Block[] = [];
  const flagged = [...rowsOf(node)];
  let row = 0;
  for (const { row: tr, header } of flagged) {
    let column = 0;
    for (const tc of elementsOf(tr)) {
      if (tc.name === "table:covered-table-cell") column += count(tc, "table:number-columns-repeated", MAX_REPEAT);
      if (tc.name !== "table:table-cell") continue;
      const blocks: Block[] = [];
      readOdfBlocks(tc, story, blocks);
      const { text, rest } = cellText(blocks);
      beside.push(...rest);
      const row_span = count(tc, "table:number-rows-spanned", MAX_REPEAT);
      const column_span = count(tc, "table:number-columns-spanned", MAX_REPEAT);
      for (let n = count(tc, "table:number-columns-repeated", MAX_REPEAT); n > 0 && cells.length < MAX_CELLS; n--) {
        cells.push({ row, column, row_span, column_span, text, header, bbox: null });
        column++;
      }
    }
    row++;
  }
  const firstRow = node.attrs["table:use-first-row-styles"] === "true" && !flagged.some((r) => r.header);
  if (firstRow) for (const cell of cells) cell.header = cell.row === 0;
  if (cells.length > 0) out.push(tableBlock(cells, { page: story.page, bbox: story.bbox, rows: row }));
  out.push(...beside);
}

// ---- frames ------------------------------------------------------------------------------------------------------------

/** An embedded formula or chart is a document of its own inside the archive. */
function readObject(node: XmlNode, story: OdfStory, out: Block[]): boolean {
  const href = (node.attrs["xlink:href"] ?? "").replace(/^\.\//, "");
  let root: XmlNode | undefined;
  try {
    const bytes = href === "" ? null : story.archive.read(`${href}/content.xml`);
    root = bytes ? parseXml(bytes) : undefined;
  } catch {
    return false; // a damaged object costs the object, not the document
  }
  if (!root) return false;
  const formula = /(^|:)math$/.test(root.name) ? root : undefined;
  if (formula) {
    const note = [...allOf(formula)].find((n) => /(^|:)annotation$/.test(n.name));
    const text = textOf(note ?? formula)
      .replace(/\s+/g, " ")
      .trim();
    if (text !== "") out.push({ type: "formula", text, page: story.page, bbox: story.bbox });
    return text !== "";
  }
  const table = firstDescendant(root, "table:table");
  if (table) addOdfTable(table, story, out);
  return table !== undefined;
}

function* allOf(node: XmlNode): Generator<XmlNode> {
  for (const inner of elementsOf(node)) {
    yield inner;
    yield* allOf(inner);
  }
}

function addFrame(node: XmlNode, story: OdfStory, out: Block[]): void {
  const object = child(node, "draw:object");
  if (object && readObject(object, story, out)) return;
  const table = child(node, "table:table");
  const box = child(node, "draw:text-box");
  const image = child(node, "draw:image");
  if (table) addOdfTable(table, story, out);
  else if (box) readOdfBlocks(box, story, out);
  else if (image) addImage(node, image, story, out);
}

function addImage(node: XmlNode, image: XmlNode, story: OdfStory, out: Block[]): void {
  const alt = (textOf(child(node, "svg:desc")) || textOf(child(node, "svg:title"))).trim();
  const url = image.attrs["xlink:href"];
  out.push({ type: "figure", text: alt, page: story.page, bbox: story.bbox, ...(url ? { url } : {}) });
}

// ---- the body ----------------------------------------------------------------------------------------------------------

const passedOver = new Set([
  "text:tracked-changes",
  "office:forms",
  "text:sequence-decls",
  "text:variable-decls",
  "svg:title",
  "svg:desc",
]);

export function readOdfBlock(node: XmlNode, story: OdfStory, out: Block[], list: ListPlace | null): void {
  if (node.name === "text:p" || node.name === "text:h") addParagraph(node, story, out, list);
  else if (node.name === "text:list") addList(node, story, out, list);
  else if (node.name === "table:table") addOdfTable(node, story, out);
  else if (node.name === "draw:frame") addFrame(node, story, out);
  else if (node.name === "office:annotation") addComment(node, story);
  else if (node.name === "text:note") return;
  else if (!passedOver.has(node.name)) for (const inner of elementsOf(node)) readOdfBlock(inner, story, out, null);
}

export function readOdfBlocks(parent: XmlNode | undefined, story: OdfStory, out: Block[]): void {
  for (const node of elementsOf(parent)) readOdfBlock(node, story, out, null);
}
