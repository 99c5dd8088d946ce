// The inside of a DOCX paragraph: runs, links, fields, tracked changes, notes, pictures. Boxes and charts found on the way are
// handed back to be read as blocks of their own.

import type { Block } from "../document.ts";
import { addRun, type Inline, newInline, type RunStyle } from "./inline.ts";
import { mathText } from "./math.ts";
import type { Relation } from "./ooxml.ts";
import { plainSymbols, symbolSign } from "./symbol-fonts.ts";
import { readRunFlags, type WordStyles } from "./word-styles.ts";
import { child, childrenNamed, descendants, elementsOf, firstDescendant, path, textOf, type XmlNode } from "./xml.ts";

/** Fields nest a little (a TOC holds links holds page numbers); deeper is an attack on the stack of fields. */
const MAX_FIELDS = 64;

interface Field {
  instruction: string;
  /** Before the separator stands the instruction, after it what is shown. */
  showing: boolean;
}

/** One run of text through a part: the body, a header, a note. Fields may reach over paragraphs. */
export interface Story {
  relations: Map<string, Relation>;
  styles: WordStyles;
  fields: Field[];
  /** Gives a note its number in the order of the references, and keeps it to be read later. */
  note(kind: "footnote" | "endnote", id: string): string;
  comment(id: string): void;
}

export interface Content {
  inline: Inline;
  figures: Block[];
  /** <w:txbxContent> of text boxes anchored here. */
  boxes: XmlNode[];
  /** Parts of charts and diagrams anchored here. */
  graphics: { kind: "chart" | "diagram"; part: string }[];
  formula: boolean;
}

export const newContent = (): Content => ({
  inline: newInline(),
  figures: [],
  boxes: [],
  graphics: [],
  formula: false,
});

type Handler = (node: XmlNode, style: RunStyle, content: Content, story: Story) => void;

const shown = (story: Story) => story.fields.every((field) => field.showing);

