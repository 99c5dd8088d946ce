// The styles of a DOCX: what a paragraph or run style means once its ancestors are asked too.

import { outlineOfName } from "./style-names.ts";
import { child, childrenNamed, firstDescendant, path, type XmlNode } from "./xml.ts";

/** What a paragraph style says; undefined where it says nothing. */
export interface WordStyle {
  id: string;
  name: string;
  /** 0 to 8; 9 is body text. */
  outline?: number;
  numId?: string;
  ilvl?: number;
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  hidden?: boolean;
  /** Table style: its first row is set off in bold. */
  boldFirstRow?: boolean;
}

export interface WordStyles {
  get(id: string | undefined): WordStyle | undefined;
  defaultParagraph: WordStyle | undefined;
  language: string | null;
}

/** A chain this long is a circle. */
const MAX_ANCESTORS = 20;

/** <w:b/> is on, <w:b w:val="0"/> off, nothing undefined. */
export function toggle(node: XmlNode | undefined): boolean | undefined {
  if (!node) return undefined;
  const value = node.attrs["w:val"];
  return !(value === "0" || value === "false" || value === "off" || value === "none");
}

function integer(value: string | undefined): number | undefined {
  const n = Number(value);
  return value === undefined || !Number.isInteger(n) ? undefined : n;
}

export function readOutline(pPr: XmlNode | undefined): number | undefined {
  return integer(child(pPr, "w:outlineLvl")?.attrs["w:val"]);
}

export function readNumbering(pPr: XmlNode | undefined): { numId?: string; ilvl?: number } {
  const numPr = child(pPr, "w:numPr");
  return { numId: child(numPr, "w:numId")?.attrs["w:val"], ilvl: integer(child(numPr, "w:ilvl")?.attrs["w:val"]) };
}

export function readRunFlags(rPr: XmlNode | undefined): Pick<WordStyle, "bold" | "italic" | "strike" | "hidden"> {
  return {
    bold: toggle(child(rPr, "w:b")),
    italic: toggle(child(rPr, "w:i")),
    strike: toggle(child(rPr, "w:strike")) ?? toggle(child(rPr, "w:dstrike")),
    hidden: toggle(child(rPr, "w:vanish")),
  };
}

function ownStyle(node: XmlNode): WordStyle {
  const pPr = child(node, "w:pPr");
  const firstRow = childrenNamed(node, "w:tblStylePr").find((part) => part.attrs["w:type"] === "firstRow");
  return {
    id: node.attrs["w:styleId"] ?? "",
    name: child(node, "w:name")?.attrs["w:val"] ?? "",
    outline: readOutline(pPr),
    ...readNumbering(pPr),
    ...readRunFlags(child(node, "w:rPr")),
    boldFirstRow: toggle(path(firstRow, "w:rPr", "w:b")),
  };
}

function inherit(style: WordStyle, parent: WordStyle): WordStyle {
  const merged = { ...parent, ...style };
  for (const key of Object.keys(parent) as (keyof WordStyle)[])
    if (merged[key] === undefined) Object.assign(merged, { [key]: parent[key] });
  return merged;
}

export function readStyles(root: XmlNode | undefined): WordStyles {
  const nodes = new Map<string, XmlNode>();
  let defaultId: string | undefined;
  for (const node of childrenNamed(root, "w:style")) {
    const id = node.attrs["w:styleId"];
    if (!id) continue;
    nodes.set(id, node);
    if (node.attrs["w:type"] === "paragraph" && /^(1|true|on)$/.test(node.attrs["w:default"] ?? "")) defaultId = id;
  }
  const resolved = new Map<string, WordStyle>();
  const resolve = (id: string, ancestors: number): WordStyle | undefined => {
    const known = resolved.get(id);
    const node = nodes.get(id);
    if (known || !node) return known;
    const parentId = child(node, "w:basedOn")?.attrs["w:val"];
    const parent = parentId && ancestors < MAX_ANCESTORS ? resolve(parentId, ancestors + 1) : undefined;
    const own = ownStyle(node);
    // A heading style without an outline level of its own still is that heading.
    own.outline ??= outlineOfName(own.name);
    const style = parent ? inherit(own, parent) : own;
    resolved.set(id, style);
    return style;
  };
  const get = (id: string | undefined) => (id === undefined ? undefined : resolve(id, 0));
  const language = firstDescendant(child(root, "w:docDefaults"), "w:lang")?.attrs["w:val"];
  return { get, defaultParagraph: get(defaultId), language: language || null };
}
