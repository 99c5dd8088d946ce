// What a browser would not show, as far as the markup itself says.

import type { DomElement } from "./dom.ts";

export function isHidden(element: DomElement): boolean {
  if (element.hasAttribute("hidden") && element.getAttribute("hidden") !== "until-found") return true;
  const style = element.getAttribute("style");
  if (style && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)) return true;
  if (isHiddenByClass(element.getAttribute("class") ?? "")) return true;
  return element.getAttribute("aria-hidden") === "true" && element.localName !== "img";
}

/** The classes by which the common style sheets hide a part at every width of a screen. */
function isHiddenByClass(classes: string): boolean {
  if (!/d-none|hidden|sr-only|screen-reader|screen/.test(classes)) return false;
  const names = new Set(classes.split(/\s+/));
  if (
    names.has("sr-only") ||
    names.has("visually-hidden") ||
    names.has("screen-reader-text") ||
    names.has("off-screen") ||
    names.has("offscreen")
  )
    return true;
  if (names.has("d-none")) return !/\bd-(?:sm|md|lg|xl|xxl)-/.test(classes);
  return names.has("hidden") && !/\b(?:sm|md|lg|xl|2xl):/.test(classes);
}
