// PPTX: each slide a page; its title first, the rest in reading order, then the speaker's notes and the comments.

import { Fault } from "../../errors.ts";
import type { Block, Page, Reader, Reading } from "../document.ts";
import { type Archive, openArchive } from "../office/archive.ts";
import { mainPartName, type Part, readPart, readProperties, relatedPart } from "../office/ooxml.ts";
import { readingOrder } from "../office/reading-order.ts";
import { readShapes, type Shape, type SlideContext } from "../office/slide-shapes.ts";
import { choosePages, tolerate } from "../office/whole.ts";
import { child, childrenNamed, descendants, elementsOf, path, textOf, type XmlNode } from "../office/xml.ts";

const EMU_PER_PT = 12_700;
const titles = new Set(["title", "ctrTitle"]);
const running: Record<string, "header" | "footer"> = { hdr: "header", ftr: "footer", sldNum: "footer", dt: "footer" };

interface Deck {
  archive: Archive;
  reading: Reading;
  /** Layouts and masters serve many slides; each is read once. */
  parts: Map<string, Part | null>;
  authors: Map<string, string>;
}

function sharedPart(deck: Deck, from: Part | null, type: string): Part | null {
  const relation = from && [...from.relations.values()].find((r) => r.type === type);
  if (!relation) return null;
  let part = deck.parts.get(relation.target);
  if (part === undefined) {
    part = tolerate(deck.reading, "a slide layout", () => readPart(deck.archive, relation.target), null);
    deck.parts.set(relation.target, part);
  }
  return part;
}

/** What PowerPoint sets text in where nothing is said, in hundredths of a point. */
const USUAL_SIZE = 1800;
const MAX_TITLE_LENGTH = 150;

/** A slide without a title of its own kind may still have one to the eye: the highest text, one line, in the largest type. */
function seenTitle(shapes: Shape[]): Shape | null {
  const texts = shapes.filter((shape) =>
    shape.blocks.some((block) => block.type === "paragraph" || block.type === "list_item"),
  );
  const [first] = texts.filter((shape) => shape.bbox).sort((a, b) => a.bbox![1] - b.bbox![1]);
  const block = first?.blocks[0];
  if (!first || !block || first.placeholder !== null || first.blocks.length !== 1) return null;
  if (block.type !== "paragraph" || block.text.length > MAX_TITLE_LENGTH) return null;
  const others = texts.filter((shape) => shape !== first);
  return others.length > 0 && others.every((shape) => first.size > (shape.size || USUAL_SIZE)) ? first : null;
}

const asTitle = ({ text, page, bbox }: Block): Block => ({
  type: "heading",
  level: 1,
  text: text.replace(/\s+/g, " "),
  page,
  bbox,
});

function orderShapes(shapes: Shape[]): Block[] {
  const named = shapes.filter((shape) => titles.has(shape.placeholder ?? "") && shape.blocks.length > 0);
  const seen = named.length === 0 ? seenTitle(shapes) : null;
  const title = seen ? [{ ...seen, blocks: seen.blocks.map(asTitle) }] : named;
  const edge = shapes.filter((shape) => running[shape.placeholder ?? ""]);
  const middle = shapes.filter(
    (shape) => shape !== seen && !named.includes(shape) && !edge.includes(shape) && shape.blocks.length > 0,
  );
  const placed = middle.flatMap((shape) => (shape.bbox ? [{ ...shape, bbox: shape.bbox }] : []));
  const loose = middle.filter((shape) => !shape.bbox);
  return [
    ...title.flatMap((shape) => shape.blocks),
    ...readingOrder(placed).flatMap((shape) => shape.blocks),
    ...loose.flatMap((shape) => shape.blocks),
    ...edge.flatMap((shape) =>
      shape.blocks.map((block) => ({ ...block, type: running[shape.placeholder ?? ""] ?? block.type })),
    ),
  ];
}

function readNotes(deck: Deck, slide: Part, page: number): Block[] {
  const notes = relatedPart(deck.archive, slide, "notesSlide");
  if (!notes) return [];
  const context: SlideContext = { archive: deck.archive, slide: notes, layout: null, master: null, page };
  return readShapes(path(notes.root, "p:cSld", "p:spTree"), context)
    .filter((shape) => shape.placeholder === "body")
    .flatMap((shape) => shape.blocks)
    .map((block) => ({ ...block, bbox: null, role: "notes" as const }));
}

