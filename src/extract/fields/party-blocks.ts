// Blocks that a label opens: "Bill to", "Seller", "Ship to", with the name, the address and the contacts under it.

import type { Hit, Labels } from "./labels.ts";
import {
  addressIn,
  columnFrom,
  join,
  type Line,
  MAX_BLOCK_LINES,
  type Named,
  type Party,
  readLine,
} from "./parties.ts";
import { spanText, trimSpan } from "./spans.ts";
import type { Values } from "./values.ts";
import type { Segment, View } from "./view.ts";

const roles = {
  vendor_name: "vendor",
  customer_name: "customer",
  ship_name: "ship",
  customer_address: "customer",
  ship_address: "ship",
} as const;
type RoleLabel = keyof typeof roles;
/** A document names few parties; a list of a thousand customers is a table. */
const MAX_PARTIES = 40;
/** Labels longer than this into a line are words of a sentence, not the head of a block. */
const LABEL_REACH = 3;

export function findParties(view: View, values: Values, labels: Labels): Party[] {
  const parties: Party[] = [];
  for (const id of Object.keys(roles) as RoleLabel[]) {
    for (const hit of labels.byLabel.get(id) ?? []) {
      if (parties.length >= MAX_PARTIES) return parties;
      const party = readBlock(view, values, labels, hit, roles[id], id.endsWith("address"));
      if (party) parties.push(party);
    }
  }
  return parties;
}

const opensBlock = (hit: Hit): boolean => {
  const { segment } = hit;
  if (hit.start - segment.start > LABEL_REACH) return false;
  const after = segment.text.slice(hit.end - segment.start);
  // "Customer:" or "Bill to" on its own; "Customer service is open…" is a sentence
  return (
    /^\s*$/.test(after) ||
    /^\s*(?:\([^)]{0,20}\))?\s*[:：\-–]/u.test(after) ||
    /^\s+(?:details|information|name|address)?\s*:?\s*$/iu.test(after)
  );
};

function readBlock(
  view: View,
  values: Values,
  labels: Labels,
  hit: Hit,
  role: Party["role"],
  addressOnly: boolean,
): Party | null {
  if (!opensBlock(hit)) return null;
  const { segment } = hit;
  const inline = trimSpan({ source: segment.source, start: hit.end, end: segment.end }, /[\s:：;,|•·=–—)-]/u);
  const right = view.rows[segment.row]?.[segment.column + 1];
  const near =
    right &&
    !opensAny(labels, right) &&
    !isKey(labels, right) &&
    (!right.box || !segment.box || right.box[0] - segment.box[2] < 12 * segment.height);
  let chain: Segment[];
  let named: Named | null = null;
  if (inline && /\p{L}/u.test(spanText(inline)) && !/^(?:details|information|name|address)$/i.test(spanText(inline))) {
    named = { spans: [inline], value: spanText(inline), score: 0.9, segments: [segment] };
    chain = columnFrom(view, segment, MAX_BLOCK_LINES).slice(1);
  } else {
    const below = columnFrom(view, segment, MAX_BLOCK_LINES).slice(1);
    // Headings and labels in cells have their block below or at the right; what is beside wins when nothing stands close below
    const beside = near && right ? columnFrom(view, right, MAX_BLOCK_LINES) : [];
    chain =
      below.length &&
      (!beside.length || below.length > 1) &&
      !(beside.length && (opensAny(labels, below[0]!) || isKey(labels, below[0]!)))
        ? below
        : beside.length
          ? beside
          : below;
  }
  const lines: Line[] = [];
  for (const item of chain) {
    if (opensAny(labels, item)) break;
    lines.push(readLine(item, values, labels));
  }
  if (!named && !addressOnly) {
    const first = lines[0];
    if (!first || first.foreign || !/\p{L}{2}/u.test(first.text)) return null;
    const inCell = first.segment.source.segments.length > 1;
    if (first.address < 1 || inCell) named = join([first.segment], 0.9, false);
  }
  const found = addressIn(named && lines[0] && named.segments[0] === lines[0].segment ? lines.slice(1) : lines);
  const segments = new Set([segment.index, ...lines.map((line) => line.segment.index)]);
  if (!named && !found) return null;
  return { role, name: named, address: found?.named ?? null, segments };
}

/** A line that is nothing but another label. */
function isKey(labels: Labels, segment: Segment): boolean {
  return (labels.bySegment.get(segment.index) ?? []).some(
    (hit) => hit.start - segment.start < 2 && hit.end - hit.start >= 0.7 * segment.text.length,
  );
}

function opensAny(labels: Labels, segment: Segment): boolean {
  return (labels.bySegment.get(segment.index) ?? []).some(
    (hit) => hit.labels.some((label) => label.id in roles) && opensBlock(hit),
  );
}