/** HYPERLINK "url" \l "place" → url. Places inside the document have no address. */
function linkOf(instruction: string): string | undefined {
  return /^\s*HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1] ?? /^\s*HYPERLINK\s+([^\s"\\]+)/i.exec(instruction)?.[1];
}

function fieldLink(story: Story): string | undefined {
  for (let n = story.fields.length - 1; n >= 0; n--) {
    const url = linkOf(story.fields[n]!.instruction);
    if (url) return url;
  }
  return undefined;
}

/** Old form fields keep their state in the field's beginning: a box ticked or not, an entry chosen. */
function formValue(node: XmlNode): string {
  const data = child(node, "w:ffData");
  const box = child(data, "w:checkBox");
  if (box) {
    const on = (child(box, "w:checked") ?? child(box, "w:default"))?.attrs["w:val"];
    return on === undefined ? (child(box, "w:checked") ? "☒" : "☐") : on === "1" || on === "true" ? "☒" : "☐";
  }
  const list = child(data, "w:ddList");
  if (!list) return "";
  const chosen = Number(child(list, "w:result")?.attrs["w:val"] ?? 0);
  return childrenNamed(list, "w:listEntry")[chosen]?.attrs["w:val"] ?? "";
}

const fieldChar: Handler = (node, style, content, story) => {
  const type = node.attrs["w:fldCharType"];
  if (type === "begin") {
    if (shown(story)) addRun(content.inline, formValue(node), style);
    if (story.fields.length < MAX_FIELDS) story.fields.push({ instruction: "", showing: false });
  } else if (type === "separate") {
    const field = story.fields.at(-1);
    if (field) field.showing = true;
  } else if (type === "end") story.fields.pop();
};

function addText(text: string, style: RunStyle, content: Content, story: Story): void {
  if (!shown(story)) return;
  const url = style.url ?? fieldLink(story);
  addRun(content.inline, text, url === undefined ? style : { ...style, url });
}

const noteReference =
  (kind: "footnote" | "endnote"): Handler =>
  (node, style, content, story) => {
    if (!shown(story) || node.attrs["w:customMarkFollows"] === "1") return;
    addText(`[${story.note(kind, node.attrs["w:id"] ?? "")}]`, { url: style.url }, content, story);
  };

function drawing(node: XmlNode, content: Content, story: Story): void {
  if (!shown(story)) return;
  for (const box of descendants(node, "w:txbxContent")) content.boxes.push(box);
  const properties = firstDescendant(node, "wp:docPr");
  const alt = (properties?.attrs.descr || properties?.attrs.title || "").trim();
  const chart = firstDescendant(node, "c:chart")?.attrs["r:id"];
  const diagram = firstDescendant(node, "dgm:relIds")?.attrs["r:dm"];
  for (const [kind, id] of [
    ["chart", chart],
    ["diagram", diagram],
  ] as const) {
    const target = story.relations.get(id ?? "")?.target;
    if (target) content.graphics.push({ kind, part: target });
  }
  for (const blip of descendants(node, "a:blip"))
    addFigure(blip.attrs["r:embed"] ?? blip.attrs["r:link"], alt, content, story);
}

function addFigure(id: string | undefined, alt: string, content: Content, story: Story): void {
  const url = story.relations.get(id ?? "")?.target;
  content.figures.push({ type: "figure", text: alt, page: 1, bbox: null, ...(url ? { url } : {}) });
}

/** VML: what Word wrote before 2010 and still writes for old documents. */
function picture(node: XmlNode, content: Content, story: Story): void {
  if (!shown(story)) return;
  for (const box of descendants(node, "w:txbxContent")) content.boxes.push(box);
  for (const image of descendants(node, "v:imagedata")) {
    const shape = descendants(node, "v:shape").find((s) => s.children.includes(image));
    addFigure(image.attrs["r:id"], (shape?.attrs.alt ?? image.attrs["o:title"] ?? "").trim(), content, story);
  }
}

const insideRun: Record<string, Handler> = {
  "w:tab": (_, style, content, story) => addText("\t", style, content, story),
  "w:ptab": (_, style, content, story) => addText("\t", style, content, story),
  "w:br": (_, style, content, story) => addText("\n", style, content, story),
  "w:cr": (_, style, content, story) => addText("\n", style, content, story),
  "w:noBreakHyphen": (_, style, content, story) => addText("-", style, content, story),
  "w:sym": (node, style, content, story) => {
    const code = Number.parseInt(node.attrs["w:char"] ?? "", 16);
    if (code > 0 && code <= 0xffff) addText(symbolSign(node.attrs["w:font"] ?? "", code), style, content, story);
  },
  "w:fldChar": fieldChar,
  "w:instrText": (node, _style, _content, story) => {
    const field = story.fields.at(-1);
    if (field && !field.showing && field.instruction.length < 4096) field.instruction += textOf(node);
  },
  "w:footnoteReference": noteReference("footnote"),
  "w:endnoteReference": noteReference("endnote"),
  "w:commentReference": (node, _style, _content, story) => story.comment(node.attrs["w:id"] ?? ""),
  "w:drawing": (node, _style, content, story) => drawing(node, content, story),
  "w:pict": (node, _style, content, story) => picture(node, content, story),
  "w:object": (node, _style, content, story) => picture(node, content, story),
  "mc:AlternateContent": (node, style, content, story) => {
    const chosen = chooseAlternative(node);
    if (chosen) runParts(chosen, style, "", content, story);
  },
  "w:ruby": (node, style, content, story) => readInline(child(node, "w:rubyBase"), style, content, story),
};

/** The newer form where it has what we read, the old one otherwise. */
export function chooseAlternative(node: XmlNode): XmlNode | undefined {
  const choice = child(node, "mc:Choice");
  const readable = choice && elementsOf(choice).length > 0;
  return readable ? choice : child(node, "mc:Fallback");
}

function runParts(run: XmlNode, style: RunStyle, font: string, content: Content, story: Story): void {
  for (const node of elementsOf(run)) {
    if (node.name === "w:t") addText(plainSymbols(textOf(node).replace(/[\r\n]+/g, " "), font), style, content, story);
    else insideRun[node.name]?.(node, style, content, story);
  }
}

function readRun(run: XmlNode, outer: RunStyle, content: Content, story: Story): void {
  const rPr = child(run, "w:rPr");
  if (!rPr) {
    runParts(run, outer, "", content, story);
    return;
  }
  const own = readRunFlags(rPr);
  const named = story.styles.get(child(rPr, "w:rStyle")?.attrs["w:val"]);
  const hidden = own.hidden ?? named?.hidden ?? false;
  const code = /^(html (code|typewriter|keyboard|sample)|(source|verbatim|inline) ?(code|char|text)|code char)/i.test(
    named?.name ?? "",
  );
  const style: RunStyle = {
    ...outer,
    bold: own.bold ?? named?.bold ?? outer.bold,
    italic: own.italic ?? named?.italic ?? outer.italic,
    strike: own.strike ?? named?.strike ?? outer.strike,
    code: code || outer.code,
  };
  // Hidden text is not shown, but a field's instruction may well be hidden and still counts.
  if (hidden) {
    for (const node of elementsOf(run))
      if (node.name === "w:fldChar" || node.name === "w:instrText") insideRun[node.name]?.(node, style, content, story);
    return;
  }
  runParts(run, style, child(rPr, "w:rFonts")?.attrs["w:ascii"] ?? "", content, story);
}

const descend: Handler = (node, style, content, story) => readInline(node, style, content, story);

const insideParagraph: Record<string, Handler> = {
  "w:r": readRun,
  "w:ins": descend,
  "w:moveTo": descend,
  "w:smartTag": descend,
  "w:customXml": descend,
  "w:dir": descend,
  "w:bdo": descend,
  "w:sdt": (node, style, content, story) => readInline(child(node, "w:sdtContent"), style, content, story),
  "w:fldSimple": (node, style, content, story) => {
    const url = linkOf(node.attrs["w:instr"] ?? "");
    readInline(node, url ? { ...style, url } : style, content, story);
  },
  "w:hyperlink": (node, style, content, story) => {
    const relation = story.relations.get(node.attrs["r:id"] ?? "");
    const anchor = node.attrs["w:anchor"];
    const url = relation?.external ? relation.target + (anchor ? `#${anchor}` : "") : undefined;
    readInline(node, url ? { ...style, url } : style, content, story);
  },
  "m:oMath": (node, _style, content, story) => {
    content.formula = true;
    addText(mathText(node), {}, content, story);
  },
  "m:oMathPara": (node, _style, content, story) => {
    content.formula = true;
    addText(childrenNamed(node, "m:oMath").map(mathText).join("\n"), {}, content, story);
  },
  "mc:AlternateContent": (node, style, content, story) => readInline(chooseAlternative(node), style, content, story),
};

/** Deletions and the places moved text came from are not in the table, so they are passed over. */
export function readInline(parent: XmlNode | undefined, style: RunStyle, content: Content, story: Story): void {
  for (const node of elementsOf(parent)) insideParagraph[node.name]?.(node, style, content, story);
}

/** Whether a paragraph holds a formula and nothing beside it. */
export function isFormula(paragraph: XmlNode, content: Content): boolean {
  return content.formula && !descendants(paragraph, "w:t").some((t) => textOf(t).trim() !== "");
}

export const paragraphMarkDeleted = (paragraph: XmlNode) => path(paragraph, "w:pPr", "w:rPr", "w:del") !== undefined;
