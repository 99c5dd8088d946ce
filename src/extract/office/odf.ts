// What ODT and ODP share: the parts of the package, whether it is encrypted, the document properties.

import { Fault } from "../../errors.ts";
import { type Archive, openArchive } from "./archive.ts";
import { ownTitle, type Properties } from "./ooxml.ts";
import { child, childrenNamed, descendants, elementsOf, parseXml, textOf, type XmlNode } from "./xml.ts";

export interface OdfPackage {
  archive: Archive;
  content: XmlNode;
  styles: XmlNode | undefined;
  properties: Properties;
}

function tryPart(archive: Archive, name: string): XmlNode | undefined {
  try {
    const bytes = archive.read(name);
    return bytes ? parseXml(bytes) : undefined;
  } catch {
    return undefined; // costs styles or properties, not the text
  }
}

/** Encrypted parts look like damaged ones; the manifest tells them apart. */
function refuseEncrypted(archive: Archive): void {
  const manifest = tryPart(archive, "META-INF/manifest.xml");
  for (const _ of descendants(manifest, "manifest:encryption-data")) throw new Fault("encrypted_document");
}

const metaNames: Record<string, string> = {
  "dc:subject": "subject",
  "dc:description": "description",
  "meta:generator": "producer",
  "meta:creation-date": "created_at",
  "dc:date": "modified_at",
};

function readMeta(root: XmlNode | undefined): Properties {
  const meta = child(root, "office:meta");
  const metadata: Record<string, unknown> = {};
  for (const node of elementsOf(meta)) {
    const name = metaNames[node.name];
    const value = textOf(node).trim();
    if (name && value !== "") metadata[name] = value;
  }
  const keywords = childrenNamed(meta, "meta:keyword")
    .map((node) => textOf(node).trim())
    .filter((word) => word !== "");
  if (keywords.length > 0) metadata.keywords = keywords.join(", ");
  const last = textOf(child(meta, "dc:creator")).trim();
  const first = textOf(child(meta, "meta:initial-creator")).trim();
  if (last !== "" && last !== first) metadata.last_modified_by = last;
  const author = first || last;
  return {
    title: ownTitle(textOf(child(meta, "dc:title"))),
    authors: author === "" ? [] : [author],
    language: textOf(child(meta, "dc:language")).trim() || null,
    metadata,
  };
}

/** The language of the default paragraph style, where the properties name none. */
function defaultLanguage(styles: XmlNode | undefined): string | null {
  for (const style of childrenNamed(child(styles, "office:styles"), "style:default-style")) {
    const text = child(style, "style:text-properties")?.attrs;
    const language = text?.["fo:language"];
    if (!language || language === "none") continue;
    const country = text["fo:country"];
    return country && country !== "none" ? `${language}-${country}` : language;
  }
  return null;
}

/** Everything but the content, which a spreadsheet reads in its own way. */
export function openOdfPackage(bytes: Uint8Array, maxExpandedBytes: number): Omit<OdfPackage, "content"> {
  const archive = openArchive(bytes, maxExpandedBytes);
  refuseEncrypted(archive);
  const styles = tryPart(archive, "styles.xml");
  const properties = readMeta(tryPart(archive, "meta.xml"));
  properties.language ??= defaultLanguage(styles);
  return { archive, styles, properties };
}

export function openOdf(bytes: Uint8Array, maxExpandedBytes: number): OdfPackage {
  const opened = openOdfPackage(bytes, maxExpandedBytes);
  const part = opened.archive.read("content.xml");
  if (!part) throw new Fault("corrupt_document", { detail: "The file holds no OpenDocument content." });
  return { ...opened, content: parseXml(part) };
}
