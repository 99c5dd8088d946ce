// What all OOXML files share: parts tied by relationships, and the document properties.

import type { Archive } from "./archive.ts";
import { child, childrenNamed, elementsOf, parseXml, textOf, type XmlNode } from "./xml.ts";

export interface Relation {
  /** The last word of the type's URL: "image", "hyperlink", "styles", … */
  type: string;
  /** A part's full name, or the address of an external target. */
  target: string;
  external: boolean;
}

export interface Part {
  name: string;
  root: XmlNode;
  relations: Map<string, Relation>;
}

function resolvePart(base: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const steps = base.split("/").slice(0, -1);
  for (const step of target.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

export function readRelations(archive: Archive, part: string): Map<string, Relation> {
  const slash = part.lastIndexOf("/");
  const bytes = archive.read(`${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`);
  const relations = new Map<string, Relation>();
  if (!bytes) return relations;
  for (const node of childrenNamed(parseXml(bytes), "Relationship")) {
    const { Id = "", Type = "", Target = "", TargetMode } = node.attrs;
    const external = TargetMode === "External";
    const target = external ? Target : resolvePart(part, Target);
    relations.set(Id, { type: Type.slice(Type.lastIndexOf("/") + 1), target, external });
  }
  return relations;
}

/** null for a part that is not there. */
export function readPart(archive: Archive, name: string | undefined): Part | null {
  const bytes = name === undefined ? null : archive.read(name);
  return bytes && name !== undefined ? { name, root: parseXml(bytes), relations: readRelations(archive, name) } : null;
}

export function relatedPart(archive: Archive, from: Part, type: string): Part | null {
  return readPart(archive, relationOf(from.relations, type)?.target);
}

export function relationOf(relations: Map<string, Relation>, type: string): Relation | undefined {
  for (const relation of relations.values()) if (relation.type === type && !relation.external) return relation;
  return undefined;
}

/** The main part: what the package's own relations point to, or the usual place where those are missing. */
export function mainPartName(archive: Archive, usual: string): string {
  const target = relationOf(readRelations(archive, ""), "officeDocument")?.target;
  return target && archive.has(target) ? target : usual;
}

export interface Properties {
  title: string | null;
  authors: string[];
  language: string | null;
  metadata: Record<string, unknown>;
}

/** XML name → our name, for the parts of docProps/core.xml and app.xml worth handing on. */
const coreNames: Record<string, string> = {
  "dc:subject": "subject",
  "dc:description": "description",
  "cp:keywords": "keywords",
  "cp:category": "category",
  "cp:lastModifiedBy": "last_modified_by",
  "cp:revision": "revision",
  "cp:contentStatus": "content_status",
  "dcterms:created": "created_at",
  "dcterms:modified": "modified_at",
};
const appNames: Record<string, string> = { Application: "producer", Company: "company", Manager: "manager" };

function copyNamed(root: XmlNode | undefined, names: Record<string, string>, into: Record<string, unknown>): void {
  for (const node of elementsOf(root)) {
    const name = names[node.name];
    const value = textOf(node).trim();
    if (name && value !== "") into[name] = value;
  }
}

/** A part that is damaged only costs the properties, not the document. */
function tryPart(archive: Archive, name: string | undefined): XmlNode | undefined {
  try {
    const bytes = name ? archive.read(name) : null;
    return bytes ? parseXml(bytes) : undefined;
  } catch {
    return undefined;
  }
}

export function splitNames(names: string): string[] {
  return [
    ...new Set(
      names
        .split(";")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    ),
  ];
}

/** What programs fill in by themselves is no title. */
export function ownTitle(title: string): string | null {
  const trimmed = title.replace(/\s+/g, " ").trim();
  return /^(powerpoint[- ]pr[eä]sentation|microsoft (word|powerpoint|excel)\b.*|(slide|folie|document|presentation) ?\d*|untitled.*)?$/i.test(
    trimmed,
  )
    ? null
    : trimmed;
}

export function readProperties(archive: Archive): Properties {
  const relations = readRelations(archive, "");
  const core = tryPart(archive, relationOf(relations, "core-properties")?.target ?? "docProps/core.xml");
  const app = tryPart(archive, relationOf(relations, "extended-properties")?.target ?? "docProps/app.xml");
  const custom = tryPart(archive, relationOf(relations, "custom-properties")?.target ?? "docProps/custom.xml");
  const metadata: Record<string, unknown> = {};
  copyNamed(core, coreNames, metadata);
  copyNamed(app, appNames, metadata);
  const own: Record<string, string> = {};
  for (const property of childrenNamed(custom, "property"))
    if (property.attrs.name) own[property.attrs.name] = textOf(property).trim();
  if (Object.keys(own).length > 0) metadata.custom = own;
  return {
    title: ownTitle(textOf(child(core, "dc:title"))),
    authors: splitNames(textOf(child(core, "dc:creator"))),
    language: textOf(child(core, "dc:language")).trim() || null,
    metadata,
  };
}
