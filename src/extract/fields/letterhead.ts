// The unlabelled head of a letter, invoice or receipt: whose paper it is and where they are.

import { type Labels, standsOver } from "./labels.ts";
import {
  addressIn, columnFrom, companyScore, companySpan, isHeader, join, type Line, legalForm, legalFormGlued, type Named, type Party, readLine, tradeWord,
} from "./parties.ts"; // biome-ignore format: one line
import { joinSpans, segmentSpan, spanText, trimSpan } from "./spans.ts";
import type { Values } from "./values.ts";
import type { Segment, View } from "./view.ts";

export interface Letterhead {
  companies: Named[];
  addresses: Named[];
  /** Name and address in the window of the envelope, where no label opens the block. */
  recipient: Party | null;
}

/** Rows at the top that a letterhead may take, and as many at the foot of a page. */
const HEAD_ROWS = 16;
/** Rows of the first page looked through for addresses. */
const PAGE_ROWS = 120;

/** "Restaurant Sdn Bhd" without a name in it. */
function isGeneric(text: string): boolean {
  const rest = text.replace(legalForm, " ").replace(legalFormGlued, " ").replace(new RegExp(tradeWord, "giu"), " ");
  return legalForm.test(text) && rest.replace(/[^\p{L}]/gu, "").length < 2;
}

/** Words that end a company's name and never begin one. */
const tailWord = /^(?:enterprises?|trading|holdings?|industries|company|corporation|limited|berhad|group)\b/iu;

export function readLetterhead(view: View, values: Values, labels: Labels, parties: Party[]): Letterhead {
  const first = view.rows[0]?.[0]?.page;
  const rows = view.rows.slice(0, PAGE_ROWS).filter((row) => row[0]?.page === first);
  const foreign = new Set(parties.filter((party) => party.role !== "vendor").flatMap((party) => [...party.segments]));
  const lines = new Map<Segment, Line>();
  for (const row of rows)
    for (const segment of row) if (!foreign.has(segment.index)) lines.set(segment, readLine(segment, values, labels));
  const names = companies(view, rows, lines, labels);
  const found = addresses(view, rows, lines);
  // The address under the name is theirs; another one further down may be the reader's
  const top = names[0]?.segments[0]?.row;
  const below = (address: Named): number => (top === undefined ? -1 : address.segments[0]!.row - top);
  const under = found
    .filter((address) => below(address) > 0 && below(address) <= 3)
    .sort((a, b) => below(a) - below(b))[0];
  if (under) under.score += 0.3;
  found.sort((a, b) => b.score - a.score);
  return { companies: names, addresses: found, recipient: recipient(view, rows, lines, names, found) };
}

function addresses(view: View, rows: Segment[][], lines: Map<Segment, Line>): Named[] {
  const out: Named[] = [];
  const used = new Set<Segment>();
  rows.forEach((row, at) => {
    for (const segment of row) {
      const line = lines.get(segment);
      if (!line || used.has(segment) || line.foreign || line.address < 0.5) continue;
      const chain = columnFrom(view, segment, 8).flatMap((item) =>
        besides(view, item).flatMap((part) => (isSpeck(part.text) ? [] : (lines.get(part) ?? []))),
      );
      const found = addressIn(chain);
      if (found?.from !== 0) continue;
      for (const item of found.named.segments) used.add(item);
      const top = 1 - at / Math.max(rows.length, HEAD_ROWS);
      out.push({ ...found.named, score: found.named.score * (0.4 + 0.6 * top) });
    }
  });
  return out.sort((a, b) => b.score - a.score);
}

function recipient(
  view: View,
  rows: Segment[][],
  lines: Map<Segment, Line>,
  names: Named[],
  found: Named[],
): Party | null {
  const taken = new Set([...(names[0]?.segments ?? []), ...(found[0]?.segments ?? [])]);
  const others = found
    .slice(1)
    .filter((address) => address.segments.length > 1)
    .sort((a, b) => a.segments[0]!.row - b.segments[0]!.row);
  for (const address of others) {
    const first = address.segments[0]!;
    const row = view.rows[first.row - 1] ?? [];
    const above = row.find((segment) => standsOver(segment, first, row.length === 1));
    const line = above ? lines.get(above) : undefined;
    if (
      !above ||
      !line ||
      line.foreign ||
      taken.has(above) ||
      first.row > rows.length / 2 ||
      !/\p{L}{2}/u.test(above.text) ||
      above.text.length > 60
    )
      continue;
    return {
      role: "customer",
      guessed: true,
      name: join([above], 0.6, false),
      address: { ...address, score: 0.6 },
      segments: new Set([above, ...address.segments].map((segment) => segment.index)),
    };
  }
  return null;
}

