// ODP: each slide a page; its title first, the rest in reading order, then the speaker's notes and the comments.

import { Fault } from "../../errors.ts";
import type { Block, Box, Page, Reader } from "../document.ts";
import { openOdf } from "../office/odf.ts";
import { type OdfStory, readOdfBlock, readOdfBlocks } from "../office/odf-blocks.ts";
import { readOdfStyles } from "../office/odf-styles.ts";
import { readingOrder } from "../office/reading-order.ts";
import { choosePages } from "../office/whole.ts";
import { child, childrenNamed, elementsOf, path, type XmlNode } from "../office/xml.ts";

const POINTS: Record<string, number> = { cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1, pc: 12, px: 0.75 };

function points(length: string | undefined): number | null {
  const match = /^(-?\d*\.?\d+)(cm|mm|in|pt|pc|px)$/.exec(length ?? "");
  return match ? Math.round(Number(match[1]) * POINTS[match[2]!]! * 100) / 100 : null;
}

function boxOf(node: XmlNode): Box | null {
  const [x, y, width, height] = ["svg:x", "svg:y", "svg:width", "svg:height"].map((name) => points(node.attrs[name]));
  if (x == null || y == null || width == null) return null;
  return [x, y, x + width, y + (height ?? 0)].map((n) => Math.round(n * 100) / 100) as Box;
}

interface Shape {
  role: string;
  bbox: Box | null;
  index: number;
  blocks: Block[];
}

const running: Record<string, "header" | "footer"> = {
  header: "header",
  footer: "footer",
  "date-time": "footer",
  "page-number": "footer",
};

/** Groups have no place of their own; what they hold has. */
function readShapes(parent: XmlNode, story: OdfStory, shapes: Shape[]): void {
  for (const node of elementsOf(parent)) {
    if (node.name === "draw:g" || node.name === "draw:a") readShapes(node, story, shapes);
    else if (node.name.startsWith("draw:") && node.attrs["presentation:placeholder"] !== "true") {
      const bbox = boxOf(node);
      const blocks: Block[] = [];
      readOdfBlock(node, { ...story, bbox }, blocks, null);
      shapes.push({ role: node.attrs["presentation:class"] ?? "", bbox, index: shapes.length, blocks });
    } else if (node.name === "office:annotation") readOdfBlock(node, story, [], null);
  }
}

function titleBlock({ blocks, bbox }: Shape, page: number): Block[] {
  const text = blocks
    .map((block) => block.text)
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" ? [] : [{ type: "heading", level: 1, text, page, bbox }];
}

function readSlide(slide: XmlNode, story: OdfStory): Block[] {
  const shapes: Shape[] = [];
  readShapes(slide, story, shapes);
  const titles = shapes.filter((shape) => shape.role === "title");
  const edges = shapes.filter((shape) => running[shape.role]);
  const middle = shapes.filter((shape) => !titles.includes(shape) && !edges.includes(shape) && shape.blocks.length > 0);
  const placed = middle.flatMap((shape) => (shape.bbox ? [{ ...shape, bbox: shape.bbox }] : []));
  const notes: Block[] = [];
  for (const frame of childrenNamed(child(slide, "presentation:notes"), "draw:frame"))
    if (frame.attrs["presentation:class"] === "notes") readOdfBlocks(frame, story, notes);
  return [
    ...titles.flatMap((shape) => titleBlock(shape, story.page)),
    ...readingOrder(placed).flatMap((shape) => shape.blocks),
    ...middle.filter((shape) => !shape.bbox).flatMap((shape) => shape.blocks),
    ...edges.flatMap((shape) => shape.blocks.map((block) => ({ ...block, type: running[shape.role] ?? block.type }))),
    ...notes.map((block) => ({ ...block, role: "notes" as const })),
    ...story.comments,
  ];
}

function pageSizes(styles: XmlNode | undefined): Map<string, { width: number; height: number }> {
  const layouts = new Map<string, XmlNode | undefined>();
  for (const layout of childrenNamed(child(styles, "office:automatic-styles"), "style:page-layout"))
    layouts.set(layout.attrs["style:name"] ?? "", child(layout, "style:page-layout-properties"));
  const sizes = new Map<string, { width: number; height: number }>();
  for (const master of childrenNamed(child(styles, "office:master-styles"), "style:master-page")) {
    const attrs = layouts.get(master.attrs["style:page-layout-name"] ?? "")?.attrs;
    const width = points(attrs?.["fo:page-width"]);
    const height = points(attrs?.["fo:page-height"]);
    if (width && height) sizes.set(master.attrs["style:name"] ?? "", { width, height });
  }
  return sizes;
}

function hiddenStyles(content: XmlNode): Set<string> {
  const hidden = new Set<string>();
  for (const style of childrenNamed(child(content, "office:automatic-styles"), "style:style"))
    if (child(style, "style:drawing-page-properties")?.attrs["presentation:visibility"] === "hidden")
      hidden.add(style.attrs["style:name"] ?? "");
  return hidden;
}

export const readOdp: Reader = async ({ bytes }, reading) => {
  const { archive, content, styles, properties } = openOdf(bytes, reading.limits.maxExpandedBytes);
  const body = path(content, "office:body", "office:presentation");
  if (!body) throw new Fault("corrupt_document", { detail: "The file holds no OpenDocument presentation." });
  const slides = childrenNamed(body, "draw:page");
  const sizes = pageSizes(styles);
  const hidden = hiddenStyles(content);
  const odfStyles = readOdfStyles([styles, content]);
  const pages: Page[] = [];
  const blocks: Block[] = [];
  for (const number of choosePages(slides.length, reading)) {
    const slide = slides[number - 1]!;
    const story = {
      archive,
      styles: odfStyles,
      page: number,
      bbox: null,
      lists: new Map(),
      outline: [],
      notes: [],
      comments: [],
    };
    const own = readSlide(slide, story);
    const title = own.find((block) => block.type === "heading")?.text;
    const size = sizes.get(slide.attrs["draw:master-page-name"] ?? "");
    pages.push({
      number,
      width: size?.width ?? null,
      height: size?.height ?? null,
      unit: size ? "pt" : null,
      rotation: 0,
      ocr: false,
      ...(title ? { name: title } : {}),
      ...(hidden.has(slide.attrs["draw:style-name"] ?? "") ? { hidden: true } : {}),
    });
    blocks.push(...own);
  }
  return {
    title: properties.title ?? pages.find((page) => page.name)?.name ?? null,
    authors: properties.authors,
    language: properties.language,
    published_at: null,
    metadata: properties.metadata,
    page_count: slides.length,
    pages,
    blocks,
  };
};
