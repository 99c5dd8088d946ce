// Kind → reader. Each row imports its reader only when it is asked for, so a process loads no library it does not need.
// A new kind is one file here and one row below.

import { Fault } from "../../errors.ts";
import type { Kind, Reader } from "../document.ts";

const readers: Partial<Record<Kind, () => Promise<Reader>>> = {
  bmp: async () => (await import("./image.ts")).readImage,
  csv: async () => (await import("./csv.ts")).readCsv,
  doc: async () => (await import("./doc.ts")).readDoc,
  docx: async () => (await import("./docx.ts")).readDocx,
  eml: async () => (await import("./eml.ts")).readEml,
  epub: async () => (await import("./epub.ts")).readEpub,
  gif: async () => (await import("./image.ts")).readImage,
  html: async () => (await import("./html.ts")).readHtml,
  jpeg: async () => (await import("./image.ts")).readImage,
  json: async () => (await import("./json.ts")).readJson,
  markdown: async () => (await import("./markdown.ts")).readMarkdown,
  msg: async () => (await import("./msg.ts")).readMsg,
  odp: async () => (await import("./odp.ts")).readOdp,
  ods: async () => (await import("./xlsx.ts")).readXlsx,
  odt: async () => (await import("./odt.ts")).readOdt,
  pdf: async () => (await import("./pdf.ts")).readPdf,
  png: async () => (await import("./image.ts")).readImage,
  pptx: async () => (await import("./pptx.ts")).readPptx,
  rtf: async () => (await import("./rtf.ts")).readRtf,
  text: async () => (await import("./text.ts")).readText,
  tiff: async () => (await import("./image.ts")).readImage,
  webp: async () => (await import("./image.ts")).readImage,
  xls: async () => (await import("./xlsx.ts")).readXlsx,
  xlsb: async () => (await import("./xlsx.ts")).readXlsx,
  xlsx: async () => (await import("./xlsx.ts")).readXlsx,
  xml: async () => (await import("./xml.ts")).readXml,
};

export async function readerFor(kind: Kind): Promise<Reader> {
  const load = readers[kind];
  if (!load) throw new Fault("unsupported_kind", { detail: `Documents of kind ${kind} are not read yet.` });
  return load();
}
