// Makes small office files in code, part by part, and reads them back.

import { strToU8, zipSync } from "fflate";
import type { Block, Document, Kind, Reader, ReadOptions, Warning } from "../../../src/extract/document.ts";

export const zip = (parts: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part]),
    ),
  );

export interface ReadBack extends Document {
  warnings: Warning[];
}

export async function read(
  reader: Reader,
  kind: Kind,
  bytes: Uint8Array,
  options: Partial<ReadOptions> = {},
  limits = { maxPages: 500, maxExpandedBytes: 200_000_000 },
): Promise<ReadBack> {
  const warnings: Warning[] = [];
  const document = await reader(
    { bytes, kind, name: null, url: null, charset: null },
    {
      options: { pages: null, ocr: "auto", languages: ["eng"], main_content: true, password: null, ...options },
      limits,
      warn: (warning) => warnings.push(warning),
      progress() {},
    },
  );
  return { ...document, warnings };
}

/** "heading 1: Text", one line a block, tables as rows of cells. */
export function outline(blocks: Block[]): string[] {
  return blocks.map((block) => {
    const role = block.role ? ` (${block.role})` : "";
    const level = block.level === undefined ? "" : ` ${block.level}`;
    const marker = block.marker === undefined ? "" : ` [${block.marker}]`;
    return `${block.type}${level}${marker}${role}: ${block.table ? cellsOf(block).join(" | ") : block.text}`;
  });
}

/** "0,1 1x2 Text", H for a header. */
export function cellsOf(block: Block | undefined): string[] {
  return (block?.table?.cells ?? []).map(
    (c) =>
      `${c.row},${c.column}${c.row_span > 1 || c.column_span > 1 ? ` ${c.row_span}x${c.column_span}` : ""}${c.header ? " H" : ""} ${c.text}`,
  );
}

const relation = (id: string, type: string, target: string, external = false) =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${external ? ' TargetMode="External"' : ""}/>`;

export const relations = (...list: [id: string, type: string, target: string, external?: boolean][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map((r) => relation(...r)).join("")}</Relationships>`;

const wordNamespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"';

export const wordPart = (name: string, inside: string) => `<w:${name} ${wordNamespaces}>${inside}</w:${name}>`;

const wordStyles = `
  <w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>
  <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
  <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="My own"/><w:basedOn w:val="H2"/></w:style>
  <w:style w:type="paragraph" w:styleId="Pre"><w:name w:val="HTML Preformatted"/></w:style>
  <w:style w:type="paragraph" w:styleId="Cap"><w:name w:val="caption"/></w:style>
  <w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/><w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>`;

const level = (ilvl: number, format: string, text: string, more = "") =>
  `<w:lvl w:ilvl="${ilvl}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;

const wordNumbering = `
  <w:abstractNum w:abstractNumId="0">${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "(%2)")}${level(2, "decimal", "%1.%2.%3", "<w:isLgl/>")}</w:abstractNum>
  <w:abstractNum w:abstractNumId="1">${level(0, "bullet", "\uf0b7")}${level(1, "bullet", "o")}</w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`;

/** A DOCX around this body; more parts and relations of the document as given. */
export function docx(
  body: string,
  more: Record<string, string | Uint8Array> = {},
  related: Parameters<typeof relations> = [],
): Uint8Array {
  return zip({
    "_rels/.rels": relations(["r1", "officeDocument", "word/document.xml"]),
    "word/document.xml": wordPart("document", `<w:body>${body}</w:body>`),
    "word/styles.xml": wordPart("styles", wordStyles),
    "word/numbering.xml": wordPart("numbering", wordNumbering),
    "word/_rels/document.xml.rels": relations(
      ["s", "styles", "styles.xml"],
      ["n", "numbering", "numbering.xml"],
      ...related,
    ),
    ...more,
  });
}

export const run = (text: string, properties = "") =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
export const paragraph = (inside: string, properties = "") =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${inside.startsWith("<") ? inside : run(inside)}</w:p>`;
export const item = (text: string, numId: number, ilvl: number) =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${numId}"/></w:numPr>`);
