// ODT: the text of the content, then its notes and comments; headers and footers come from the page styles.

import { Fault } from "../../errors.ts";
import type { Block, Reader } from "../document.ts";
import { openOdf } from "../office/odf.ts";
import { type OdfStory, readOdfBlocks } from "../office/odf-blocks.ts";
import { readOdfStyles } from "../office/odf-styles.ts";
import { singlePage, titleFromBlocks } from "../office/whole.ts";
import { child, childrenNamed, elementsOf, path, type XmlNode } from "../office/xml.ts";

/** First pages and left pages have headers of their own; each text once. */
function readRunning(styles: XmlNode | undefined, type: "header" | "footer", story: OdfStory): Block[] {
  const seen = new Set<string>();
  const blocks: Block[] = [];
  for (const master of childrenNamed(child(styles, "office:master-styles"), "style:master-page")) {
    for (const node of elementsOf(master)) {
      if (!node.name.startsWith(`style:${type}`)) continue;
      const inner: Block[] = [];
      readOdfBlocks(node, story, inner);
      for (const block of inner) {
        const text = block.table
          ? block.table.cells
              .map((cell) => cell.text)
              .filter(Boolean)
              .join("\t")
          : block.text;
        if (text === "" || seen.has(text)) continue;
        seen.add(text);
        blocks.push({ type, text, page: 1, bbox: null });
      }
    }
  }
  return blocks;
}

export const readOdt: Reader = async ({ bytes }, { limits }) => {
  const { archive, content, styles, properties } = openOdf(bytes, limits.maxExpandedBytes);
  const body = path(content, "office:body", "office:text");
  if (!body) throw new Fault("corrupt_document", { detail: "The file holds no OpenDocument text." });
  const story = (...parts: (XmlNode | undefined)[]): OdfStory => ({
    archive,
    styles: readOdfStyles(parts),
    page: 1,
    bbox: null,
    lists: new Map(),
    outline: [],
    notes: [],
    comments: [],
  });
  const main = story(styles, content);
  const text: Block[] = [];
  readOdfBlocks(body, main, text);
  const headers = readRunning(styles, "header", story(styles));
  const footers = readRunning(styles, "footer", story(styles));
  return {
    title: properties.title ?? titleFromBlocks(text),
    authors: properties.authors,
    language: properties.language,
    published_at: null,
    metadata: properties.metadata,
    page_count: 1,
    pages: [singlePage()],
    blocks: [...headers, ...text, ...main.notes, ...main.comments, ...footers],
  };
};
