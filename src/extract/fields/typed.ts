// Candidates for leaves whose values have a form of their own: dates, amounts, e-mails and the like.

import { type Finder, labelsOf } from "./finder.ts";
import type { Attachment } from "./labels.ts";
import type { Want } from "./plan.ts";
import type { Candidate, Span } from "./spans.ts";
import type { Value, ValueKind } from "./values.ts";

const kindOf: Partial<Record<Want["reads"], ValueKind>> = {
  amount: "number", number: "number", count: "number", percent: "number", date: "date", time: "time",
  email: "email", url: "url", phone: "phone", iban: "iban", bic: "bic", vat: "vat",
}; // biome-ignore format: a table

/** What a value scores without any label: an e-mail speaks for itself, a number does not. */
const unlabelled: Partial<Record<ValueKind, number>> = {
  email: 0.7,
  iban: 0.9,
  url: 0.55,
  phone: 0.4,
  date: 0.45,
  time: 0.6,
  vat: 0.6,
};

/** Concepts whose value is often given without a label. */
const selfEvident = new Set([
  "invoice_date",
  "published",
  "effective_date",
  "signature_date",
  "email",
  "phone",
  "url",
  "iban",
  "tax_id",
  "time",
]);

export const isTyped = (want: Want): boolean => want.reads in kindOf;

export function typedCandidates(want: Want, finder: Finder): Candidate[] {
  const kind = kindOf[want.reads]!;
  const wanted = labelsOf(want);
  const best = new Map<Value, { attachment: Attachment | null; score: number }>();
  for (const [label, weight] of wanted) {
    for (const attachment of finder.byLabel.get(label) ?? []) {
      if (attachment.value.kind !== kind) continue;
      const score = labelledScore(want, attachment, weight, finder, wanted);
      const old = best.get(attachment.value);
      if (!old || old.score < score) best.set(attachment.value, { attachment, score });
    }
  }
  const free = unlabelled[kind];
  if (free && (!want.concept || selfEvident.has(want.concept) || kind === "iban")) {
    for (const value of headAndFoot(finder.values.byKind.get(kind) ?? [])) {
      const score = freeScore(want, value, free, finder, wanted);
      const old = best.get(value);
      if (score > 0 && (!old || old.score < score)) best.set(value, { attachment: null, score });
    }
  }
  const out: Candidate[] = [];
  for (const [value, { attachment, score }] of best) {
    const roled = score * roleFactor(want, value, finder);
    if (roled <= 0.05) continue;
    const candidate = toCandidate(want, value, attachment, roled, finder);
    if (value.other === null) out.push(candidate);
    else {
      const { orderKnown } = finder.values;
      out.push({ ...candidate, doubt: orderKnown ? 1 : 0.93 });
      const other = toCandidate(
        want,
        { ...value, value: value.other },
        attachment,
        roled * (orderKnown ? 0.4 : 0.7),
        finder,
      );
      out.push({ ...other, why: [...other.why, "the other order of day and month"] });
    }
  }
  return out;
}

const relations = { inline: 1, right: 1, below: 0.95, header: 0.7 };

function labelledScore(
  want: Want,
  attachment: Attachment,
  weight: number,
  finder: Finder,
  wanted: Map<string, number>,
): number {
  const { value, relation } = attachment;
  let score = 0.9 * Math.min(1, attachment.weight) * weight * relations[relation] * fitness(want, value);
  if (relation === "header" && isListed(value, finder)) score *= 0.4;
  // A better label of another concept on the same value: "Due date" for the date
  for (const other of finder.attached.get(value) ?? []) {
    if (wanted.has(other.label) || other.label.startsWith("field:") || other.label === "incl" || other.label === "excl")
      continue;
    if (other.weight > attachment.weight + 0.1 && relations[other.relation] >= relations[relation] - 0.1) score *= 0.6;
  }
  return score;
}

/** In a row of a list, not a fact about the document. */
function isListed({ kind, source: { cell, element } }: Value, finder: Finder): boolean {
  if (cell === null || cell.row === 0 || (element.table?.rows ?? 0) <= 2 || (element.table?.columns ?? 0) <= 2)
    return false;
  // Receipts are often taken for tables; a list has its dates in more than one row
  return (finder.perTable.get(`${element.id}:${kind}`) ?? 0) > 1;
}

