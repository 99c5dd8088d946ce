// Opens the zip that DOCX, PPTX, XLSX, ODF and EPUB are: the directory is read and judged before anything is inflated, and each
// part is inflated alone, on demand, with a hard bound. Node's own zlib does it: it stops at maxOutputLength, which a
// declared size that lies cannot move.

import { inflateRawSync } from "node:zlib";
import { Fault } from "../../errors.ts";

/** A presentation of 500 slides has some 5,000 parts. */
const MAX_ENTRIES = 20_000;
/** One part is held whole as text and then as a tree of about eight times its size. */
const MAX_PART_BYTES = 96 * 1024 * 1024;
/** Office XML packs 5 to 60 to 1; above this ratio and size it is a bomb. */
const MAX_RATIO = 250;
const RATIO_APPLIES_FROM_BYTES = 8 * 1024 * 1024;

const END_RECORD = 0x06054b50;
const END_RECORD_64 = 0x06064b50;
const CENTRAL_RECORD = 0x02014b50;
const LOCAL_RECORD = 0x04034b50;
const IN_EXTRA_FIELD = 0xffffffff;

interface Entry {
  name: string;
  method: number;
  encrypted: boolean;
  packed: number;
  size: number;
  offset: number;
}

export interface Archive {
  names: string[];
  has(name: string): boolean;
  /** Declared unpacked size, 0 for a part that is not there. */
  size(name: string): number;
  /** null for a part that is not there. */
  read(name: string): Uint8Array | null;
}

const corrupt = (detail: string, cause?: unknown) => new Fault("corrupt_document", { detail, cause });

/** Where the end record stands; its comment may be up to 64 KB long. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= lowest; at--) if (view.getUint32(at, true) === END_RECORD) return at;
  throw corrupt("The file is cut off: the directory of its archive is missing.");
}

function findDirectory(view: DataView): { count: number; offset: number } {
  const end = findEnd(view);
  const locator = end - 20;
  if (locator >= 0 && view.getUint32(locator, true) === 0x07064b50) {
    const end64 = Number(view.getBigUint64(locator + 8, true));
    if (end64 + 56 <= view.byteLength && view.getUint32(end64, true) === END_RECORD_64)
      return {
        count: Number(view.getBigUint64(end64 + 32, true)),
        offset: Number(view.getBigUint64(end64 + 48, true)),
      };
  }
  return { count: view.getUint16(end + 10, true), offset: view.getUint32(end + 16, true) };
}

/** Sizes and offset that do not fit 32 bits stand in extra field 1, in this order, only those that are needed. */
function readLargeSizes(view: DataView, entry: Entry, from: number, to: number): void {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let value = at + 4;
    for (const key of ["size", "packed", "offset"] as const) {
      if (entry[key] !== IN_EXTRA_FIELD || value + 8 > to) continue;
      entry[key] = Number(view.getBigUint64(value, true));
      value += 8;
    }
  }
}

function readDirectory(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  const { count, offset } = findDirectory(view);
  if (count > MAX_ENTRIES)
    throw new Fault("document_too_complex", { detail: `The archive has more than ${MAX_ENTRIES} parts.` });
  const decoder = new TextDecoder();
  const entries = new Map<string, Entry>();
  let at = offset;
  for (let n = 0; n < count; n++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL_RECORD) break;
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    if (extraEnd > view.byteLength) break;
    const entry: Entry = {
      // Some writers use backslashes, or a leading slash.
      name: decoder
        .decode(bytes.subarray(at + 46, nameEnd))
        .replaceAll("\\", "/")
        .replace(/^\/+/, ""),
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    readLargeSizes(view, entry, nameEnd, extraEnd);
    entries.set(entry.name.toLowerCase(), entry);
    at = extraEnd + view.getUint16(at + 32, true);
  }
  if (entries.size === 0) throw corrupt("The archive has no readable part.");
  return entries;
}

function refuseBomb(entry: Entry): void {
  const bomb = entry.size > RATIO_APPLIES_FROM_BYTES && entry.size / Math.max(1, entry.packed) > MAX_RATIO;
  if (bomb || entry.size > MAX_PART_BYTES)
    throw new Fault("document_too_complex", {
      detail: `A part of the document unpacks to ${Math.round(entry.size / 1048576)} MB.`,
    });
}

function inflate(bytes: Uint8Array, view: DataView, entry: Entry): Uint8Array {
  if (entry.offset + 30 > view.byteLength || view.getUint32(entry.offset, true) !== LOCAL_RECORD)
    throw corrupt("A part of the archive is not where its directory says.");
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packed);
  if (packed.length < entry.packed) throw corrupt("A part of the archive is cut off.");
  if (entry.method === 0) return packed;
  if (entry.method !== 8) throw corrupt("A part of the archive is packed in a way that is not known.");
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) });
  } catch (cause) {
    throw corrupt("A part of the archive is damaged.", cause);
  }
}

/** @param maxExpandedBytes bounds the sum of what is inflated, however often a part is asked for. */
export function openArchive(bytes: Uint8Array, maxExpandedBytes: number): Archive {
  refuseEncryptedPackage(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 22) throw corrupt("The file is cut off.");
  const entries = readDirectory(bytes, view);
  const find = (name: string) => entries.get(name.toLowerCase());
  let inflated = 0;
  const admit = (entry: Entry) => {
    if (entry.encrypted) throw new Fault("encrypted_document");
    refuseBomb(entry);
    inflated += entry.size;
    if (inflated > maxExpandedBytes)
      throw new Fault("document_too_complex", { detail: "The document unpacks to more than the limit." });
  };
  return {
    names: [...entries.values()].map((entry) => entry.name),
    has: (name) => find(name) !== undefined,
    size: (name) => find(name)?.size ?? 0,
    read(name) {
      const entry = find(name);
      if (!entry) return null;
      admit(entry);
      return inflate(bytes, view, entry);
    },
  };
}

const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** A DOCX, XLSX or PPTX with a password is no zip but a compound file around an encrypted one. */
export function refuseEncryptedPackage(bytes: Uint8Array): void {
  if (!COMPOUND_FILE.every((byte, at) => bytes[at] === byte)) return;
  const directoryName = Buffer.from("EncryptedPackage", "utf16le");
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(directoryName))
    throw new Fault("encrypted_document");
}
