// A bounded XML reader for the parts of office files: text in, a plain tree out. Entities other than the five of XML and numbers
// are not expanded, document types are skipped, depth and node count are bounded. Prefixes are made the usual ones by
// namespace, so that <ns0:p> of a script is <w:p> here. Twice the speed of saxes on WordprocessingML.

import { Fault } from "../../errors.ts";
import { usualPrefixes } from "./namespaces.ts";

/** Each level costs the recursive walks a few stack frames; real documents stay below 80. */
const MAX_DEPTH = 400;
/** About 200 bytes each. A book of 1,000 pages in DOCX has some 600,000. */
const MAX_NODES = 2_500_000;
/** Elements that declare a namespace; each copies those around it. Pictures and formulas do, a few hundred in a book. */
const MAX_SCOPES = 100_000;

export interface XmlNode {
  name: string;
  attrs: Readonly<Record<string, string>>;
  children: (XmlNode | string)[];
}

const noAttrs: Record<string, string> = Object.freeze({});
const noChildren: (XmlNode | string)[] = [];
const namedEntities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole, hex, decimal, name) => {
    if (name) return namedEntities[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
}

const decode = (text: string) => (text.includes("&") ? decodeEntities(text) : text);

function decodeBytes(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString("latin1");
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(head)?.[1];
  try {
    return new TextDecoder(declared ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Written prefix → usual prefix. A scope is copied only by an element that declares something, and remembers its names. */
interface Scope {
  prefixes: Map<string, string>;
  elementNames: Map<string, string>;
  attributeNames: Map<string, string>;
}

const emptyScope = (): Scope => ({ prefixes: new Map(), elementNames: new Map(), attributeNames: new Map() });

function rename(name: string, prefixes: Map<string, string>): string {
  const colon = name.indexOf(":");
  const usual = prefixes.get(colon < 0 ? "" : name.slice(0, colon));
  if (usual === undefined) return name;
  const local = colon < 0 ? name : name.slice(colon + 1);
  return usual === "" ? local : `${usual}:${local}`;
}

function elementName(written: string, scope: Scope): string {
  let name = scope.elementNames.get(written);
  if (name === undefined) {
    name = rename(written, scope.prefixes);
    scope.elementNames.set(written, name);
  }
  return name;
}

/** An attribute without a prefix has no namespace. */
function attributeName(written: string, scope: Scope): string {
  let name = scope.attributeNames.get(written);
  if (name === undefined) {
    name = written.includes(":") ? rename(written, scope.prefixes) : written;
    scope.attributeNames.set(written, name);
  }
  return name;
}

function declare(written: string[], outer: Scope): Scope {
  let scope = outer;
  for (let n = 0; n < written.length; n += 2) {
    const key = written[n]!;
    if (!key.startsWith("xmlns") || (key.length > 5 && key[5] !== ":")) continue;
    if (scope === outer) scope = { ...emptyScope(), prefixes: new Map(outer.prefixes) };
    const usual = usualPrefixes[written[n + 1]!];
    if (usual === undefined) scope.prefixes.delete(key.slice(6));
    else scope.prefixes.set(key.slice(6), usual);
  }
  return scope;
}

/** Past the end of a name: whitespace, "/", ">" or "=". */
function skipName(xml: string, from: number): number {
  let at = from;
  for (; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (code <= 32 || code === 47 || code === 62 || code === 61) break;
  }
  return at;
}

function skipSpace(xml: string, from: number): number {
  let at = from;
  while (at < xml.length && xml.charCodeAt(at) <= 32) at++;
  return at;
}

/** Names and values by turns into `into`; returns where "/" or ">" stands. */
function readAttributes(xml: string, from: number, into: string[]): number {
  let at = skipSpace(xml, from);
  while (at < xml.length && xml.charCodeAt(at) !== 62 && xml.charCodeAt(at) !== 47) {
    const nameEnd = skipName(xml, at);
    const equals = skipSpace(xml, nameEnd);
    if (nameEnd === at || xml.charCodeAt(equals) !== 61) throw damaged();
    const open = skipSpace(xml, equals + 1);
    const quote = xml[open];
    if (quote !== '"' && quote !== "'") throw damaged();
    const close = xml.indexOf(quote, open + 1);
    if (close < 0) throw damaged();
    into.push(xml.slice(at, nameEnd), decode(xml.slice(open + 1, close)));
    at = skipSpace(xml, close + 1);
  }
  return at;
}

/** Past a comment, an instruction, a CDATA section or a document type; adds the text of CDATA to the parent. */
function skipMarkup(xml: string, at: number, parent: XmlNode): number {
  const past = (mark: string, from = at) => {
    const end = xml.indexOf(mark, from);
    return end < 0 ? xml.length : end + mark.length;
  };
  if (xml.startsWith("<!--", at)) return past("-->", at + 4);
  if (xml.startsWith("<?", at)) return past("?>");
  if (xml.startsWith("<![CDATA[", at)) {
    const end = past("]]>", at + 9);
    parent.children.push(xml.slice(at + 9, end - 3));
    return end;
  }
  const subset = xml.indexOf("[", at);
  const close = past(">");
  return subset >= 0 && subset < close ? past(">", past("]", subset)) : close;
}

const tooLarge = () =>
  new Fault("document_too_complex", { detail: "The XML of the document is too large or too deeply nested." });
const damaged = () => new Fault("corrupt_document", { detail: "The XML of the document is damaged." });

/** Elements of this name are handed over when they end and then forgotten, so that a million rows need the memory of one. */
export interface Take {
  name: string;
  take(node: XmlNode, ancestors: XmlNode[]): void;
}

interface Parsing {
  xml: string;
  nodes: number;
  scopes: number;
  take: Take | null;
  stack: { node: XmlNode; written: string; scope: Scope; nodesBefore: number }[];
}

function openTag(parsing: Parsing, at: number): number {
  const { xml, stack } = parsing;
  const outer = stack[stack.length - 1]!;
  const nameEnd = skipName(xml, at + 1);
  const written = xml.slice(at + 1, nameEnd);
  const pairs: string[] = [];
  let end = readAttributes(xml, nameEnd, pairs);
  const closed = xml.charCodeAt(end) === 47;
  if (closed) end++;
  if (written === "" || xml.charCodeAt(end) !== 62) throw damaged();
  const scope = pairs.length > 0 ? declare(pairs, outer.scope) : outer.scope;
  if (scope !== outer.scope && ++parsing.scopes > MAX_SCOPES) throw tooLarge();
  const attrs: Record<string, string> = pairs.length > 0 ? {} : noAttrs;
  for (let n = 0; n < pairs.length; n += 2) attrs[attributeName(pairs[n]!, scope)] = pairs[n + 1]!;
  const node: XmlNode = { name: elementName(written, scope), attrs, children: closed ? noChildren : [] };
  outer.node.children.push(node);
  if (++parsing.nodes > MAX_NODES || stack.length > MAX_DEPTH) throw tooLarge();
  if (!closed) stack.push({ node, written, scope, nodesBefore: parsing.nodes - 1 });
  return end + 1;
}

function closeTag(parsing: Parsing, at: number): number {
  const top = parsing.stack.pop();
  if (!top || parsing.stack.length === 0 || !parsing.xml.startsWith(top.written, at + 2)) throw damaged();
  const end = skipSpace(parsing.xml, at + 2 + top.written.length);
  if (parsing.xml.charCodeAt(end) !== 62) throw damaged();
  if (parsing.take && top.node.name === parsing.take.name) handOver(parsing, parsing.take, top);
  return end + 1;
}

function handOver(parsing: Parsing, { take }: Take, { node, nodesBefore }: Parsing["stack"][number]): void {
  const ancestors = parsing.stack.map((outer) => outer.node);
  ancestors.at(-1)!.children.pop();
  parsing.nodes = nodesBefore;
  take(node, ancestors);
}

/** The root element. Anything that is not well-formed is a corrupt document, never a guess. */
export function parseXml(bytes: Uint8Array, take: Take | null = null): XmlNode {
  const xml = decodeBytes(bytes);
  const root: XmlNode = { name: "", attrs: noAttrs, children: [] };
  const stack = [{ node: root, written: "", scope: emptyScope(), nodesBefore: 0 }];
  const parsing: Parsing = { xml, nodes: 0, scopes: 0, take, stack };
  let at = 0;
  while (at < xml.length) {
    const parent = parsing.stack[parsing.stack.length - 1]!.node;
    const lt = xml.indexOf("<", at);
    if (lt !== at && parent !== root) parent.children.push(decode(xml.slice(at, lt < 0 ? xml.length : lt)));
    if (lt < 0) break;
    const next = xml.charCodeAt(lt + 1);
    if (next === 47) at = closeTag(parsing, lt);
    else if (next === 33 || next === 63) at = skipMarkup(xml, lt, parent);
    else at = openTag(parsing, lt);
  }
  const top = root.children.find((child) => typeof child !== "string");
  if (!top || parsing.stack.length !== 1) throw damaged();
  return top as XmlNode;
}

// ---- walking ---------------------------------------------------------------------------------------------------------

const isElement = (node: XmlNode | string): node is XmlNode => typeof node !== "string";

/** Arrays, not generators: walking is most of the work, and generators make it five times as long. */
export function elementsOf(node: XmlNode | undefined): XmlNode[] {
  if (!node) return [];
  return node.children.every(isElement) ? node.children : node.children.filter(isElement);
}

export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  if (node) for (const c of node.children) if (typeof c !== "string" && c.name === name) return c;
  return undefined;
}

/** child of child of … */
export function path(node: XmlNode | undefined, ...names: string[]): XmlNode | undefined {
  let at = node;
  for (const name of names) at = child(at, name);
  return at;
}

export function childrenNamed(node: XmlNode | undefined, name: string): XmlNode[] {
  return elementsOf(node).filter((c) => c.name === name);
}

/** Every descendant of that name, in document order. */
export function descendants(node: XmlNode | undefined, name: string): XmlNode[] {
  const found: XmlNode[] = [];
  if (node) collect(node, name, found);
  return found;
}

function collect(node: XmlNode, name: string, found: XmlNode[]): void {
  for (const inner of node.children) {
    if (typeof inner === "string") continue;
    if (inner.name === name) found.push(inner);
    if (inner.children.length > 0) collect(inner, name, found);
  }
}

export function firstDescendant(node: XmlNode | undefined, name: string): XmlNode | undefined {
  for (const inner of node?.children ?? []) {
    if (typeof inner === "string") continue;
    const found = inner.name === name ? inner : firstDescendant(inner, name);
    if (found) return found;
  }
  return undefined;
}

export function textOf(node: XmlNode | undefined): string {
  if (!node) return "";
  let text = "";
  for (const c of node.children) text += typeof c === "string" ? c : textOf(c);
  return text;
}