/** Old comments keep their text in <p:text>, new ones a text body; the prefix of the latter varies. */
function readComments(deck: Deck, slide: Part, page: number): Block[] {
  const blocks: Block[] = [];
  for (const relation of slide.relations.values()) {
    if (relation.type !== "comments" || relation.external) continue;
    const list = readPart(deck.archive, relation.target)?.root;
    for (const comment of elementsOf(list)) {
      const words = [...descendants(comment, "a:t"), ...childrenNamed(comment, "p:text")].map(textOf).join(" ").trim();
      const author = deck.authors.get(comment.attrs.authorId ?? "");
      if (words === "") continue;
      const text = author ? `${author}: ${words}` : words;
      blocks.push({ type: "paragraph", text, page, bbox: null, role: "comment" });
    }
  }
  return blocks;
}

function readAuthors(archive: Archive, main: Part): Map<string, string> {
  const authors = new Map<string, string>();
  for (const type of ["commentAuthors", "authors"])
    for (const node of elementsOf(relatedPart(archive, main, type)?.root))
      if (node.attrs.id && node.attrs.name) authors.set(node.attrs.id, node.attrs.name);
  return authors;
}

function readSlide(deck: Deck, slide: Part, page: number): Block[] {
  const layout = sharedPart(deck, slide, "slideLayout");
  const master = sharedPart(deck, layout, "slideMaster");
  const context: SlideContext = { archive: deck.archive, slide, layout, master, page };
  const shapes = readShapes(path(slide.root, "p:cSld", "p:spTree"), context);
  const notes = tolerate(deck.reading, "notes", () => readNotes(deck, slide, page), [], page);
  const comments = tolerate(deck.reading, "comments", () => readComments(deck, slide, page), [], page);
  return [...orderShapes(shapes), ...notes, ...comments];
}

function slideParts(main: Part): string[] {
  return childrenNamed(child(main.root, "p:sldIdLst"), "p:sldId").flatMap((id) => {
    const relation = main.relations.get(id.attrs["r:id"] ?? "");
    return relation && !relation.external ? [relation.target] : [];
  });
}

function slideSize(root: XmlNode): { width: number; height: number } | null {
  const size = child(root, "p:sldSz")?.attrs;
  const width = Number(size?.cx) / EMU_PER_PT;
  const height = Number(size?.cy) / EMU_PER_PT;
  return width > 0 && height > 0 ? { width, height } : null;
}

export const readPptx: Reader = async ({ bytes }, reading) => {
  const archive = openArchive(bytes, reading.limits.maxExpandedBytes);
  const main = readPart(archive, mainPartName(archive, "ppt/presentation.xml"));
  if (main?.root.name !== "p:presentation")
    throw new Fault("corrupt_document", { detail: "The file holds no presentation." });
  const authors = tolerate(reading, "comment authors", () => readAuthors(archive, main), new Map());
  const deck: Deck = { archive, reading, parts: new Map(), authors };
  const names = slideParts(main);
  const chosen = choosePages(names.length, reading);
  const size = slideSize(main.root);
  const pages: Page[] = [];
  const blocks: Block[] = [];
  let missing = 0;
  for (const number of chosen) {
    const slide = tolerate(reading, "a slide", () => readPart(archive, names[number - 1]), null, number);
    if (!slide) missing++;
    const own = slide ? readSlide(deck, slide, number) : [];
    const title = own.find((block) => block.type === "heading")?.text;
    pages.push({
      number,
      width: size?.width ?? null,
      height: size?.height ?? null,
      unit: size ? "pt" : null,
      rotation: 0,
      ocr: false,
      ...(title ? { name: title } : {}),
      ...(slide && /^(0|false)$/.test(slide.root.attrs.show ?? "") ? { hidden: true } : {}),
    });
    blocks.push(...own);
    reading.progress("read", pages.length, chosen.length);
  }
  if (missing > 0 && missing === chosen.length)
    throw new Fault("corrupt_document", { detail: "No slide can be read." });
  const properties = readProperties(archive);
  return {
    title: properties.title ?? pages.find((page) => page.name)?.name ?? null,
    authors: properties.authors,
    language: properties.language,
    published_at: null,
    metadata: properties.metadata,
    page_count: names.length,
    pages,
    blocks,
  };
};
