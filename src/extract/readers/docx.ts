// DOCX: the zipped WordprocessingML, read by our own hands, since the libraries lose merged cells, numbers and notes.

import { Fault } from "../../errors.ts";
import type { Block, Document, Reader } from "../document.ts";
import { openArchive } from "../office/archive.ts";
import { mainPartName, type Part, readPart, readProperties, relatedPart } from "../office/ooxml.ts";
import { singlePage, titleFromBlocks, tolerate } from "../office/whole.ts";
import { type BlockStory, readBlocks } from "../office/word-blocks.ts";
import { type NoteList, noteCounter, readComments, readNotes, readRunning } from "../office/word-notes.ts";
import { readNumberingPart } from "../office/word-numbering.ts";
import { readStyles } from "../office/word-styles.ts";
import { child } from "../office/xml.ts";

export const readDocx: Reader = async ({ bytes }, reading) => {
  const archive = openArchive(bytes, reading.limits.maxExpandedBytes);
  const main = readPart(archive, mainPartName(archive, "word/document.xml"));
  const body = child(main?.root, "w:body");
  if (!main || !body) throw new Fault("corrupt_document", { detail: "The file holds no Word document." });
  const styles = readStyles(tolerate(reading, "styles", () => relatedPart(archive, main, "styles"), null)?.root);
  const numbering = readNumberingPart(
    tolerate(reading, "lists", () => relatedPart(archive, main, "numbering"), null)?.root,
  );
  const list: NoteList = { called: [], comments: new Set() };
  const counter = noteCounter(main.root, list);
  const stories = (part: Part): BlockStory => ({
    ...counter, archive, styles, numbering, relations: part.relations, fields: [], carried: null,
  }); // biome-ignore format: one value
  const text: Block[] = [];
  readBlocks(body, stories(main), text);
  const notes = tolerate(reading, "notes", () => readNotes(archive, main, list, stories), []);
  const comments = tolerate(reading, "comments", () => readComments(archive, main, list, stories), []);
  const none = { headers: [], footers: [] };
  const { headers, footers } = tolerate(
    reading,
    "headers and footers",
    () => readRunning(archive, main, stories),
    none,
  );
  const properties = readProperties(archive);
  const document: Document = {
    title: properties.title ?? titleFromBlocks(text),
    authors: properties.authors,
    language: properties.language ?? styles.language,
    published_at: null,
    metadata: properties.metadata,
    page_count: 1,
    pages: [singlePage()],
    blocks: [...headers, ...text, ...notes, ...comments, ...footers],
  };
  return document;
};
