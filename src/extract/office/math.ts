// Office Math (OMML) as LaTeX, the way formulas are written in markdown.

import { child, childrenNamed, elementsOf, path, textOf, type XmlNode } from "./xml.ts";

const value = (node: XmlNode, properties: string, name: string) => path(node, properties, name)?.attrs["m:val"];
const part = (node: XmlNode, name: string) => mathText(child(node, name));
const group = (text: string) => (text.length === 1 ? text : `{${text}}`);

const naryWords: Record<string, string> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∫": "\\int",
  "∬": "\\iint",
  "⋃": "\\bigcup",
  "⋂": "\\bigcap",
};
const accents: Record<string, string> = { "\u0302": "\\hat", "\u0303": "\\tilde", "\u0304": "\\bar", "\u0305": "\\overline", "\u20d7": "\\vec", "\u0307": "\\dot" }; // biome-ignore format: a table

function nary(node: XmlNode): string {
  const sign = value(node, "m:naryPr", "m:chr") ?? "∫";
  const sub = part(node, "m:sub");
  const sup = part(node, "m:sup");
  return `${naryWords[sign] ?? sign}${sub && `_${group(sub)}`}${sup && `^${group(sup)}`} ${part(node, "m:e")}`;
}

function delimited(node: XmlNode): string {
  const open = value(node, "m:dPr", "m:begChr") ?? "(";
  const close = value(node, "m:dPr", "m:endChr") ?? ")";
  const between = value(node, "m:dPr", "m:sepChr") ?? "|";
  return open + childrenNamed(node, "m:e").map(mathText).join(between) + close;
}

function matrix(node: XmlNode): string {
  const rows = childrenNamed(node, "m:mr").map((row) => childrenNamed(row, "m:e").map(mathText).join(" & "));
  return `\\begin{matrix}${rows.join(" \\\\ ")}\\end{matrix}`;
}

const writers: Record<string, (node: XmlNode) => string> = {
  "m:r": (node) => childrenNamed(node, "m:t").map(textOf).join(""),
  "m:f": (node) => `\\frac{${part(node, "m:num")}}{${part(node, "m:den")}}`,
  "m:sSup": (node) => `${part(node, "m:e")}^${group(part(node, "m:sup"))}`,
  "m:sSub": (node) => `${part(node, "m:e")}_${group(part(node, "m:sub"))}`,
  "m:sSubSup": (node) => `${part(node, "m:e")}_${group(part(node, "m:sub"))}^${group(part(node, "m:sup"))}`,
  "m:sPre": (node) => `{}_${group(part(node, "m:sub"))}^${group(part(node, "m:sup"))}${part(node, "m:e")}`,
  "m:rad": (node) => {
    const degree = part(node, "m:deg");
    return `\\sqrt${degree && `[${degree}]`}{${part(node, "m:e")}}`;
  },
  "m:nary": nary,
  "m:d": delimited,
  "m:m": matrix,
  "m:eqArr": (node) => childrenNamed(node, "m:e").map(mathText).join(" \\\\ "),
  "m:func": (node) => `${part(node, "m:fName")} ${part(node, "m:e")}`,
  "m:limLow": (node) => `${part(node, "m:e")}_${group(part(node, "m:lim"))}`,
  "m:limUpp": (node) => `${part(node, "m:e")}^${group(part(node, "m:lim"))}`,
  "m:acc": (node) => `${accents[value(node, "m:accPr", "m:chr") ?? "\u0302"] ?? "\\hat"}{${part(node, "m:e")}}`,
  "m:bar": (node) => `\\overline{${part(node, "m:e")}}`,
};

const properties = /Pr$/;

export function mathText(node: XmlNode | undefined): string {
  let text = "";
  for (const inner of elementsOf(node)) {
    if (properties.test(inner.name)) continue;
    text += writers[inner.name]?.(inner) ?? mathText(inner);
  }
  return text;
}
