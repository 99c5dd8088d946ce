// What stands beside the body of a DOCX: footnotes and endnotes in the order they are called, comments, headers and footers.

import type { Block } from "../document.ts";
import type { Archive } from "./archive.ts";
import { writeNumber } from "./number-words.ts";
import { type Part, readPart, relatedPart } from "./ooxml.ts";
import { type BlockStory, readBlocks } from "./word-blocks.ts";
import { childrenNamed, descendants, firstDescendant, type XmlNode } from "./xml.ts";

type NoteKind = "footnote" | "endnote";

export interface NoteList {
  called: { kind: NoteKind; id: string; marker: string }[];
  comments: string[];
}

/** Gives out numbers as the notes are called; a note called twice keeps its number. */
export function noteCounter(document: XmlNode, list: NoteList): Pick<BlockStory, "note" | "comment"> {
  const formats: Record<NoteKind, string> = {
    footnote: firstDescendant(firstDescendant(document, "w:footnotePr"), "w:numFmt")?.attrs["w:val"] ?? "decimal",
    endnote: firstDescendant(firstDescendant(document, "w:endnotePr"), "w:numFmt")?.attrs["w:val"] ?? "lowerRoman",
  };
  const known = new Map<string, string>();
  const counts: Record<NoteKind, number> = { footnote: 0, endnote: 0 };
  return {
    note(kind, id) {
      const key = `${kind}/${id}`;
      let marker = known.get(key);
      if (marker === undefined) {
        marker = writeNumber(++counts[kind], formats[kind]);
        known.set(key, marker);
        list.called.push({ kind, id, marker });
      }
      return marker;
    },
    comment(id) {
      if (!list.comments.includes(id)) list.comments.push(id);
    },
  };
}

function byId(part: Part | null, name: string): Map<string, XmlNode> {
  return new Map(childrenNamed(part?.root, name).map((node) => [node.attrs["w:id"] ?? "", node]));
}

/** One block a note, whatever it holds; tables and figures inside stay their own. */
function noteBlocks(node: XmlNode, story: BlockStory, make: (text: string) => Block): Block[] {
  const inner: Block[] = [];
  readBlocks(node, story, inner);
  const texts = inner.filter((b) => b.type !== "table" && b.type !== "figure").map((b) => b.text);
  const rest = inner.filter((b) => b.type === "table" || b.type === "figure");
  return texts.length > 0 ? [make(texts.join("\n")), ...rest] : rest;
}

type Stories = (part: Part) => BlockStory;

export function readNotes(archive: Archive, main: Part, list: NoteList, stories: Stories): Block[] {
  const blocks: Block[] = [];
  for (const kind of ["footnote", "endnote"] as const) {
    if (!list.called.some((note) => note.kind === kind)) continue;
    const part = relatedPart(archive, main, `${kind}s`);
    if (!part) continue;
    const notes = byId(part, `w:${kind}`);
    for (const { id, marker } of list.called.filter((note) => note.kind === kind)) {
      const node = notes.get(id);
      if (!node) continue;
      const make = (text: string): Block => ({ type: "footnote", text: `[${marker}] ${text}`, page: 1, bbox: null });
      blocks.push(...noteBlocks(node, stories(part), make));
    }
  }
  return blocks;
}

export function readComments(archive: Archive, main: Part, list: NoteList, stories: Stories): Block[] {
  const part = list.comments.length > 0 ? relatedPart(archive, main, "comments") : null;
  if (!part) return [];
  const comments = byId(part, "w:comment");
  return list.comments.flatMap((id) => {
    const node = comments.get(id);
    if (!node) return [];
    const author = node.attrs["w:author"]?.trim();
    const make = (text: string): Block => ({
      type: "paragraph",
      text: author ? `${author}: ${text}` : text,
      page: 1,
      bbox: null,
      role: "comment",
    });
    return noteBlocks(node, stories(part), make);
  });
}

/** Headers and footers in use by any section, each part and each text once. */
export function readRunning(archive: Archive, main: Part, stories: Stories): { headers: Block[]; footers: Block[] } {
  const seen = new Set<string>();
  const read = (type: "header" | "footer") => {
    const blocks: Block[] = [];
    for (const reference of descendants(main.root, `w:${type}Reference`)) {
      const target = main.relations.get(reference.attrs["r:id"] ?? "")?.target;
      if (!target || seen.has(target)) continue;
      seen.add(target);
      const part = readPart(archive, target);
      if (!part) continue;
      const inner: Block[] = [];
      readBlocks(part.root, stories(part), inner);
      for (const block of inner) {
        const text = block.table
          ? block.table.cells
              .map((cell) => cell.text)
              .filter(Boolean)
              .join("\t")
          : block.text;
        const key = `${type} ${text}`;
        if (text === "" || seen.has(key)) continue;
        seen.add(key);
        blocks.push({ type, text, marks: block.table ? [] : block.marks, page: 1, bbox: null });
      }
    }
    return blocks;
  };
  return { headers: read("header"), footers: read("footer") };
}
