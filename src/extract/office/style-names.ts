// Paragraph style names that say what a paragraph is. Word keeps them in English in every language; LibreOffice uses its own.

import type { Block } from "../document.ts";

export type ParagraphKind = Pick<Block, "type" | "level" | "role">;

const namedKinds: [RegExp, ParagraphKind][] = [
  [/^title$/i, { type: "title" }],
  [/^(caption|figure|table|illustration|drawing)$/i, { type: "caption" }],
  [/^(html preformatted|preformatted text|source code|code|code block|plain code)$/i, { type: "code" }],
  [/^((intense )?quote|block text|quotations?|block quotation)$/i, { type: "paragraph", role: "quote" }],
];

/** @param outline 0 to 8 for headings; anything else is body text. */
export function kindOfStyle(names: string[], outline: number | undefined): ParagraphKind {
  const named = namedKinds.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  if (named?.type === "title") return named;
  if (outline !== undefined && outline >= 0 && outline < 9) return { type: "heading", level: Math.min(outline + 1, 6) };
  return named ?? { type: "paragraph" };
}

/** "heading 2" → 1, its outline level. */
export function outlineOfName(name: string): number | undefined {
  const digit = /^heading (\d)$/i.exec(name)?.[1];
  return digit ? Math.max(0, Number(digit) - 1) : undefined;
}

/** Lines of code stand in a paragraph each, and belong together. */
export function pushBlock(out: Block[], block: Block): void {
  const last = out.at(-1);
  if (block.type === "code" && last?.type === "code") last.text += `\n${block.text}`;
  else out.push(block.type === "code" ? { ...block, marks: [] } : block);
}

export interface ListMarker {
  marker: string;
  ordered: boolean;
  level: number;
}

/** A paragraph with its marker: a list item, or a heading that shows its number. */
export function withMarker(block: Block, marker: ListMarker | null): Block {
  if (block.type === "heading" || block.type === "title") {
    // In a heading that is bold throughout, bold says nothing.
    const marks = (block.marks ?? []).filter(
      (m) => !(m.type === "bold" && m.start === 0 && m.end === block.text.length),
    );
    if (!marker?.ordered) return { ...block, marks };
    const shift = marker.marker.length + 1;
    const moved = marks.map((m) => ({ ...m, start: m.start + shift, end: m.end + shift }));
    return { ...block, text: `${marker.marker} ${block.text}`, marks: moved };
  }
  if (!marker || block.type !== "paragraph") return block;
  return { ...block, type: "list_item", marker: marker.marker, level: marker.level };
}
