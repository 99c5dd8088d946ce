// The styles of OpenDocument: paragraph and text styles with their ancestors, and list styles with their markers.

import { plainBullet, writeNumber } from "./number-words.ts";
import { child, childrenNamed, elementsOf, type XmlNode } from "./xml.ts";

export interface OdfStyle {
  /** The style's own name and its ancestors', as shown to the author: "Heading 1". Automatic styles have none worth asking. */
  names: string[];
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
  hidden?: boolean;
  outline?: number;
  list?: string;
}

interface ListLevel {
  bullet: string | null;
  format: string;
  prefix: string;
  suffix: string;
  /** How many levels the number shows: 3 for "1.2.3". */
  shown: number;
  start: number;
}

export interface OdfStyles {
  style(family: string, name: string | undefined): OdfStyle;
  /** null for a list or level that is not defined. */
  level(list: string | undefined, depth: number): ListLevel | null;
  /** The numbers of headings; null where they have none. */
  outline(depth: number): ListLevel | null;
}

/** A chain this long is a circle. */
const MAX_ANCESTORS = 30;
const formats: Record<string, string> = {
  "1": "decimal",
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};

/** Names keep blanks as _20_. */
const shownName = (name: string) =>
  name.replace(/_([0-9a-f]{2})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

function flag(properties: XmlNode | undefined, name: string, on: RegExp): boolean | undefined {
  const value = properties?.attrs[name];
  return value === undefined ? undefined : on.test(value);
}

function ownStyle(node: XmlNode): OdfStyle {
  const text = child(node, "style:text-properties");
  const strike = text?.attrs["style:text-line-through-style"] ?? text?.attrs["style:text-line-through-type"];
  const outline = Number(node.attrs["style:default-outline-level"]);
  return {
    names: [shownName(node.attrs["style:display-name"] ?? node.attrs["style:name"] ?? "")],
    bold: flag(text, "fo:font-weight", /^(bold|[6-9]00)$/),
    italic: flag(text, "fo:font-style", /^(italic|oblique)$/),
    strike: strike === undefined ? undefined : strike !== "none",
    hidden: flag(text, "text:display", /^none$/),
    outline: outline >= 1 ? outline : undefined,
    list: node.attrs["style:list-style-name"] || undefined,
  };
}

function inherit(own: OdfStyle, parent: OdfStyle): OdfStyle {
  return {
    names: [...own.names, ...parent.names],
    bold: own.bold ?? parent.bold,
    italic: own.italic ?? parent.italic,
    strike: own.strike ?? parent.strike,
    hidden: own.hidden ?? parent.hidden,
    outline: own.outline ?? parent.outline,
    list: own.list ?? parent.list,
  };
}

function readLevel(node: XmlNode): ListLevel {
  const bullet = node.name.endsWith("-bullet") ? plainBullet(node.attrs["text:bullet-char"] ?? "•") : null;
  const format = node.attrs["style:num-format"] ?? "";
  return {
    bullet: node.name.endsWith("-image") ? "•" : bullet,
    format: format === "" ? "none" : (formats[format] ?? "decimal"),
    prefix: node.attrs["style:num-prefix"] ?? "",
    suffix: node.attrs["style:num-suffix"] ?? "",
    shown: Math.max(1, Number(node.attrs["text:display-levels"] ?? 1) || 1),
    start: Number(node.attrs["text:start-value"] ?? 1) || 0,
  };
}

const readLevels = (list: XmlNode) =>
  new Map(elementsOf(list).map((node) => [Number(node.attrs["text:level"]), readLevel(node)]));

/** @param parts roots of styles.xml and content.xml; later ones win, as automatic styles do. */
export function readOdfStyles(parts: (XmlNode | undefined)[]): OdfStyles {
  const nodes = new Map<string, XmlNode>();
  const lists = new Map<string, Map<number, ListLevel>>();
  let outline = new Map<number, ListLevel>();
  for (const part of parts) {
    for (const group of ["office:styles", "office:automatic-styles"]) {
      const styles = child(part, group);
      for (const node of childrenNamed(styles, "style:style"))
        nodes.set(`${node.attrs["style:family"]}/${node.attrs["style:name"]}`, node);
      for (const node of childrenNamed(styles, "text:list-style"))
        lists.set(node.attrs["style:name"] ?? "", readLevels(node));
      const headings = child(styles, "text:outline-style");
      if (headings) outline = readLevels(headings);
    }
  }
  const resolved = new Map<string, OdfStyle>();
  const resolve = (family: string, name: string, ancestors: number): OdfStyle => {
    const key = `${family}/${name}`;
    const known = resolved.get(key);
    const node = nodes.get(key);
    if (known) return known;
    if (!node) return { names: [shownName(name)] };
    const parent = node.attrs["style:parent-style-name"];
    const own = ownStyle(node);
    const style = parent && ancestors < MAX_ANCESTORS ? inherit(own, resolve(family, parent, ancestors + 1)) : own;
    resolved.set(key, style);
    return style;
  };
  return {
    style: (family, name) => (name === undefined ? { names: [] } : resolve(family, name, 0)),
    level: (list, depth) => lists.get(list ?? "")?.get(depth) ?? null,
    outline: (depth) => outline.get(depth) ?? null,
  };
}

/** The marker with all the numbers it shows. `levels` gives the level of another depth of the same list. */
export function writeMarker(
  level: ListLevel,
  depth: number,
  counters: number[],
  levels: (depth: number) => ListLevel | null,
): string {
  if (level.bullet !== null) return level.bullet;
  if (level.format === "none") return "";
  const numbers: string[] = [];
  for (let at = Math.max(1, depth - level.shown + 1); at <= depth; at++) {
    const other = at === depth ? level : levels(at);
    if (other && other.format !== "none") numbers.push(writeNumber(counters[at] ?? other.start, other.format));
  }
  return `${level.prefix}${numbers.join(".")}${level.suffix}`.trim();
}
