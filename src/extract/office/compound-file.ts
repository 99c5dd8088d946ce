// The compound file (OLE) that DOC is: a small file system of sectors. Streams are read by name; chains that go in circles end.

import { Fault } from "../../errors.ts";

export interface CompoundFile {
  /** Paths of all streams: "WordDocument", "folder/stream". */
  names: string[];
  /** null for a stream that is not there. */
  stream(name: string): Buffer | null;
}

const END_OF_CHAIN = 0xfffffffe;
const ENTRY_BYTES = 128;
/** A Word file has some 30 streams; embedded objects add more. */
const MAX_ENTRIES = 20_000;

const corrupt = (detail: string) => new Fault("corrupt_document", { detail });

interface Layout {
  file: Buffer;
  sectorBytes: number;
  fat: Uint32Array;
}

function sector(layout: Layout, at: number): Buffer {
  const start = (at + 1) * layout.sectorBytes;
  return layout.file.subarray(start, start + layout.sectorBytes);
}

/** The sectors of a chain; as many as the file has at most. */
function chain(table: Uint32Array, first: number, most: number): number[] {
  const sectors: number[] = [];
  for (let at = first; at < END_OF_CHAIN && at < table.length && sectors.length < most; at = table[at]!)
    sectors.push(at);
  return sectors;
}

function readChain(layout: Layout, first: number, size: number): Buffer {
  const most = Math.min(layout.fat.length, Math.ceil(size / layout.sectorBytes));
  const whole = Buffer.concat(chain(layout.fat, first, most).map((at) => sector(layout, at)));
  return whole.subarray(0, Math.min(size, whole.length));
}

function asTable(bytes: Buffer): Uint32Array {
  const table = new Uint32Array(bytes.length >> 2);
  for (let n = 0; n < table.length; n++) table[n] = bytes.readUInt32LE(n * 4);
  return table;
}

/** Sectors of the FAT: 109 named in the header, the rest in a chain of their own. */
function readFat(file: Buffer, sectorBytes: number): Uint32Array {
  const layout: Layout = { file, sectorBytes, fat: new Uint32Array() };
  const count = Math.min(file.readUInt32LE(0x2c), Math.ceil(file.length / sectorBytes));
  const places: number[] = [];
  for (let n = 0; n < 109 && places.length < count; n++) places.push(file.readUInt32LE(0x4c + n * 4));
  let next = file.readUInt32LE(0x44);
  for (let n = 0; n < file.readUInt32LE(0x48) && next < END_OF_CHAIN && places.length < count && n < count; n++) {
    const more = asTable(sector(layout, next));
    if (more.length === 0) break;
    for (const place of more.subarray(0, -1)) if (places.length < count) places.push(place);
    next = more.at(-1)!;
  }
  return asTable(Buffer.concat(places.map((place) => sector(layout, place))));
}

export const isCompoundFile = (bytes: Uint8Array) =>
  bytes.length > 8 && bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;

interface Entry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  first: number;
  size: number;
}

const STORAGE = 1;
const STREAM = 2;

function readEntries(directory: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(directory.readUInt16LE(at + 64), 64);
    const [left, right, child] = [68, 72, 76].map((n) => directory.readUInt32LE(at + n)) as [number, number, number];
    entries.push({
      name: directory.toString("utf16le", at, at + Math.max(0, nameBytes - 2)),
      type: directory[at + 66]!,
      left,
      right,
      child,
      first: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}

/** Siblings stand in a binary tree; each entry is visited once, so a tree that bites its tail ends. */
function streamsByPath(entries: Entry[]): Map<string, Entry> {
  const streams = new Map<string, Entry>();
  const visited = new Set<number>();
  const waiting: [index: number, folder: string][] = [[entries[0]?.child ?? -1, ""]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [index, folder] = next;
    const entry = entries[index];
    if (!entry || visited.has(index)) continue;
    visited.add(index);
    waiting.push([entry.left, folder], [entry.right, folder]);
    if (entry.type === STORAGE) waiting.push([entry.child, `${folder}${entry.name}/`]);
    else if (entry.type === STREAM && !streams.has(folder + entry.name)) streams.set(folder + entry.name, entry);
  }
  // Where the tree is broken, the list still knows the names.
  entries.forEach((entry, index) => {
    if (entry.type === STREAM && !visited.has(index) && !streams.has(entry.name)) streams.set(entry.name, entry);
  });
  return streams;
}

export function openCompoundFile(bytes: Uint8Array): CompoundFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 1536 || file.readUInt32LE(0) !== 0xe011cfd0) throw corrupt("The file is cut off.");
  const shift = file.readUInt16LE(0x1e);
  if (shift !== 9 && shift !== 12) throw corrupt("The file system inside the document is damaged.");
  const sectorBytes = 1 << shift;
  const layout: Layout = { file, sectorBytes, fat: readFat(file, sectorBytes) };
  const directory = readChain(layout, file.readUInt32LE(0x30), MAX_ENTRIES * ENTRY_BYTES);
  const entries = readEntries(directory);
  const streams = streamsByPath(entries);
  const root = entries[0] ?? { first: END_OF_CHAIN, size: 0 };
  const miniFat = asTable(readChain(layout, file.readUInt32LE(0x3c), file.length));
  const mini = readChain(layout, root.first, root.size);
  const cutoff = file.readUInt32LE(0x38);
  return {
    names: [...streams.keys()],
    stream(name) {
      const entry = streams.get(name);
      if (!entry) return null;
      if (entry.size >= cutoff) return readChain(layout, entry.first, Math.min(entry.size, file.length));
      const parts = chain(miniFat, entry.first, Math.ceil(entry.size / 64)).map((at) =>
        mini.subarray(at * 64, at * 64 + 64),
      );
      return Buffer.concat(parts).subarray(0, entry.size);
    },
  };
}
