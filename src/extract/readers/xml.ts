// XML as structured text: leaves as "name: value", containers under headings, runs of like records as tables, mixed content as
// paragraphs. Entities of a document type are never expanded, nothing outside is fetched.

import { SaxesParser } from "saxes";
import { Fault } from "../../errors.ts";
import type { Block, Reader, Table } from "../document.ts";
import { knownEncoding } from "../encoding.ts";
import { decodeSource, pageless } from "./text.ts";

// Every walk recurses; data and documents stay below 50.
const MAX_DEPTH = 200;
// About 300 bytes each in memory.
const MAX_NODES = 1_000_000;
const MAX_COLUMNS = 100;

interface Node {
  name: string;
  attributes: [name: string, value: string][];
  children: (Node | string)[];
}

export const readXml: Reader = async (source, reading) => {
  const start = Buffer.from(source.bytes.subarray(0, 200)).toString("latin1");
  const declared = /^[^<]{0,8}<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{1,40})/.exec(start)?.[1] ?? null;
  const text = decodeSource(source, reading, knownEncoding(declared) ?? source.charset);
  const root = parseXml(text);
  const blocks: Block[] = [];
  writeNode(root, 1, blocks);
  return pageless(blocks, { metadata: { root: root.name } });
};

function parseXml(text: string): Node {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const top: Node = { name: "", attributes: [], children: [] };
  const open: Node[] = [top];
  let nodes = 0;
  let failure: Error | null = null;
  const grow = () => {
    if (++nodes > MAX_NODES)
      throw new Fault("document_too_complex", { detail: `The XML has more than ${MAX_NODES} parts.` });
  };
  const addText = (piece: string) => {
    grow();
    open.at(-1)!.children.push(piece);
  };
  parser.on("opentag", (tag) => {
    grow();
    if (open.length > MAX_DEPTH)
      throw new Fault("document_too_complex", { detail: `The XML is nested deeper than ${MAX_DEPTH} levels.` });
    const attributes = Object.entries(tag.attributes as Record<string, string>).filter(
      ([name]) => !/^xmlns(:|$)/.test(name),
    );
    const node: Node = { name: tag.name, attributes, children: [] };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);
  // An entity that only the document type knows stays as it is written; what comes before an error is kept out, since the rest is unknown.
  parser.on("error", (error) => {
    if (!/undefined entity/.test(error.message)) failure ??= error;
  });
  for (let at = 0; at < text.length && !failure; at += 65_536) parser.write(text.slice(at, at + 65_536));
  if (!failure) parser.close();
  const root = top.children.find((child): child is Node => typeof child !== "string");
  if (failure || !root)
    throw new Fault("corrupt_document", {
      detail: `The XML is not well formed${failure ? ` (line ${parser.line})` : ""}.`,
      cause: failure,
    });
  return root;
}

const collapse = (text: string): string => text.replace(/\s+/g, " ").trim();
const isNode = (child: Node | string): child is Node => typeof child !== "string";
const ownText = (node: Node): string => collapse(node.children.filter((child) => !isNode(child)).join(""));
const isLeaf = (node: Node): boolean => !node.children.some(isNode);

function allText(node: Node): string {
  return node.children.map((child) => (isNode(child) ? allText(child) : child)).join("");
}

function writeNode(node: Node, depth: number, blocks: Block[]): void {
  if (isLeaf(node)) {
    const attributes = node.attributes.map(([name, value]) => `${name}: ${value}`).join(", ");
    const text = [collapse(allText(node)), attributes && `(${attributes})`].filter(Boolean).join(" ");
    if (text) writePair(node.name, text, blocks);
    return;
  }
  if (ownText(node) !== "") {
    blocks.push({ type: "paragraph", text: collapse(allText(node)), page: 1, bbox: null });
    return;
  }
  blocks.push({ type: "heading", text: node.name, level: Math.min(6, depth), page: 1, bbox: null });
  for (const [name, value] of node.attributes) writePair(name, collapse(value), blocks);
  const children = node.children.filter(isNode);
  for (let i = 0; i < children.length; ) {
    let end = i + 1;
    while (end < children.length && children[end]!.name === children[i]!.name) end++;
    const table = tableOf(children.slice(i, end));
    if (table) {
      blocks.push({ type: "table", text: "", page: 1, bbox: null, table });
      i = end;
    } else writeNode(children[i++]!, depth + 1, blocks);
  }
}

function writePair(name: string, value: string, blocks: Block[]): void {
  const text = `${name}: ${value}`;
  blocks.push({
    type: "paragraph",
    text,
    page: 1,
    bbox: null,
    marks: [{ type: "bold", start: 0, end: name.length + 1 }],
  });
}

/** Two or more records of the same name, each of attributes and leaves that do not repeat. */
function tableOf(records: Node[]): Table | null {
  if (records.length < 2) return null;
  const rows: Map<string, string>[] = [];
  for (const record of records) {
    const row = new Map(record.attributes);
    if (ownText(record) !== "") {
      if (!isLeaf(record) || record.attributes.length === 0) return null;
      row.set(record.name, ownText(record));
    }
    for (const child of record.children.filter(isNode)) {
      if (!isLeaf(child) || child.attributes.length > 0 || row.has(child.name)) return null;
      row.set(child.name, collapse(allText(child)));
    }
    rows.push(row);
  }
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  if (names.length < 2 || names.length > MAX_COLUMNS) return null;
  const lines = [names, ...rows.map((row) => names.map((name) => row.get(name) ?? ""))];
  const cells = lines.flatMap((line, row) =>
    line.map((text, column) => ({ row, column, row_span: 1, column_span: 1, text, header: row === 0, bbox: null })),
  );
  return { page: 1, bbox: null, rows: lines.length, columns: names.length, caption: records[0]!.name, cells };
}
