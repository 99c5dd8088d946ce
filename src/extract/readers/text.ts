// Plain text: paragraphs apart by empty lines. Lines keep their breaks, since a plain text breaks them on purpose or by width alike.

import { Fault } from "../../errors.ts";
import type { Block, Document, Reader, Reading, Source } from "../document.ts";
import { decodeText } from "../encoding.ts";

export const readText: Reader = async (source, reading) => {
  const text = decodeSource(source, reading);
  const blocks: Block[] = [];
  for (const paragraph of text.split(/\n(?:[ \t]*\n)+/)) {
    const trimmed = paragraph.replace(/[ \t]+$/gm, "").replace(/^\n+|\n+$/g, "");
    if (trimmed.trim() !== "") blocks.push({ type: "paragraph", text: trimmed, page: 1, bbox: null });
  }
  return pageless(blocks);
};

/** The source as text with "\n" line ends; an empty one is a fault. */
export function decodeSource(source: Source, reading: Reading, declared: string | null = source.charset): string {
  const { text, encoding, guessed } = decodeText(source.bytes, { declared });
  if (guessed)
    reading.warn({ code: "encoding_guessed", message: `The encoding is not declared; read as ${encoding}.` });
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (plain.trim() === "") throw new Fault("empty_document", { detail: "The document holds nothing but white space." });
  return plain;
}

/** A document of a kind without pages: one page without size. */
export function pageless(blocks: Block[], about: Partial<Document> = {}): Document {
  return {
    title: null,
    authors: [],
    language: null,
    published_at: null,
    metadata: {},
    page_count: 1,
    pages: [{ number: 1, width: null, height: null, unit: null, rotation: 0, ocr: false }],
    blocks,
    ...about,
  };
}
