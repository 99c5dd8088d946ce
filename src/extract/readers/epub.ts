// EPUB: the chapters in the order of the spine, each XHTML read as any page, into one document.

import { Fault } from "../../errors.ts";
import type { Block, Reader } from "../document.ts";
import { type Archive, openArchive } from "../office/archive.ts";
import { singlePage, titleFromBlocks } from "../office/whole.ts";
import {
  child,
  childrenNamed,
  descendants,
  elementsOf,
  firstDescendant,
  parseXml,
  textOf,
  type XmlNode,
} from "../office/xml.ts";
import { readBlocks } from "../web/blocks.ts";
import { parseDom } from "../web/dom.ts";

/** A dictionary has some thousand files; each is parsed alone. */
const MAX_CHAPTERS = 5000;

interface Item {
  path: string;
  type: string;
  properties: string;
}

/** Against the folder of the package file; names are percent-encoded. */
function resolve(folder: string, href: string): string {
  let name = href.split("#")[0] ?? "";
  try {
    name = decodeURIComponent(name);
  } catch {
    // a stray percent sign is part of the name
  }
  const steps = name.startsWith("/") ? [] : folder.split("/").filter(Boolean);
  for (const step of name.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

/** Fonts are scrambled in many books, which is no protection; chapters that are encrypted are. */
function refuseProtected(archive: Archive): void {
  const bytes = archive.read("META-INF/encryption.xml");
  if (!bytes) return;
  for (const data of elementsOf(parseXml(bytes))) {
    const target = [...allOf(data)].find((node) => node.name.endsWith("CipherReference"))?.attrs.URI ?? "";
    if (/\.(x?html?|xml|opf|ncx)$/i.test(target)) throw new Fault("encrypted_document");
  }
}

function* allOf(node: XmlNode): Generator<XmlNode> {
  for (const inner of elementsOf(node)) {
    yield inner;
    yield* allOf(inner);
  }
}

function packageName(archive: Archive): string {
  const container = archive.read("META-INF/container.xml");
  const named = container && firstDescendant(parseXml(container), "rootfile")?.attrs["full-path"];
  const found = named && archive.has(named) ? named : archive.names.find((name) => name.toLowerCase().endsWith(".opf"));
  if (!found) throw new Fault("corrupt_document", { detail: "The book has no package file." });
  return found;
}

function readManifest(root: XmlNode, folder: string): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const node of descendants(child(root, "manifest"), "item")) {
    const { id = "", href = "", "media-type": type = "", properties = "" } = node.attrs;
    items.set(id, { path: resolve(folder, href), type, properties });
  }
  return items;
}

function chaptersOf(root: XmlNode, items: Map<string, Item>): Item[] {
  const chapters = childrenNamed(child(root, "spine"), "itemref").flatMap((ref) => {
    const item = items.get(ref.attrs.idref ?? "");
    return item && /html|xml|dtbook/.test(item.type) && !/\bnav\b/.test(item.properties) ? [item] : [];
  });
  if (chapters.length > MAX_CHAPTERS)
    throw new Fault("document_too_complex", { detail: `The book has more than ${MAX_CHAPTERS} chapters.` });
  return chapters;
}

/** Addresses of pictures inside the book become names of its parts. */
function localUrls(blocks: Block[], folder: string): void {
  for (const block of blocks)
    if (block.type === "figure" && block.url && !/^[a-z]+:/i.test(block.url)) block.url = resolve(folder, block.url);
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function readChapters(archive: Archive, chapters: Item[], progress: (done: number) => void): Block[] {
  const blocks: Block[] = [];
  for (const [at, { path }] of chapters.entries()) {
    const bytes = archive.read(path);
    if (!bytes) continue;
    const html = new TextDecoder().decode(bytes);
    const own = readBlocks(parseDom(html).body, { baseUrl: null });
    localUrls(own, folderOf(path));
    for (const block of own) blocks.push(block);
    progress(at + 1);
  }
  return blocks;
}

function describe(metadata: XmlNode | undefined) {
  const all = (name: string) =>
    childrenNamed(metadata, name)
      .map((node) => textOf(node).replace(/\s+/g, " ").trim())
      .filter(Boolean);
  const first = (name: string) => all(name)[0] ?? null;
  const other: Record<string, unknown> = {};
  for (const name of ["publisher", "description", "rights", "identifier"]) {
    const value = first(`dc:${name}`);
    if (value)
      other[name] = value
        .replace(/<[^>]{0,200}>/g, " ")
        .replace(/\s+/g, " ")
        .trim();
  }
  const subjects = all("dc:subject");
  if (subjects.length > 0) other.subjects = subjects;
  const date = first("dc:date");
  return {
    title: first("dc:title"),
    authors: all("dc:creator"),
    language: first("dc:language"),
    published_at: date && /^\d{4}(-\d\d(-\d\d(T.*)?)?)?$/.test(date) ? date : null,
    metadata: other,
  };
}

export const readEpub: Reader = async ({ bytes }, reading) => {
  const archive = openArchive(bytes, reading.limits.maxExpandedBytes);
  refuseProtected(archive);
  const name = packageName(archive);
  const part = archive.read(name);
  if (!part) throw new Fault("corrupt_document", { detail: "The book has no package file." });
  const root = parseXml(part);
  const chapters = chaptersOf(root, readManifest(root, folderOf(name)));
  const blocks = readChapters(archive, chapters, (done) => reading.progress("read", done, chapters.length));
  const about = describe(child(root, "metadata"));
  return {
    ...about,
    title: about.title ?? titleFromBlocks(blocks),
    page_count: 1,
    pages: [singlePage()],
    blocks,
  };
};
