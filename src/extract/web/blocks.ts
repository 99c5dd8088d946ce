// A DOM tree as blocks in reading order: headings, paragraphs, lists, tables, code, quotes, figures, with their inline marks.

import type { Block, Mark } from "../document.ts";
import { type DomElement, type DomNode, isElement, TEXT } from "./dom.ts";
import { isHidden } from "./hidden.ts";
import { orderedMarker } from "./markers.ts";
import { imageAddress, isCaption, isPictureWithLine, isTracker } from "./pictures.ts";
import { readTable } from "./tables.ts";
import { resolveUrl } from "./urls.ts";

export interface BlockOptions {
  /** Against which relative addresses are resolved. */
  baseUrl: string | null;
  page?: number;
}

const skipped = new Set(
  "script style noscript template head title meta link iframe object embed video audio canvas svg map select textarea button input datalist progress meter dialog rp".split(
    " ",
  ),
);
const blockTags = new Set(
  "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
const markTypes: Record<string, Mark["type"]> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  cite: "italic",
  dfn: "italic",
  var: "italic",
  code: "code",
  kbd: "code",
  samp: "code",
  tt: "code",
  s: "strike",
  strike: "strike",
  del: "strike",
};

interface Place {
  quote: boolean;
  /** Depth of the list; 0 outside. */
  depth: number;
  /** The item whose text comes next. */
  item: { marker: string; started: boolean } | null;
}

export function readBlocks(root: DomElement, options: BlockOptions): Block[] {
  const writer = new BlockWriter(options);
  writer.walk(root, { quote: false, depth: 0, item: null });
  writer.flush();
  return writer.blocks;
}

class BlockWriter {
  readonly blocks: Block[] = [];
  readonly options: BlockOptions;
  // The text in pieces: asking a growing string for its end would copy it each time.
  private pieces: string[] = [];
  private length = 0;
  private last = "";
  private marks: Mark[] = [];
  private place: Place = { quote: false, depth: 0, item: null };
  private type: "paragraph" | "heading" | "caption" = "paragraph";
  private level = 0;

  constructor(options: BlockOptions) {
    this.options = options;
  }

  walk(node: DomNode, place: Place): void {
    if (node.nodeType === TEXT) {
      this.place = place;
      this.write(node.textContent ?? "");
      return;
    }
    if (!isElement(node)) return;
    const name = node.localName;
    if (skipped.has(name) || isHidden(node)) return;
    const special = elements[name] ?? (isCaption(node) ? elements.figcaption : undefined);
    if (special) special(this, node, place);
    else if (isPictureWithLine(node)) pictureWithLine(this, node, place);
    else if (blockTags.has(name)) this.block(node, place);
    else this.inline(node, place);
  }

  walkChildren(element: DomElement, place: Place): void {
    for (const child of element.childNodes) this.walk(child, place);
  }

  /** The content as blocks of its own, apart from what stands before and after. */
  block(element: DomElement, place: Place, type: "paragraph" | "heading" | "caption" = "paragraph", level = 0): void {
    this.flush();
    const before = [this.type, this.level] as const;
    if (type !== "paragraph") [this.type, this.level] = [type, level];
    this.walkChildren(element, place);
    this.flush();
    [this.type, this.level] = before;
  }

  inline(element: DomElement, place: Place): void {
    const type = markTypes[element.localName];
    const start = this.length;
    const count = this.blocks.length;
    this.walkChildren(element, place);
    // Blocks inside an inline element have been written with their text; the mark has nothing left to stand on.
    if (this.blocks.length !== count || this.length === start) return;
    if (type) this.marks.push({ type, start, end: this.length });
    const url = element.localName === "a" ? resolveUrl(element.getAttribute("href"), this.options.baseUrl) : null;
    if (url) this.marks.push({ type: "link", start, end: this.length, url });
  }

  write(text: string): void {
    const collapsed = text.replace(/[\s\u00ad\u200b]+/g, (run) => (/[^\u00ad\u200b]/.test(run) ? " " : ""));
    const atStart = this.last === "" || this.last === " " || this.last === "\n";
    this.add(atStart ? collapsed.replace(/^ /, "") : collapsed);
  }

  private add(piece: string): void {
    if (piece === "") return;
    this.pieces.push(piece);
    this.length += piece.length;
    this.last = piece.at(-1)!;
  }

  breakLine(): void {
    if (this.length === 0) return;
    if (this.last === " ") {
      const end = this.pieces.pop()!;
      this.length -= end.length;
      this.last = "\n";
      this.add(end.slice(0, -1));
    }
    this.add("\n");
  }

