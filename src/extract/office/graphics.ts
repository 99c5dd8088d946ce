// Charts and diagrams inside DOCX and PPTX: a chart's title and the values it shows as a table, a diagram's texts as a list.

import type { Block, Box } from "../document.ts";
import type { Archive } from "./archive.ts";
import { plainTable } from "./cells.ts";
import {
  child,
  childrenNamed,
  descendants,
  elementsOf,
  firstDescendant,
  parseXml,
  textOf,
  type XmlNode,
} from "./xml.ts";

/** Values a chart still shows to a human eye; more is a data dump. */
const MAX_POINTS = 2000;
const MAX_SERIES = 100;

/** A damaged graphic costs the graphic, not the document. */
function tryRead(archive: Archive, part: string): XmlNode | undefined {
  try {
    const bytes = archive.read(part);
    return bytes ? parseXml(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** The cached points of <c:cat>, <c:val>, <c:tx>: what the chart showed when it was saved. */
function pointsOf(node: XmlNode | undefined): string[] {
  const points: string[] = [];
  for (const point of descendants(node, "c:pt")) {
    const at = Number(point.attrs.idx);
    if (Number.isInteger(at) && at >= 0 && at < MAX_POINTS) points[at] = textOf(child(point, "c:v")).trim();
  }
  return Array.from(points, (point) => point ?? "");
}

const richText = (node: XmlNode | undefined) =>
  descendants(node, "a:p")
    .map((p) => descendants(p, "a:t").map(textOf).join(""))
    .join(" ")
    .trim();

/** 0.30000000000000004 was 0.3 on the axis. */
function shownNumber(value: string): string {
  const n = Number(value);
  return value !== "" && Number.isFinite(n) && value.length > 10 ? String(Number(n.toPrecision(10))) : value;
}

export function readChart(archive: Archive, part: string, page: number, bbox: Box | null): Block[] {
  const chart = child(tryRead(archive, part), "c:chart");
  if (!chart) return [];
  const title = richText(child(chart, "c:title")) || null;
  const series = descendants(child(chart, "c:plotArea"), "c:ser")
    .slice(0, MAX_SERIES)
    .map((ser) => ({
      name: pointsOf(child(ser, "c:tx")).join(" "),
      labels: pointsOf(child(ser, "c:cat") ?? child(ser, "c:xVal")),
      values: pointsOf(child(ser, "c:val") ?? child(ser, "c:yVal")).map(shownNumber),
    }));
  const labels = series.map((s) => s.labels).reduce((a, b) => (b.length > a.length ? b : a), []);
  const height = Math.max(labels.length, ...series.map((s) => s.values.length), 0);
  if (height === 0) return title ? [{ type: "figure", text: title, page, bbox }] : [];
  const rows = [["", ...series.map((s) => s.name)]];
  for (let n = 0; n < height; n++) rows.push([labels[n] ?? "", ...series.map((s) => s.values[n] ?? "")]);
  return [plainTable(rows, { page, bbox, caption: title })];
}

/** SmartArt: the texts of its points. Transitions between points carry none. */
export function readDiagram(archive: Archive, part: string, page: number, bbox: Box | null): Block[] {
  const root = tryRead(archive, part);
  const blocks: Block[] = [];
  for (const point of childrenNamed(firstDescendant(root, "dgm:ptLst") ?? child(root, "dgm:ptLst"), "dgm:pt")) {
    const body = child(point, "dgm:t");
    for (const paragraph of elementsOf(body)) {
      if (paragraph.name !== "a:p") continue;
      const text = descendants(paragraph, "a:t").map(textOf).join("").trim();
      if (text !== "") blocks.push({ type: "list_item", text, marker: "•", level: 1, page, bbox });
    }
  }
  return blocks;
}
