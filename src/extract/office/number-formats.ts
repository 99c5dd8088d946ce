// Numbers and dates as a spreadsheet shows them: a cell's format code applied to its value.

import { SSF } from "@e965/xlsx";
import { child, childrenNamed, elementsOf, type XmlNode } from "./xml.ts";

export interface CellStyle {
  /** A format code, or the number of a built-in one. */
  format: string | number;
  bold: boolean;
}

/** Built-in date formats follow the reader's region; years in full are right in most. */
const fullYears: Record<number, string> = { 14: "m/d/yyyy", 22: "m/d/yyyy h:mm" };
/** No sane code is longer, and the formatter's time grows with it. */
const MAX_CODE = 400;

export function formatNumber(value: number, format: string | number, date1904: boolean): string {
  const code = typeof format === "number" ? (fullYears[format] ?? format) : format;
  if (code === 0 || code === "General") return general(value);
  if (typeof code === "string" && code.length > MAX_CODE) return general(value);
  try {
    const shown = SSF.format(code, value, { date1904 }).replace(/\s+/g, " ").trim();
    return shown === "" && value !== 0 && code !== ";;;" ? general(value) : shown;
  } catch {
    return general(value); // a code the formatter does not know
  }
}

/** Eleven digits fit a cell; 0.1 + 0.2 shows as 0.3. */
function general(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(11))).replace("e", "E");
}

/** The styles of styles.xml by their number. */
export function readCellStyles(root: XmlNode | undefined): CellStyle[] {
  const codes = new Map<number, string>();
  for (const node of childrenNamed(child(root, "numFmts"), "numFmt"))
    codes.set(Number(node.attrs.numFmtId), node.attrs.formatCode ?? "General");
  const fonts = childrenNamed(child(root, "fonts"), "font").map((font) => {
    const bold = child(font, "b");
    return bold !== undefined && !/^(0|false)$/.test(bold.attrs.val ?? "");
  });
  return elementsOf(child(root, "cellXfs")).map((xf) => {
    const id = Number(xf.attrs.numFmtId ?? 0);
    return { format: codes.get(id) ?? id, bold: fonts[Number(xf.attrs.fontId ?? 0)] ?? false };
  });
}