/** How well a value's own form fits what is read. */
function fitness(want: Want, value: Value): number {
  const { number } = value;
  if (!number) return 0.7 + 0.3 * value.quality;
  if (want.field.type === "integer" && !Number.isInteger(number.value)) return 0;
  if (number.glued) return 0.25;
  if (want.reads === "percent") return number.percent ? 1 : number.value <= 100 ? 0.6 : 0.1;
  if (number.percent) return 0.15;
  if (want.reads === "amount") {
    if (number.currency && number.decimals <= 2) return 1;
    if (number.decimals === 2) return 1;
    if (number.decimals === 0) return number.digits > 7 && !number.grouped ? 0.2 : 0.7;
    return 0.6;
  }
  if (want.reads === "count") return number.decimals === 0 && !number.currency ? 1 : number.decimals === 2 ? 0.5 : 0.7;
  return 0.95;
}

/** Facts without a label stand at the head of a document or at its foot; looking at all would cost leaves × values. */
const FREE_AT_HEAD = 150;
const FREE_AT_FOOT = 50;

/** Segments of a row that are looked at for the time beside a date. */
const ROW_SEGMENTS = 12;

function headAndFoot(values: Value[]): Value[] {
  return values.length <= FREE_AT_HEAD + FREE_AT_FOOT
    ? values
    : [...values.slice(0, FREE_AT_HEAD), ...values.slice(-FREE_AT_FOOT)];
}

function freeScore(want: Want, value: Value, base: number, finder: Finder, wanted: Map<string, number>): number {
  const labelled = (finder.attached.get(value) ?? []).filter(
    (other) => other.weight >= 0.5 && other.relation !== "header",
  );
  // Named as something else
  if (labelled.some((other) => !wanted.has(other.label) && other.weight >= 0.6 && sameKind(other.label, value.kind)))
    return base * 0.35 * value.quality;
  if (isListed(value, finder)) return base * 0.35;
  const rows = finder.view.rows.length;
  const top = 1 - value.segment.row / Math.max(1, rows);
  if (value.kind === "date" && want.concept) {
    const near = (other: Value | undefined): boolean => other?.kind === "time";
    const own = finder.values.bySegment.get(value.segment.index) ?? [];
    const row = finder.view.rows[value.segment.row] ?? [];
    const timed =
      near(own[value.order - 1]) ||
      near(own[value.order + 1]) ||
      row
        .slice(0, ROW_SEGMENTS)
        .some(
          (segment) =>
            segment !== value.segment && (finder.values.bySegment.get(segment.index) ?? []).slice(0, 3).some(near),
        );
    const generic = want.concept === "invoice_date";
    return base * (0.75 + 0.25 * value.quality) + (timed && generic ? 0.2 : 0) + 0.05 * top;
  }
  return base * (0.6 + 0.4 * value.quality) + 0.05 * top;
}

const dateLabels = /date|published|period|due/;
function sameKind(label: string, kind: ValueKind): boolean {
  if (kind === "date") return dateLabels.test(label);
  if (kind === "phone") return label === "fax" || /number|code|_id|reg|total|amount|reference/.test(label);
  return false;
}

/** A value in the other party's block is theirs. */
function roleFactor(want: Want, value: Value, finder: Finder): number {
  if (!["email", "phone", "url", "vat", "code"].includes(want.reads)) return 1;
  const holder = finder.parties.find((party) => party.segments.has(value.segment.index));
  const role = want.role ?? "vendor";
  if (holder) return holder.role === role ? 1.1 : want.role ? 0.15 : 0.5;
  return want.role === "customer" || want.role === "ship" ? 0.3 : 1;
}

/** Signs between a date and its time. */
const TIME_REACH = 6;

function timeBeside(value: Value, finder: Finder): Value | null {
  const next = finder.values.bySegment.get(value.segment.index)?.[value.order + 1];
  return next?.kind === "time" && next.start - value.end <= TIME_REACH ? next : null;
}

function toCandidate(
  want: Want,
  value: Value,
  attachment: Attachment | null,
  score: number,
  finder: Finder,
): Candidate {
  const spans: Span[] = [{ source: value.source, start: value.start, end: value.end }];
  const why = attachment
    ? [
        `${attachment.relation} of "${attachment.hit.segment.source.text.slice(attachment.hit.start, attachment.hit.end)}"`,
      ]
    : ["unlabelled"];
  let out: unknown = value.value;
  if (want.field.type === "string" && typeof out === "number") out = value.source.text.slice(value.start, value.end);
  if (want.field.format === "date-time" && value.kind === "date") {
    const time = timeBeside(value, finder);
    if (time) spans.push({ source: time.source, start: time.start, end: time.end });
    out = `${value.value}T${time?.value ?? "00:00:00"}Z`;
  }
  if ((want.field.type === "number" || want.field.type === "integer") && typeof out !== "number") out = null;
  return { value: out, spans, score: Math.min(1, score), why };
}
