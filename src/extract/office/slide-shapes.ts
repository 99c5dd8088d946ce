// The shapes of a slide with their place: placeholders take position and bullets from layout and master, groups shift what they hold.

import type { Block, Box, Cell } from "../document.ts";
import type { Archive } from "./archive.ts";
import { MAX_CELLS, tableBlock } from "./cells.ts";
import { readChart, readDiagram } from "./graphics.ts";
import type { Part } from "./ooxml.ts";
import { type TextContext, textBlocks, wholeText } from "./slide-text.ts";
import { child, childrenNamed, descendants, elementsOf, firstDescendant, path, type XmlNode } from "./xml.ts";

const EMU_PER_PT = 12_700;

/** x → x * scale + shift, for both axes. */
interface Transform {
  scaleX: number;
  scaleY: number;
  shiftX: number;
  shiftY: number;
}
const identity: Transform = { scaleX: 1, scaleY: 1, shiftX: 0, shiftY: 0 };

export interface Shape {
  /** "title", "ctrTitle", "body", "ftr", …; null for what is no placeholder. */
  placeholder: string | null;
  bbox: Box | null;
  index: number;
  blocks: Block[];
  /** Largest type set in the shape itself, in hundredths of a point; 0 where it only inherits. */
  size: number;
}

export interface SlideContext {
  archive: Archive;
  slide: Part;
  layout: Part | null;
  master: Part | null;
  page: number;
}

function boxOf(xfrm: XmlNode | undefined, t: Transform): Box | null {
  const off = child(xfrm, "a:off");
  const ext = child(xfrm, "a:ext");
  if (!off || !ext) return null;
  const numbers = [off.attrs.x, off.attrs.y, ext.attrs.cx, ext.attrs.cy].map(Number);
  if (!numbers.every(Number.isFinite)) return null;
  const [x, y, width, height] = numbers as [number, number, number, number];
  const points = [
    x * t.scaleX + t.shiftX,
    y * t.scaleY + t.shiftY,
    (x + width) * t.scaleX + t.shiftX,
    (y + height) * t.scaleY + t.shiftY,
  ];
  return points.map((n) => Math.round((n / EMU_PER_PT) * 100) / 100) as Box;
}

/** Children of a group are drawn in the group's own coordinates. */
function groupTransform(xfrm: XmlNode | undefined, outer: Transform): Transform {
  const read = (name: string, a: string, b: string) =>
    [a, b].map((key) => Number(child(xfrm, name)?.attrs[key])) as [number, number];
  const [x, y] = read("a:off", "x", "y");
  const [width, height] = read("a:ext", "cx", "cy");
  const [innerX, innerY] = read("a:chOff", "x", "y");
  const [innerWidth, innerHeight] = read("a:chExt", "cx", "cy");
  const scaleX = width / innerWidth;
  const scaleY = height / innerHeight;
  if (![x, y, innerX, innerY, scaleX, scaleY].every(Number.isFinite)) return outer;
  return {
    scaleX: outer.scaleX * scaleX,
    scaleY: outer.scaleY * scaleY,
    shiftX: (x - innerX * scaleX) * outer.scaleX + outer.shiftX,
    shiftY: (y - innerY * scaleY) * outer.scaleY + outer.shiftY,
  };
}

const placeholderOf = (sp: XmlNode) => firstDescendant(child(sp, "p:nvSpPr") ?? child(sp, "p:nvPicPr"), "p:ph");

/** Layout and master use other words for the same place. */
const sameTypes: Record<string, string> = { ctrTitle: "title", subTitle: "body", obj: "body" };
const typeOf = (ph: XmlNode) => ph.attrs.type ?? "body";
const plainType = (type: string) => sameTypes[type] ?? type;

function findPlaceholder(part: Part | null, ph: XmlNode, byIndex: boolean): XmlNode | undefined {
  const shapes = childrenNamed(path(part?.root, "p:cSld", "p:spTree"), "p:sp");
  const matching = (test: (other: XmlNode) => boolean) =>
    shapes.find((sp) => {
      const other = placeholderOf(sp);
      return other !== undefined && test(other);
    });
  const index = ph.attrs.idx;
  return (
    (byIndex && index !== undefined ? matching((other) => other.attrs.idx === index) : undefined) ??
    matching((other) => plainType(typeOf(other)) === plainType(typeOf(ph)))
  );
}

const styleNames: Record<string, string> = { title: "p:titleStyle", body: "p:bodyStyle" };

function inheritance(sp: XmlNode, ph: XmlNode | undefined, context: SlideContext) {
  const sources = [sp];
  if (ph) {
    const layout = findPlaceholder(context.layout, ph, true);
    const master = findPlaceholder(context.master, ph, false);
    for (const source of [layout, master]) if (source) sources.push(source);
  }
  const listStyles = sources.map((source) => path(source, "p:txBody", "a:lstStyle"));
  const general = (ph && styleNames[plainType(typeOf(ph))]) ?? "p:otherStyle";
  listStyles.push(path(context.master?.root, "p:txStyles", general));
  return { sources, listStyles: listStyles.filter((style) => style !== undefined) };
}

