// The text of a PowerPoint shape: DrawingML paragraphs with bullets and numbers that are inherited from layout and master.

import type { Block, Box, Mark } from "../document.ts";
import { addRun, finishInline, type Inline, newInline, type RunStyle } from "./inline.ts";
import { mathText } from "./math.ts";
import { plainBullet, writeNumber } from "./number-words.ts";
import type { Relation } from "./ooxml.ts";
import { child, childrenNamed, elementsOf, firstDescendant, textOf, type XmlNode } from "./xml.ts";

export interface TextContext {
  relations: Map<string, Relation>;
  /** Where bullets are looked up, nearest first: list styles of shape, layout, master. */
  listStyles: XmlNode[];
  page: number;
  bbox: Box | null;
}

interface Paragraph {
  text: string;
  marks: Mark[];
  level: number;
  marker: string | null;
}

/** arabicParenR → ["", ")"] around a number in digits. */
const autoNumberFormats: [RegExp, string][] = [
  [/^arabic/, "decimal"],
  [/^alphaLc/, "lowerLetter"],
  [/^alphaUc/, "upperLetter"],
  [/^romanLc/, "lowerRoman"],
  [/^romanUc/, "upperRoman"],
  [/^circleNum/, "decimalEnclosedCircle"],
];

function writeAutoNumber(type: string, n: number): string {
  const format = autoNumberFormats.find(([pattern]) => pattern.test(type))?.[1] ?? "decimal";
  const written = writeNumber(n, format);
  if (type.endsWith("ParenBoth")) return `(${written})`;
  if (type.endsWith("ParenR")) return `${written})`;
  return type.endsWith("Plain") || format === "decimalEnclosedCircle" ? written : `${written}.`;
}

const bulletNames = new Set(["a:buNone", "a:buChar", "a:buAutoNum", "a:buBlip"]);

function bulletOf(pPr: XmlNode | undefined, level: number, listStyles: XmlNode[]): XmlNode | undefined {
  const sources = [pPr, ...listStyles.map((style) => child(style, `a:lvl${level + 1}pPr`))];
  for (const source of sources) for (const node of elementsOf(source)) if (bulletNames.has(node.name)) return node;
  return undefined;
}

/** Numbers count on while paragraphs of their level and kind follow each other; deeper levels between do not disturb. */
function nextNumber(counters: Map<number, { type: string; n: number }>, level: number, bullet: XmlNode): string {
  const type = bullet.attrs.type ?? "arabicPeriod";
  const start = Number(bullet.attrs.startAt ?? 1) || 1;
  const before = counters.get(level);
  const n = before?.type === type ? before.n + 1 : start;
  counters.set(level, { type, n });
  return writeAutoNumber(type, n);
}

function addParts(parent: XmlNode, inline: Inline, context: TextContext): void {
  for (const node of elementsOf(parent)) {
    if (node.name === "a:br") addRun(inline, "\n");
    else if (node.name === "a:r" || node.name === "a:fld") {
      const rPr = child(node, "a:rPr");
      const link = context.relations.get(child(rPr, "a:hlinkClick")?.attrs["r:id"] ?? "");
      const style: RunStyle = {
        bold: /^(1|true)$/.test(rPr?.attrs.b ?? ""),
        italic: /^(1|true)$/.test(rPr?.attrs.i ?? ""),
        strike: rPr?.attrs.strike !== undefined && rPr.attrs.strike !== "noStrike",
        ...(link?.external ? { url: link.target } : {}),
      };
      addRun(inline, textOf(child(node, "a:t")).replaceAll("\u000b", "\n"), style);
    } else if (node.name === "mc:AlternateContent") {
      const math = firstDescendant(child(node, "mc:Choice"), "m:oMath");
      if (math) addRun(inline, mathText(math));
      else addParts(child(node, "mc:Fallback") ?? node, inline, context);
    } else if (node.name === "a14:m") addRun(inline, mathText(firstDescendant(node, "m:oMath")));
  }
}

function readParagraphs(body: XmlNode, context: TextContext): Paragraph[] {
  const counters = new Map<number, { type: string; n: number }>();
  const paragraphs: Paragraph[] = [];
  for (const node of childrenNamed(body, "a:p")) {
    const pPr = child(node, "a:pPr");
    const level = Math.min(Math.max(0, Number(pPr?.attrs.lvl ?? 0) || 0), 8);
    const inline = newInline();
    addParts(node, inline, context);
    const { text, marks } = finishInline(inline);
    if (text === "") continue;
    const bullet = bulletOf(pPr, level, context.listStyles);
    for (const deeper of [...counters.keys()]) if (deeper > level) counters.delete(deeper);
    let marker: string | null = null;
    if (bullet?.name === "a:buAutoNum") marker = nextNumber(counters, level, bullet);
    else {
      counters.delete(level);
      if (bullet && bullet.name !== "a:buNone") marker = plainBullet(bullet.attrs.char ?? "•");
    }
    paragraphs.push({ text, marks, level, marker });
  }
  return paragraphs;
}

/** Paragraphs and list items of a text body. */
export function textBlocks(body: XmlNode | undefined, context: TextContext): Block[] {
  if (!body) return [];
  const { page, bbox } = context;
  return readParagraphs(body, context).map(({ text, marks, level, marker }) =>
    marker === null
      ? { type: "paragraph", text, marks, page, bbox }
      : { type: "list_item", text, marks, level: level + 1, marker, page, bbox },
  );
}

/** All of a body as one text: titles and cells. */
export function wholeText(body: XmlNode | undefined, context: TextContext, between: string): string {
  return body
    ? readParagraphs(body, context)
        .map((p) => (p.marker ? `${p.marker} ${p.text}` : p.text))
        .join(between)
    : "";
}
