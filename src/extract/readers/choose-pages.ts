// Which pages of a document are read: those chosen, or all, within the limit.
import { Fault } from "../../errors.ts";
import type { Reading } from "../document.ts";

export function choosePages(count: number, { options, limits }: Reading): number[] {
  const all = Array.from({ length: count }, (_, i) => i + 1);
  const wanted = options.pages === null ? all : options.pages.filter((number) => number <= count);
  if (!wanted.length)
    throw new Fault("invalid_request", {
      detail: `The document has ${count} pages, none of those chosen is among them.`,
      errors: [{ pointer: "/options/pages", message: `must be between 1 and ${count}` }],
    });
  if (wanted.length > limits.maxPages)
    throw new Fault("too_many_pages", { detail: `${wanted.length} pages, the limit is ${limits.maxPages}.` });
  return wanted;
}