  flush(): void {
    const text = this.pieces.join("").trimEnd();
    const marks = this.marks.filter((mark) => mark.start < text.length);
    this.pieces = [];
    this.length = 0;
    this.last = "";
    this.marks = [];
    if (text === "") return;
    const { quote, item, depth } = this.place;
    const fitted = marks.map((mark) => ({ ...mark, end: Math.min(mark.end, text.length) }));
    const previous = this.blocks.at(-1);
    if (item && this.type === "paragraph") {
      if (item.started && previous?.type === "list_item") {
        // A second paragraph of the same item.
        const shift = previous.text.length + 1;
        const moved = fitted.map((mark) => ({ ...mark, start: mark.start + shift, end: mark.end + shift }));
        previous.text += `\n${text}`;
        if (moved.length) previous.marks = [...(previous.marks ?? []), ...moved];
        return;
      }
      if (!item.started) {
        item.started = true;
        this.push({ type: "list_item", text, marker: item.marker, level: Math.max(1, depth) }, fitted, quote);
        return;
      }
    }
    if (this.type === "heading")
      this.push({ type: "heading", text: text.replace(/\n/g, " "), level: this.level }, fitted, false);
    else this.push({ type: this.type, text }, fitted, quote);
  }

  push(block: Omit<Block, "page" | "bbox">, marks: Mark[] = [], quote = false): void {
    const whole: Block = { ...block, page: this.options.page ?? 1, bbox: null };
    if (marks.length) whole.marks = marks;
    if (quote) whole.role = "quote";
    this.blocks.push(whole);
  }
}

const pictureWithLine: ElementWriter = (writer, element, place) => {
  writer.flush();
  const image = element.querySelector("img");
  if (image && !isHidden(image)) writer.walk(image, place);
  image?.remove();
  writer.block(element, { ...place, item: null }, "caption");
};

type ElementWriter = (writer: BlockWriter, element: DomElement, place: Place) => void;

const heading =
  (level: number): ElementWriter =>
  (writer, element, place) => {
    // A heading inside a list item is how cards are made; it stays a heading.
    writer.block(element, { ...place, item: null }, "heading", level);
    if (writer.blocks.at(-1)?.type !== "heading") return;
  };

const list: ElementWriter = (writer, element, place) => {
  writer.flush();
  const ordered = element.localName === "ol";
  const depth = place.depth + 1;
  const reversed = element.hasAttribute("reversed");
  const items = [...element.children].filter((child) => child.localName === "li");
  let number = Number.parseInt(element.getAttribute("start") ?? "", 10);
  if (!Number.isFinite(number)) number = reversed ? items.length : 1;
  for (const child of element.childNodes) {
    if (!isElement(child) || child.localName !== "li") {
      writer.walk(child, { ...place, depth, item: null });
      continue;
    }
    const value = Number.parseInt(child.getAttribute("value") ?? "", 10);
    if (Number.isFinite(value)) number = value;
    const marker = ordered ? orderedMarker(number, element.getAttribute("type")) : "•";
    number += reversed ? -1 : 1;
    if (isHidden(child)) continue;
    writer.block(child, { ...place, depth, item: { marker, started: false } });
  }
  writer.flush();
};

const elements: Record<string, ElementWriter> = {
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  ul: list,
  ol: list,
  menu: list,
  dir: list,
  br: (writer) => writer.breakLine(),
  hr: (writer) => writer.flush(),
  blockquote: (writer, element, place) => writer.block(element, { ...place, item: null, quote: true }),
  figcaption: (writer, element, place) => writer.block(element, { ...place, item: null }, "caption"),
  pre: (writer, element) => {
    writer.flush();
    const text = preText(element).replace(/^\n+|\s+$/g, "");
    if (text.trim() === "") return;
    const language = codeLanguage(element);
    writer.push({ type: "code", text, ...(language ? { language } : {}) });
  },
  img: (writer, element) => {
    const url = resolveUrl(imageAddress(element), writer.options.baseUrl);
    const alt = (element.getAttribute("alt") ?? "").replace(/\s+/g, " ").trim();
    if (!url || isTracker(element)) return;
    writer.flush();
    writer.push({ type: "figure", text: alt, url });
  },
  q: (writer, element, place) => {
    writer.write("“");
    writer.inline(element, place);
    writer.write("”");
  },
  math: (writer, element) => {
    const tex = element.querySelector("annotation")?.textContent ?? element.getAttribute("alttext");
    writer.write(` ${tex?.trim() || element.textContent || ""} `);
  },
  table: (writer, element, place) => {
    writer.flush();
    const table = readTable(element, writer.options.page ?? 1);
    if (!table) return writer.block(element, { ...place, item: null });
    if (table.caption) writer.push({ type: "caption", text: table.caption });
    if (table.cells.length) writer.push({ type: "table", text: "", table });
  },
};

function preText(node: DomNode): string {
  if (node.nodeType === TEXT) return node.textContent ?? "";
  if (!isElement(node) || isHidden(node)) return "";
  if (node.localName === "br") return "\n";
  const inner = [...node.childNodes].map(preText).join("");
  // Line numbers and one-line-per-element code.
  return /^(div|li|tr|p)$/.test(node.localName) && !inner.endsWith("\n") ? `${inner}\n` : inner;
}

function codeLanguage(element: DomElement): string | null {
  const classes = [element, ...element.querySelectorAll("code"), element.parentElement].map(
    (node) => node?.getAttribute("class") ?? "",
  );
  return /(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:?)[-\s]([\w+#-]{1,20})/.exec(classes.join(" "))?.[1] ?? null;
}