function readShape(sp: XmlNode, t: Transform, context: SlideContext, index: number): Shape {
  const ph = placeholderOf(sp);
  const { sources, listStyles } = inheritance(sp, ph, context);
  const own = boxOf(path(sp, "p:spPr", "a:xfrm"), t);
  const inherited = sources.slice(1).map((source) => boxOf(path(source, "p:spPr", "a:xfrm"), identity));
  const bbox = own ?? inherited.find((box) => box !== null) ?? null;
  const text: TextContext = { relations: context.slide.relations, listStyles, page: context.page, bbox };
  const body = child(sp, "p:txBody");
  const placeholder = ph ? typeOf(ph) : null;
  if (placeholder === "title" || placeholder === "ctrTitle") {
    const title = wholeText(body, text, " ").replace(/\s+/g, " ");
    const blocks: Block[] = title ? [{ type: "heading", level: 1, text: title, page: context.page, bbox }] : [];
    return { placeholder, bbox, index, blocks, size: 0 };
  }
  const size = Math.max(0, ...descendants(body, "a:rPr").map((rPr) => Number(rPr.attrs.sz) || 0));
  return { placeholder, bbox, index, blocks: textBlocks(body, text), size };
}

function readTable(tbl: XmlNode, bbox: Box | null, context: SlideContext): Block[] {
  const text: TextContext = { relations: context.slide.relations, listStyles: [], page: context.page, bbox };
  const header = /^(1|true)$/.test(child(tbl, "a:tblPr")?.attrs.firstRow ?? "");
  const cells: Cell[] = [];
  const rows = childrenNamed(tbl, "a:tr");
  rows.forEach((tr, row) => {
    childrenNamed(tr, "a:tc").forEach((tc, column) => {
      if (/^(1|true)$/.test(tc.attrs.hMerge ?? "") || /^(1|true)$/.test(tc.attrs.vMerge ?? "")) return;
      if (cells.length >= MAX_CELLS) return;
      cells.push({
        row,
        column,
        row_span: Math.min(Math.max(1, Number(tc.attrs.rowSpan) || 1), rows.length - row),
        column_span: Math.min(Math.max(1, Number(tc.attrs.gridSpan) || 1), 1000),
        text: wholeText(child(tc, "a:txBody"), text, "\n"),
        header: header && row === 0,
        bbox: null,
      });
    });
  });
  return cells.length > 0 ? [tableBlock(cells, { page: context.page, bbox, rows: rows.length })] : [];
}

function readFrame(frame: XmlNode, t: Transform, context: SlideContext, index: number): Shape {
  const bbox = boxOf(child(frame, "p:xfrm"), t);
  const data = path(frame, "a:graphic", "a:graphicData");
  const target = (id: string | undefined) => context.slide.relations.get(id ?? "")?.target;
  const blocks: Block[] = [];
  const table = child(data, "a:tbl");
  const chart = target(child(data, "c:chart")?.attrs["r:id"]);
  const diagram = target(child(data, "dgm:relIds")?.attrs["r:dm"]);
  if (table) blocks.push(...readTable(table, bbox, context));
  if (chart) blocks.push(...readChart(context.archive, chart, context.page, bbox));
  if (diagram) blocks.push(...readDiagram(context.archive, diagram, context.page, bbox));
  const alt = path(frame, "p:nvGraphicFramePr", "p:cNvPr")?.attrs.descr?.trim();
  if (blocks.length === 0 && alt) blocks.push({ type: "figure", text: alt, page: context.page, bbox });
  return { placeholder: null, bbox, index, blocks, size: 0 };
}

function readPicture(pic: XmlNode, t: Transform, context: SlideContext, index: number): Shape {
  const bbox = boxOf(path(pic, "p:spPr", "a:xfrm"), t);
  const about = path(pic, "p:nvPicPr", "p:cNvPr")?.attrs;
  const url = context.slide.relations.get(path(pic, "p:blipFill", "a:blip")?.attrs["r:embed"] ?? "")?.target;
  const text = (about?.descr || about?.title || "").trim();
  const block: Block = { type: "figure", text, page: context.page, bbox, ...(url ? { url } : {}) };
  return { placeholder: null, bbox, index, blocks: [block], size: 0 };
}

/** Every shape of a tree, groups opened. */
export function readShapes(tree: XmlNode | undefined, context: SlideContext): Shape[] {
  const shapes: Shape[] = [];
  const walk = (parent: XmlNode | undefined, t: Transform) => {
    for (const node of elementsOf(parent)) {
      const index = shapes.length;
      if (node.name === "p:sp") shapes.push(readShape(node, t, context, index));
      else if (node.name === "p:graphicFrame") shapes.push(readFrame(node, t, context, index));
      else if (node.name === "p:pic") shapes.push(readPicture(node, t, context, index));
      else if (node.name === "p:grpSp") walk(node, groupTransform(path(node, "p:grpSpPr", "a:xfrm"), t));
      else if (node.name === "mc:AlternateContent") walk(child(node, "mc:Choice") ?? child(node, "mc:Fallback"), t);
    }
  };
  walk(tree, identity);
  return shapes;
}
