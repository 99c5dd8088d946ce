// Which kind of document these bytes are: the bytes first, then the name and the content type. Looks at bounded parts only.

import { Fault } from "../errors.ts";
import type { Kind } from "./document.ts";
import { decodeText } from "./encoding.ts";
import { endings, matches, mimeTypes, otherMimeTypes, signatures } from "./signatures.ts";
import { sniffText } from "./sniff.ts";
import { memberNames } from "./zip-names.ts";

export interface Detected {
  kind: Kind;
  mimeType: string;
  /** Of the content type the bytes came with. */
  charset: string | null;
}

export interface Received {
  bytes: Uint8Array;
  name: string | null;
  contentType: string | null;
}

// Enough for any sign a text shows at its start, little enough to decode for each request.
const TEXT_SAMPLE_BYTES = 64 * 1024;

export function detect({ bytes, name, contentType }: Received): Detected {
  if (bytes.length === 0) throw new Fault("empty_document", { detail: "The document has no bytes." });
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = /charset\s*=\s*["']?([^\s"';]+)/.exec(parameters.join(";"))?.[1] ?? null;
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name?.trim() ?? "")?.[1]?.toLowerCase();
  const said = (ending && endings[ending]) || kindOfMimeType(type.trim()) || null;

  const found = detectBinary(bytes, said) ?? detectText(bytes, said, charset);
  if (found) return { kind: found, mimeType: mimeTypes[found], charset };
  if (said) throw new Fault("corrupt_document", { detail: `The bytes are not those of a ${said} document.` });
  throw unsupported(ending ? `.${ending} file` : "unknown binary file");
}

const unsupported = (what: string) =>
  new Fault("unsupported_kind", { detail: `This looks like: ${what}. It is not a kind that is read.` });

const kindsByMimeType = new Map(Object.entries(mimeTypes).map(([kind, mime]) => [mime, kind as Kind]));

function kindOfMimeType(type: string): Kind | null {
  // "text/plain" and "application/octet-stream" are what clients send when they do not know.
  if (type === "text/plain") return null;
  return kindsByMimeType.get(type) ?? otherMimeTypes[type] ?? null;
}

function detectBinary(bytes: Uint8Array, said: Kind | null): Kind | null {
  if (startsWithPdf(bytes)) return "pdf";
  const signature = signatures.find((candidate) => matches(bytes, candidate));
  if (signature?.kind) return signature.kind;
  if (signature) throw unsupported(signature.name ?? "binary file");
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2]! < 8) return detectZip(bytes, said);
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0) return detectOle(bytes);
  if (bytes[0] === 0x42 && bytes[1] === 0x4d && isBitmap(bytes)) return "bmp";
  if (bytes[0] === 0x4d && bytes[1] === 0x5a && bytes.subarray(0, 512).includes(0))
    throw unsupported("Windows program");
  // Excel files older than OLE: a bare stream that begins with its BOF record.
  if (bytes[0] === 0x09 && bytes[1]! <= 8 && (bytes[1]! & 1) === 0 && said === "xls") return "xls";
  return null;
}

/** The mark may stand a little way in: some writers put junk before it, and readers accept that within 1024 bytes. */
const startsWithPdf = (bytes: Uint8Array): boolean =>
  latin1(bytes.subarray(0, 1024)).includes("%PDF-") || latin1(bytes.subarray(0, 16)).includes("%FDF-");

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

/** "BM" also begins ordinary words: the header's own size has to be one there is. */
function isBitmap(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return bytes.length > 26 && [12, 16, 40, 52, 56, 64, 108, 124].includes(view.getUint32(14, true));
}

const packages: [member: RegExp, kind: Kind][] = [
  [/^word\/document\d*\.xml$/, "docx"],
  [/^ppt\/presentation\d*\.xml$/, "pptx"],
  [/^xl\/workbook\.bin$/, "xlsb"],
  [/^xl\/workbook\d*\.xml$/, "xlsx"],
  [/^META-INF\/container\.xml$/, "epub"],
  [/^word\//, "docx"],
  [/^ppt\//, "pptx"],
  [/^xl\//, "xlsx"],
];

const mimetypeKinds: [start: string, kind: Kind][] = [
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/vnd.oasis.opendocument.presentation", "odp"],
  ["application/epub+zip", "epub"],
];

function detectZip(bytes: Uint8Array, said: Kind | null): Kind {
  // OpenDocument and EPUB store their type as first member, uncompressed, at a fixed place.
  const head = latin1(bytes.subarray(30, 256));
  const stored = head.startsWith("mimetype") ? head.slice(8) : "";
  for (const [start, kind] of mimetypeKinds) if (stored.startsWith(start)) return kind;
  const names = memberNames(bytes);
  for (const [member, kind] of packages) if (names.some((name) => member.test(name))) return kind;
  if (names.includes("content.xml") && (said === "odt" || said === "ods" || said === "odp")) return said;
  if (names.length === 0 && said)
    throw new Fault("corrupt_document", { detail: "The archive has no readable directory." });
  throw unsupported("ZIP archive");
}

const streams: [name: string, kind: Kind | "ppt" | "encrypted"][] = [
  ["WordDocument", "doc"],
  ["Workbook", "xls"],
  ["Book", "xls"],
  ["PowerPoint Document", "ppt"],
  ["__nameid_version1.0", "msg"],
  ["__properties_version1.0", "msg"],
  ["EncryptedPackage", "encrypted"],
];

/**
 * An OLE file says what it is by the streams in its directory. Every entry is 128 bytes at a multiple of 128; walking those places
 * in order also finds them where the chain of sectors is broken. What holds something embedded names its own streams first.
 */
function detectOle(bytes: Uint8Array): Kind {
  const wanted = streams.map(([name, kind]) => ({ pattern: Buffer.from(`${name}\0`, "utf16le"), kind }));
  for (let at = 512; at + 128 <= bytes.length; at += 128) {
    const length = bytes[at + 64]! | (bytes[at + 65]! << 8);
    for (const { pattern, kind } of wanted) {
      if (length !== pattern.length || pattern.compare(bytes, at, at + length) !== 0) continue;
      if (kind === "encrypted") throw new Fault("encrypted_document", { detail: "The Office document is encrypted." });
      if (kind === "ppt") throw unsupported("PowerPoint 97-2003 presentation (ppt)");
      return kind;
    }
  }
  throw unsupported("OLE compound file");
}

function detectText(bytes: Uint8Array, said: Kind | null, charset: string | null): Kind | null {
  const sample = bytes.subarray(0, TEXT_SAMPLE_BYTES);
  const { text } = decodeText(sample, { declared: charset, cut: bytes.length > sample.length });
  if (!looksLikeText(text)) return null;
  return sniffText({ text, whole: sample.length === bytes.length, said });
}

/** Control characters are rare in text; a mail or text with a few damaged bytes is still text. */
function looksLikeText(text: string): boolean {
  let odd = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (
      (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12 && code !== 27) ||
      code === 0xfffd ||
      code === 0xffff
    )
      odd++;
  }
  return odd <= text.length * 0.05;
}
