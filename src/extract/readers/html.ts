// A page as elements: the article alone, or with main_content=false everything that would be seen.

import type { Document, Reader } from "../document.ts";
import { knownEncoding } from "../encoding.ts";
import { findArticle } from "../web/article.ts";
import { readBlocks } from "../web/blocks.ts";
import { parseDom } from "../web/dom.ts";
import { readMetadata } from "../web/metadata.ts";
import { pruneBlocks } from "../web/prune.ts";
import { decodeSource, pageless } from "./text.ts";

export const readHtml: Reader = async (source, reading) => {
  const html = decodeSource(source, reading, source.charset ?? declaredCharset(source.bytes));
  return htmlDocument(html, { url: source.url, mainContent: reading.options.main_content });
};

export interface HtmlOptions {
  url: string | null;
  mainContent: boolean;
}

/** Also for the kinds that carry HTML inside: mail, books. */
export function htmlDocument(html: string, { url, mainContent }: HtmlOptions): Document {
  const page = parseDom(html);
  const about = readMetadata(page, url);
  const roots = mainContent ? findArticle(page, about) : [page.body];
  const whole = roots.flatMap((root) => readBlocks(root, { baseUrl: about.baseUrl }));
  const blocks = mainContent ? pruneBlocks(whole, about) : whole;
  const { title, authors, language, published_at, metadata } = about;
  return pageless(blocks, { title, authors, language, published_at, metadata });
}

// The standard looks at the first 1024 bytes; many pages declare it after a long comment or script.
const CHARSET_WITHIN_BYTES = 8192;

function declaredCharset(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, CHARSET_WITHIN_BYTES)).toString("latin1");
  const label =
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w:-]{1,40})/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{1,40})/.exec(start)?.[1];
  return knownEncoding(label ?? null);
}
