// The unlabelled head of a letter, invoice or receipt: whose paper it is and where they are.

import type { Labels } from "./labels.ts";
import {
  addressIn, columnFrom, companyScore, companySpan, isHeader, join, type Line, legalForm, legalFormGlued, type Named, type Party, readLine,
} from "./parties.ts"; // biome-ignore format: one line
import { spanText } from "./spans.ts";
import type { Values } from "./values.ts";
import type { Segment, View } from "./view.ts";

export interface Letterhead {
  companies: Named[];
  addresses: Named[];
}

/** Rows at the top that a letterhead may take, and as many at the foot of a page. */
const HEAD_ROWS = 16;
/** Rows of the first page looked through for addresses. */
const PAGE_ROWS = 120;

export function readLetterhead(view: View, values: Values, labels: Labels, parties: Party[]): Letterhead {
  const first = view.rows[0]?.[0]?.page;
  const rows = view.rows.slice(0, PAGE_ROWS).filter((row) => row[0]?.page === first);
  const foreign = new Set(parties.filter((party) => party.role !== "vendor").flatMap((party) => [...party.segments]));
  const lines = new Map<Segment, Line>();
  for (const row of rows)
    for (const segment of row) if (!foreign.has(segment.index)) lines.set(segment, readLine(segment, values, labels));
  return { companies: companies(view, rows, lines), addresses: addresses(view, rows, lines) };
}

function addresses(view: View, rows: Segment[][], lines: Map<Segment, Line>): Named[] {
  const out: Named[] = [];
  const used = new Set<Segment>();
  rows.forEach((row, at) => {
    for (const segment of row) {
      const line = lines.get(segment);
      if (!line || used.has(segment) || line.foreign || line.address < 0.5) continue;
      const chain = columnFrom(view, segment, 8).flatMap((item) => lines.get(item) ?? []);
      const found = addressIn(chain);
      if (found?.from !== 0) continue;
      for (const item of found.named.segments) used.add(item);
      const top = 1 - at / Math.max(rows.length, HEAD_ROWS);
      out.push({ ...found.named, score: found.named.score * (0.6 + 0.4 * top) });
    }
  });
  return out.sort((a, b) => b.score - a.score);
}

function companies(view: View, rows: Segment[][], lines: Map<Segment, Line>): Named[] {
  const out: Named[] = [];
  const head = rows.slice(0, HEAD_ROWS);
  const stop = head.findIndex((row) => row.some((segment) => (lines.get(segment)?.address ?? 0) >= 1.5));
  const middle = view.letterHeights.get(head[0]?.[0]?.page ?? 1) ?? 0;
  head.forEach((row, at) => {
    for (const segment of row) {
      const line = lines.get(segment);
      if (!line || line.foreign || isHeader(segment.text)) continue;
      const span = companySpan(segment);
      if (!span) continue;
      let score = companyScore(spanText(span));
      if (score === 0) continue;
      score *= line.address >= 1.5 ? 0.3 : 1;
      const late = stop >= 0 && at > stop;
      score *= late ? 0.6 : 1;
      score += 0.12 * (1 - at / HEAD_ROWS);
      if (middle && segment.height > 1.25 * middle) score += 0.08;
      if (segment.source.element.type === "title" || segment.source.element.type === "heading") score += 0.05;
      let named: Named = { spans: [span], value: spanText(span).replace(/\s+/g, " "), score, segments: [segment] };
      // "SDN BHD" alone ends the name that the line above began
      const form = legalForm.exec(` ${named.value}`) ?? legalFormGlued.exec(named.value);
      const above = rows[at - 1]?.[0];
      if (form && form.index <= 1 && above && rows[at - 1]?.length === 1 && !lines.get(above)?.foreign)
        named = { ...join([above, segment], score, false) };
      out.push(named);
    }
  });
  return out.sort((a, b) => b.score - a.score);
}
