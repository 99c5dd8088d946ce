// Finds the article of a page.

import { Readability } from "@mozilla/readability";
import type { DomDocument, DomElement } from "./dom.ts";
import type { PageMetadata } from "./metadata.ts";

export function findArticle(page: DomDocument, _about: PageMetadata): DomElement | null {
  const reader = new Readability<DomElement>(page as never, {
    charThreshold: 500,
    serializer: (element) => element as unknown as DomElement,
  });
  return reader.parse()?.content ?? page.body;
}
