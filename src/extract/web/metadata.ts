// What a page says about itself.

import type { DomDocument } from "./dom.ts";

export interface PageMetadata {
  title: string | null;
  authors: string[];
  language: string | null;
  published_at: string | null;
  metadata: Record<string, unknown>;
  baseUrl: string | null;
}

export function readMetadata(page: DomDocument, url: string | null): PageMetadata {
  return {
    title: page.title?.trim() || null,
    authors: [],
    language: page.documentElement.getAttribute("lang"),
    published_at: null,
    metadata: {},
    baseUrl: url,
  };
}
