// The property set \x05SummaryInformation of old Office files: title, author, dates.

import { codePageName } from "./code-pages.ts";
import type { CompoundFile } from "./compound-file.ts";
import { ownTitle, type Properties, splitNames } from "./ooxml.ts";

const names: Record<number, string> = {
  3: "subject",
  5: "keywords",
  6: "description",
  8: "last_modified_by",
  9: "revision",
  18: "producer",
};
const dates: Record<number, string> = { 12: "created_at", 13: "modified_at" };
const STRING = 30;
const WIDE_STRING = 31;
const FILE_TIME = 64;
/** 100 ns since 1601 → ms since 1970. */
const EPOCH_MS = 11_644_473_600_000;

function readText(bytes: Buffer, at: number, type: number, encoding: string): string {
  const length = bytes.readUInt32LE(at + 4);
  const wide = type === WIDE_STRING;
  const raw = bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + length * (wide ? 2 : 1)));
  return new TextDecoder(wide ? "utf-16le" : encoding)
    .decode(raw)
    .replace(/\0[\s\S]*$/, "")
    .trim();
}

function readValues(bytes: Buffer): Map<number, string> {
  const values = new Map<number, string>();
  const section = bytes.readUInt32LE(44);
  const count = Math.min(bytes.readUInt32LE(section + 4), 100);
  const places = Array.from({ length: count }, (_, n) => ({
    id: bytes.readUInt32LE(section + 8 + n * 8),
    at: section + bytes.readUInt32LE(section + 12 + n * 8),
  }));
  const page = places.find((place) => place.id === 1);
  const encoding = (page && codePageName(bytes.readUInt16LE(page.at + 4))) ?? "windows-1252";
  for (const { id, at } of places) {
    const type = bytes.readUInt32LE(at);
    if (type === STRING || type === WIDE_STRING) values.set(id, readText(bytes, at, type, encoding));
    else if (type === FILE_TIME) {
      const ms = Number(bytes.readBigUInt64LE(at + 4) / 10_000n) - EPOCH_MS;
      // Editing time is kept as a date near 1601.
      if (ms > 0 && ms < 8.64e15) values.set(id, new Date(ms).toISOString());
    }
  }
  return values;
}

export function readSummary(file: CompoundFile): Properties {
  const stream = file.stream("\x05SummaryInformation");
  let values = new Map<number, string>();
  try {
    if (stream) values = readValues(stream);
  } catch {
    // damaged properties cost the properties, not the document
  }
  const metadata: Record<string, unknown> = {};
  for (const [id, name] of [...Object.entries(names), ...Object.entries(dates)]) {
    const value = values.get(Number(id));
    if (value) metadata[name] = value;
  }
  return { title: ownTitle(values.get(2) ?? ""), authors: splitNames(values.get(4) ?? ""), language: null, metadata };
}
