// What a browser would not show, as far as the markup itself says.

import type { DomElement } from "./dom.ts";

export function isHidden(element: DomElement): boolean {
  if (element.hasAttribute("hidden") && element.getAttribute("hidden") !== "until-found") return true;
  const style = element.getAttribute("style");
  if (style && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)) return true;
  return element.getAttribute("aria-hidden") === "true" && element.localName !== "img";
}
