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
  comments: Set<string>;
}

/** Gives out numbers as the notes are called; a note called twice keeps its number. */
export function noteCounter(document: XmlNode, list: NoteList): Pick<BlockStory, "note" | "comment"> {
  // Looked up only when a note is called: it takes a walk over the whole document.
  const formats: Partial<Record<NoteKind, string>> = {};
  const formatOf = (kind: NoteKind) => {
    const said = () => firstDescendant(firstDescendant(document, `w:${kind}Pr`), "w:numFmt")?.attrs["w:val"];
    formats[kind] ??= said() ?? (kind === "footnote" ? "decimal" : "lowerRoman");
    return formats[kind];
  };
  const known = new Map<string, string>();
  const counts: Record<NoteKind, number> = { footnote: 0, endnote: 0 };
  return {
    note(kind, id) {
      const key = `${kind}/${id}`;
      let marker = known.get(key);
      if (marker === undefined) {
        marker = writeNumber(++counts[kind], formatOf(kind));
        known.set(key, marker);
        list.called.push({ kind, id, marker });
      }
      return marker;
    },
    comment(id) {
      list.comments.add(id);
    },
  };
}

function byId(part: Part | null, name: string): Map<string, XmlNode> {
  return new Map(childrenNamed(part?.root, name).map((node) => [node.attrs["w:id"] ?? "", node]));
}

/** One block a note, whatever it holds, with what stands before it; tables and figures inside stay their own. */
function noteBlocks(node: XmlNode, story: BlockStory, before: string, kind: Pick<Block, "type" | "role">): Block[] {
  const inner: Block[] = [];
  readBlocks(node, story, inner);
  const rest = inner.filter((b) => b.type === "table" || b.type === "figure");
  const note: Block = { ...kind, text: before, marks: [], page: 1, bbox: null };
  let said = false;
  for (const block of inner) {
    if (rest.includes(block)) continue;
    if (said) note.text += "\n";
    const shift = note.text.length;
    note.text += block.text;
    for (const m of block.marks ?? []) note.marks!.push({ ...m, start: m.start + shift, end: m.end + shift });
    said = true;
  }
  return said ? [note, ...rest] : rest;
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
      blocks.push(...noteBlocks(node, stories(part), `[${marker}] `, { type: "footnote" }));
    }
  }
  return blocks;
}

export function readComments(archive: Archive, main: Part, list: NoteList, stories: Stories): Block[] {
  const part = list.comments.size > 0 ? relatedPart(archive, main, "comments") : null;
  if (!part) return [];
  const comments = byId(part, "w:comment");
  return [...list.comments].flatMap((id) => {
    const node = comments.get(id);
    if (!node) return [];
    const author = node.attrs["w:author"]?.trim();
    const before = author ? `${author}: ` : "";
    return noteBlocks(node, stories(part), before, { type: "paragraph", role: "comment" });
  });
}

/** Headers and footers in use by any section, each part and each text once. */
export function readRunning(archive: Archive, main: Part, stories: Stories): { headers: Block[]; footers: Block[] } {
  const seen = new Set<string>();
  const sections = descendants(main.root, "w:sectPr");
  const read = (type: "header" | "footer") => {
    const blocks: Block[] = [];
    for (const reference of sections.flatMap((section) => childrenNamed(section, `w:${type}Reference`))) {
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
