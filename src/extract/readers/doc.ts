// DOC: the binary files of Word 97 to 2003, read by our own hands, since the libraries give plain text only. Where the structure
// is damaged, a library's plain text is better than nothing.

import WordExtractor from "word-extractor";
import { Fault } from "../../errors.ts";
import type { Block, Reader, Reading } from "../document.ts";
import { type CompoundFile, openCompoundFile } from "../office/compound-file.ts";
import { type DocFile, openDoc } from "../office/doc-file.ts";
import { type DocReading, readDocStory } from "../office/doc-stories.ts";
import { readDocNumbering, readDocStyles } from "../office/doc-styles.ts";
import { writeNumber } from "../office/number-words.ts";
import { readSummary } from "../office/summary.ts";
import { singlePage, titleFromBlocks } from "../office/whole.ts";

/** The places a table of positions names; the last one only ends the one before. */
function positions(table: Buffer, extraBytes: number): number[] {
  const count = Math.floor((table.length - 4) / (4 + extraBytes));
  return Array.from({ length: Math.max(0, count + 1) }, (_, n) => table.readUInt32LE(n * 4));
}

const joined = (blocks: Block[]) =>
  blocks
    .map((block) => (block.marker ? `${block.marker} ${block.text}` : block.text))
    .filter((text) => text !== "")
    .join("\n");

/** Texts of one of the parts behind the body, cut at the positions of its table. */
function pieces(reading: DocReading, start: number, cuts: number[]): string[] {
  return cuts.slice(0, -1).map((cut, n) => joined(readDocStory(reading, start + cut, start + cuts[n + 1]!)));
}

function commentAuthors(doc: DocFile): string[] {
  const owners = doc.table("commentAuthors");
  const names: string[] = [];
  for (let at = 0; at + 2 <= owners.length && names.length < 1000; ) {
    const length = owners.readUInt16LE(at);
    names.push(owners.toString("utf16le", at + 2, at + 2 + length * 2));
    at += 2 + length * 2;
  }
  return names;
}

function readComments(reading: DocReading, start: number): Block[] {
  const { doc } = reading;
  const refs = doc.table("commentRefs");
  const count = Math.floor((refs.length - 4) / 34);
  const authors = commentAuthors(doc);
  return pieces(reading, start, positions(doc.table("commentTexts"), 0)).flatMap((text, n) => {
    const owner = n < count ? authors[refs.readInt16LE((count + 1) * 4 + n * 30 + 20)] : undefined;
    const said = owner ? `${owner}: ${text}` : text;
    return text === ""
      ? []
      : [{ type: "paragraph" as const, text: said, page: 1, bbox: null, role: "comment" as const }];
  });
}

/** Six stories a section: even and odd header, even and odd footer, first header, first footer; six separators come first. */
const runningTypes = ["header", "header", "footer", "footer", "header", "footer"] as const;

function readRunning(reading: DocReading, start: number): Block[] {
  const seen = new Set<string>();
  const blocks: Block[] = [];
  pieces(reading, start, positions(reading.doc.table("headers"), 0)).forEach((text, n) => {
    const type = runningTypes[n % 6]!;
    if (n < 6 || text === "" || seen.has(type + text)) return;
    seen.add(type + text);
    blocks.push({ type, text, page: 1, bbox: null });
  });
  return blocks;
}

function readStructure(file: CompoundFile): Block[] {
  const doc = openDoc(file);
  const noteMarks = new Map<number, string>();
  const footnotes = positions(doc.table("footnoteRefs"), 2).slice(0, -1);
  const endnotes = positions(doc.table("endnoteRefs"), 2).slice(0, -1);
  footnotes.forEach((cp, n) => {
    noteMarks.set(cp, String(n + 1));
  });
  endnotes.forEach((cp, n) => {
    noteMarks.set(cp, writeNumber(n + 1, "lowerRoman"));
  });
  const reading: DocReading = {
    doc,
    styleOf: readDocStyles(doc.table("styles")),
    numbering: readDocNumbering(doc),
    noteMarks,
  };
  const { parts } = doc;
  const body = readDocStory(reading, 0, parts.body);
  const footnotesAt = parts.body;
  const headersAt = footnotesAt + parts.footnotes;
  const commentsAt = headersAt + parts.headers + parts.macros;
  const endnotesAt = commentsAt + parts.comments;
  const boxesAt = endnotesAt + parts.endnotes;
  const notes = (name: "footnoteTexts" | "endnoteTexts", at: number, places: number[]) =>
    pieces(reading, at, positions(doc.table(name), 0)).flatMap((text, n): Block[] => {
      const mark = noteMarks.get(places[n] ?? -1);
      return text === "" || !mark ? [] : [{ type: "footnote", text: `[${mark}] ${text}`, page: 1, bbox: null }];
    });
  const running = readRunning(reading, headersAt);
  return [
    ...running.filter((block) => block.type === "header"),
    ...body,
    ...readDocStory(reading, boxesAt, boxesAt + parts.boxes),
    ...notes("footnoteTexts", footnotesAt, footnotes),
    ...notes("endnoteTexts", endnotesAt, endnotes),
    ...readComments(reading, commentsAt),
    ...running.filter((block) => block.type === "footer"),
  ];
}

async function readPlain(bytes: Uint8Array, reading: Reading, cause: unknown): Promise<Block[]> {
  try {
    const text = (await new WordExtractor().extract(Buffer.from(bytes))).getBody();
    const blocks = text.split(/\n+/).flatMap((line): Block[] => {
      const plain = line.replace(/[\x00-\x08\x0b-\x1f]/g, "").trim();
      return plain === "" ? [] : [{ type: "paragraph", text: plain, page: 1, bbox: null }];
    });
    if (blocks.length === 0) throw cause;
    reading.warn({
      code: "structure_lost",
      message: "The document is damaged: its text was read, its structure was not.",
    });
    return blocks;
  } catch {
    throw new Fault("corrupt_document", { cause });
  }
}

export const readDoc: Reader = async ({ bytes }, reading) => {
  const file = openCompoundFile(bytes);
  let blocks: Block[];
  try {
    blocks = readStructure(file);
  } catch (cause) {
    if (cause instanceof Fault && cause.code !== "corrupt_document") throw cause;
    blocks = await readPlain(bytes, reading, cause);
  }
  const properties = readSummary(file);
  return {
    title: properties.title ?? titleFromBlocks(blocks),
    authors: properties.authors,
    language: null,
    published_at: null,
    metadata: properties.metadata,
    page_count: 1,
    pages: [singlePage()],
    blocks,
  };
};