/** One or two signs that are no letters of ours: what OCR makes of a stain or a stamp. */
const isSpeck = (text: string): boolean => text.trim().length <= 2 && !/[A-Za-z\d]/.test(text);

/** A line of an address may have a gap in it: what stands close at its right goes on. */
function besides(view: View, segment: Segment): Segment[] {
  const right = view.rows[segment.row]?.[segment.column + 1];
  if (!right?.box || !segment.box || !/,\s*$/.test(segment.text)) return [segment];
  return right.box[0] - segment.box[2] < 4 * segment.height ? [segment, right] : [segment];
}

function companies(view: View, rows: Segment[][], lines: Map<Segment, Line>, labels: Labels): Named[] {
  const out: Named[] = [];
  const head = rows.slice(0, HEAD_ROWS);
  const stop = head.findIndex((row) => row.some((segment) => (lines.get(segment)?.address ?? 0) >= 1.5));
  const middle = view.letterHeights.get(head[0]?.[0]?.page ?? 1) ?? 0;
  head.forEach((row, at) => {
    for (const segment of row) {
      const line = lines.get(segment);
      if (
        !line ||
        line.foreign ||
        isHeader(segment.text) ||
        /^\s*[\p{L} ]{2,20}:\s/u.test(segment.text.replace(/^own\w* by/iu, ""))
      )
        continue;
      const span = companySpan(segment);
      if (!span) continue;
      let score = companyScore(spanText(span));
      if (score === 0) continue;
      score *= line.address >= 1.5 ? 0.3 : 1;
      if ((labels.bySegment.get(segment.index) ?? []).length > 1) score *= 0.5;
      const late = stop >= 0 && at > stop;
      score *= late ? 0.6 : 1;
      score += 0.12 * (1 - at / HEAD_ROWS);
      if (middle && segment.height > 1.25 * middle) score += 0.08;
      if (segment.source.element.type === "title" || segment.source.element.type === "heading") score += 0.05;
      let named: Named = { spans: [span], value: spanText(span).replace(/\s+/g, " "), score, segments: [segment] };
      // "SDN BHD" alone, or a bracket that closes, ends the name that the lines above began
      const pieces = [segment];
      for (let up = 1; up <= 3 && !/\d/.test(segment.text); up++) {
        const text = pieces.map((piece) => piece.text).join(" ");
        const form = legalForm.exec(` ${text}`) ?? legalFormGlued.exec(text);
        const closes = text.indexOf(")") >= 0 && (text.indexOf("(") < 0 || text.indexOf(")") < text.indexOf("("));
        if (!(form && form.index <= 1) && !closes && !tailWord.test(text) && !isGeneric(text)) break;
        const left = up === 1 && segment.column > 0 ? row[segment.column - 1] : undefined;
        const above: Segment | undefined = left ?? (rows[at - up]?.length === 1 ? rows[at - up]![0] : undefined);
        if (!above || lines.get(above)?.foreign) break;
        pieces.unshift(above);
      }
      if (pieces.length > 1) {
        const whole = join(pieces, score, false);
        const last = trimSpan({ ...span, start: segment.start }, /[\s:;,|•·=*#_–—-]/u) ?? span;
        named = {
          ...whole,
          spans: joinSpans([...pieces.slice(0, -1).map(segmentSpan), last]),
          value: [...pieces.slice(0, -1).map((piece) => piece.text.trim()), spanText(last)].join(" "),
        };
      }
      out.push(named);
    }
  });
  // A name over two lines is surer than its first line alone
  for (const whole of out) {
    for (const part of out) {
      const holds =
        whole !== part &&
        whole.segments.length > part.segments.length &&
        part.segments.every((segment) => whole.segments.includes(segment));
      if (holds && whole.score <= part.score) whole.score = part.score + 0.01;
    }
  }
  return out.sort((a, b) => b.score - a.score);
}
