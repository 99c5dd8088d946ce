// Styles and lists of the binary Word format, as the same things DOCX has.

import type { DocFile } from "./doc-file.ts";
import { number, readSprms, type Sprms, sprm } from "./doc-sprms.ts";
import { countLists, type List, type ListLevel, type Numbering } from "./word-numbering.ts";

export interface DocStyle {
  name: string;
  outline: number | undefined;
  list: number | undefined;
  level: number | undefined;
}

const MAX_STYLES = 4096;
const NO_PARENT = 0xfff;
const TITLE = 62;

interface OwnStyle extends DocStyle {
  parent: number;
}

function ownStyle(std: Buffer, baseBytes: number): OwnStyle {
  const sti = std.readUInt16LE(0) & 0xfff;
  const parent = std.readUInt16LE(2) >> 4;
  const isParagraph = (std.readUInt16LE(2) & 0xf) === 1;
  const nameLength = std.readUInt16LE(baseBytes);
  const name = std.toString("utf16le", baseBytes + 2, baseBytes + 2 + nameLength * 2);
  const upx = baseBytes + 2 + (nameLength + 1) * 2;
  let sprms: Sprms = new Map();
  if (isParagraph && upx + 4 <= std.length) sprms = readSprms(std.subarray(upx + 4, upx + 2 + std.readUInt16LE(upx)));
  // Styles 1 to 9 are the headings, whatever they are called.
  const outline = sti >= 1 && sti <= 9 ? sti - 1 : number(sprms, sprm.outline);
  return {
    name: sti === TITLE ? "Title" : name.split(",")[0]!,
    outline,
    list: number(sprms, sprm.list),
    level: number(sprms, sprm.level),
    parent,
  };
}

export function readDocStyles(stsh: Buffer): (index: number) => DocStyle | undefined {
  const styles: (OwnStyle | undefined)[] = [];
  if (stsh.length > 8) {
    const baseBytes = stsh.readUInt16LE(4);
    let at = 2 + stsh.readUInt16LE(0);
    while (at + 2 <= stsh.length && styles.length < MAX_STYLES) {
      const length = stsh.readUInt16LE(at);
      const std = stsh.subarray(at + 2, at + 2 + length);
      styles.push(length > baseBytes + 2 && std.length === length ? ownStyle(std, baseBytes) : undefined);
      at += 2 + length + (length & 1);
    }
  }
  return (index) => {
    const own = styles[index];
    if (!own) return undefined;
    const merged: DocStyle = { ...own };
    let parent = own.parent;
    for (let n = 0; n < 20 && parent !== NO_PARENT && styles[parent]; n++) {
      const style = styles[parent]!;
      merged.outline ??= style.outline;
      merged.list ??= style.list;
      merged.level ??= style.level;
      parent = style.parent;
    }
    return merged;
  };
}

const formats: Record<number, string> = {
  0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal", 22: "decimalZero", 23: "bullet", 255: "none",
}; // biome-ignore format: a table

/** One level: 28 bytes, two runs of properties, and the text with level numbers as characters 0 to 8. */
function readLevel(bytes: Buffer, at: number): { level: ListLevel; end: number } {
  const flags = bytes[at + 5]!;
  const textAt = at + 28 + bytes[at + 24]! + bytes[at + 25]!;
  const length = bytes.readUInt16LE(textAt);
  const raw = bytes.toString("utf16le", textAt + 2, textAt + 2 + length * 2);
  const text = [...raw].map((sign) => (sign.charCodeAt(0) < 9 ? `%${sign.charCodeAt(0) + 1}` : sign)).join("");
  const level: ListLevel = {
    format: formats[bytes[at + 4]!] ?? "decimal",
    text,
    start: bytes.readInt32LE(at),
    restart: flags & 0x08 ? 0 : undefined,
    legal: (flags & 0x04) !== 0,
    styleId: undefined,
  };
  return { level, end: textAt + 2 + length * 2 };
}

const LIST_BYTES = 28;
const OVERRIDE_BYTES = 16;

function readDefinitions(doc: DocFile): Map<number, List["abstract"]> {
  const table = doc.table("lists");
  const definitions = new Map<number, List["abstract"]>();
  if (table.length < 2) return definitions;
  const levels = doc.from("lists");
  let at = 0;
  for (let n = 0; n < table.readUInt16LE(0) && 2 + (n + 1) * LIST_BYTES <= table.length; n++) {
    const own = table.subarray(2 + n * LIST_BYTES, 2 + (n + 1) * LIST_BYTES);
    const list: List["abstract"] = { id: String(own.readInt32LE(0)), levels: new Map() };
    const simple = (own[26]! & 1) === 1;
    for (let ilvl = 0; ilvl < (simple ? 1 : 9); ilvl++) {
      const { level, end } = readLevel(levels, at);
      list.levels.set(ilvl, level);
      at = end;
    }
    definitions.set(own.readInt32LE(0), list);
  }
  return definitions;
}

/** A list that paragraphs name counts on that of its definition; its own start values are for what begins anew. */
function readLists(doc: DocFile): Map<string, List> {
  const lists = new Map<string, List>();
  const definitions = readDefinitions(doc);
  const table = doc.table("listOverrides");
  if (table.length < 4) return lists;
  const count = Math.min(table.readUInt32LE(0), Math.floor((table.length - 4) / OVERRIDE_BYTES));
  let data = 4 + count * OVERRIDE_BYTES;
  for (let n = 0; n < count; n++) {
    const own = table.subarray(4 + n * OVERRIDE_BYTES, 4 + (n + 1) * OVERRIDE_BYTES);
    const abstract = definitions.get(own.readInt32LE(0));
    const overrides: List["overrides"] = new Map();
    data += 4;
    for (let k = 0; k < own[12]! && data + 8 <= table.length; k++) {
      const flags = table.readUInt32LE(data + 4);
      const start = flags & 0x10 ? table.readInt32LE(data) : undefined;
      data += 8;
      let level: ListLevel | undefined;
      if (flags & 0x20) ({ level, end: data } = readLevel(table, data));
      overrides.set(flags & 0xf, { start, level });
    }
    if (abstract) lists.set(String(n + 1), { abstract, overrides });
  }
  return lists;
}

/** Damaged lists cost the numbers, not the text. */
export function readDocNumbering(doc: DocFile): Numbering {
  try {
    return countLists(readLists(doc));
  } catch {
    return countLists(new Map());
  }
}
