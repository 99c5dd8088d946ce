// What the first bytes of a binary file say: the kinds that are read, and by name those that are not.

import type { Kind } from "./document.ts";

export const mimeTypes: Record<Kind, string> = {
  pdf: "application/pdf",
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  tiff: "image/tiff",
  gif: "image/gif",
  bmp: "image/bmp",
  heic: "image/heic",
  html: "text/html",
  markdown: "text/markdown",
  text: "text/plain",
  csv: "text/csv",
  json: "application/json",
  xml: "application/xml",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  doc: "application/msword",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xls: "application/vnd.ms-excel",
  xlsb: "application/vnd.ms-excel.sheet.binary.macroenabled.12",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  rtf: "application/rtf",
  epub: "application/epub+zip",
  eml: "message/rfc822",
  msg: "application/vnd.ms-outlook",
};

/** Endings of names; several share a kind. */
export const endings: Record<string, Kind> = {
  pdf: "pdf", png: "png", jpg: "jpeg", jpeg: "jpeg", jpe: "jpeg", jfif: "jpeg", webp: "webp", tif: "tiff", tiff: "tiff",
  gif: "gif", bmp: "bmp", dib: "bmp", heic: "heic", heif: "heic",
  html: "html", htm: "html", xhtml: "html", md: "markdown", markdown: "markdown", mkd: "markdown", mdown: "markdown",
  txt: "text", text: "text", log: "text", csv: "csv", tsv: "csv", tab: "csv", json: "json", geojson: "json",
  xml: "xml", rss: "xml", atom: "xml", svg: "xml",
  docx: "docx", docm: "docx", dotx: "docx", dotm: "docx", doc: "doc", dot: "doc",
  pptx: "pptx", pptm: "pptx", ppsx: "pptx", potx: "pptx",
  xlsx: "xlsx", xlsm: "xlsx", xltx: "xlsx", xltm: "xlsx", xls: "xls", xlt: "xls", xlsb: "xlsb",
  odt: "odt", ott: "odt", ods: "ods", ots: "ods", odp: "odp", otp: "odp",
  rtf: "rtf", epub: "epub", eml: "eml", mht: "eml", mhtml: "eml", msg: "msg",
}; // biome-ignore format: one line a family

/** Content types beside those of mimeTypes. */
export const otherMimeTypes: Record<string, Kind> = {
  "image/jpg": "jpeg",
  "image/heif": "heic",
  "image/x-ms-bmp": "bmp",
  "application/xhtml+xml": "html",
  "text/x-markdown": "markdown",
  "text/tab-separated-values": "csv",
  "text/xml": "xml",
  "text/rtf": "rtf",
  "application/x-rtf": "rtf",
};

export interface Signature {
  offset: number;
  bytes: number[];
  kind?: Kind;
  /** Said to the caller for a kind that is not read. */
  name?: string;
}

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const at = (offset: number, start: string | number[]) => ({
  offset,
  bytes: typeof start === "string" ? ascii(start) : start,
});

export const signatures: Signature[] = [
  { ...at(0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), kind: "png" },
  { ...at(0, [0xff, 0xd8, 0xff]), kind: "jpeg" },
  { ...at(8, "WEBP"), kind: "webp" },
  { ...at(0, [0x49, 0x49, 0x2a, 0x00]), kind: "tiff" },
  { ...at(0, [0x4d, 0x4d, 0x00, 0x2a]), kind: "tiff" },
  { ...at(0, [0x49, 0x49, 0x2b, 0x00]), kind: "tiff" },
  { ...at(0, [0x4d, 0x4d, 0x00, 0x2b]), kind: "tiff" },
  { ...at(0, "GIF87a"), kind: "gif" },
  { ...at(0, "GIF89a"), kind: "gif" },
  { ...at(4, "ftypheic"), kind: "heic" },
  { ...at(4, "ftypheix"), kind: "heic" },
  { ...at(4, "ftyphevc"), kind: "heic" },
  { ...at(4, "ftypmif1"), kind: "heic" },
  { ...at(4, "ftypmsf1"), kind: "heic" },
  { ...at(4, "ftypavif"), name: "AVIF image" },
  { ...at(4, "ftypM4A"), name: "M4A audio" },
  { ...at(4, "ftypqt"), name: "QuickTime video" },
  { ...at(4, "ftyp"), name: "MP4 video" },
  { ...at(0, "{\\rtf"), kind: "rtf" },
  { ...at(0, [0x1f, 0x8b]), name: "gzip archive" },
  { ...at(0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), name: "7z archive" },
  { ...at(0, "Rar!\x1a\x07"), name: "RAR archive" },
  { ...at(0, "BZh"), name: "bzip2 archive" },
  { ...at(0, [0xfd, 0x37, 0x7a, 0x58, 0x5a]), name: "xz archive" },
  { ...at(0, [0x28, 0xb5, 0x2f, 0xfd]), name: "zstd archive" },
  { ...at(257, "ustar"), name: "tar archive" },
  { ...at(0, "!<arch>"), name: "ar archive" },
  { ...at(0, "MSCF"), name: "CAB archive" },
  { ...at(0, "ITSF"), name: "CHM help file" },
  { ...at(0, [0x7f, 0x45, 0x4c, 0x46]), name: "ELF program" },
  { ...at(0, [0xcf, 0xfa, 0xed, 0xfe]), name: "Mach-O program" },
  { ...at(0, [0xca, 0xfe, 0xba, 0xbe]), name: "Java class or Mach-O program" },
  { ...at(0, [0x00, 0x61, 0x73, 0x6d]), name: "WebAssembly module" },
  { ...at(0, "ID3"), name: "MP3 audio" },
  { ...at(0, [0xff, 0xfb]), name: "MP3 audio" },
  { ...at(8, "WAVE"), name: "WAV audio" },
  { ...at(8, "AVI "), name: "AVI video" },
  { ...at(0, "OggS"), name: "Ogg media" },
  { ...at(0, "fLaC"), name: "FLAC audio" },
  { ...at(0, [0x1a, 0x45, 0xdf, 0xa3]), name: "Matroska or WebM video" },
  { ...at(0, [0x30, 0x26, 0xb2, 0x75]), name: "Windows Media file" },
  { ...at(0, "FLV\x01"), name: "Flash video" },
  { ...at(0, "8BPS"), name: "Photoshop image" },
  { ...at(0, [0x00, 0x00, 0x01, 0x00]), name: "icon" },
  { ...at(0, "SQLite format 3"), name: "SQLite database" },
  { ...at(0, "AT&TFORM"), name: "DjVu document" },
  { ...at(60, "BOOKMOBI"), name: "Mobipocket e-book" },
  { ...at(0, "%!PS"), name: "PostScript document" },
  { ...at(0, "wOFF"), name: "web font" },
  { ...at(0, "wOF2"), name: "web font" },
  { ...at(0, "OTTO"), name: "font" },
  { ...at(0, [0x00, 0x01, 0x00, 0x00, 0x00]), name: "font or Access database" },
  { ...at(0, "PAR1"), name: "Parquet file" },
  { ...at(0, [0x89, 0x48, 0x44, 0x46]), name: "HDF5 file" },
  { ...at(0, "!BDN"), name: "Outlook mailbox (PST)" },
];

export function matches(bytes: Uint8Array, { offset, bytes: wanted }: Signature): boolean {
  return wanted.every((byte, i) => bytes[offset + i] === byte);
}
