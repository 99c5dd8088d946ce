// Amounts that must agree: subtotal and tax make the total, what was paid less the change is the total.
// A candidate that others add up to gains; one that is only the total before rounding loses to the rounded one.

import type { Finder } from "./finder.ts";
import type { Want } from "./plan.ts";
import { accepts } from "./schema.ts";
import type { Candidate } from "./spans.ts";
import type { Value } from "./values.ts";

/** Amounts per label that are tried with each other: a receipt has a handful, a hostile file thousands. */
const MAX_AMOUNTS = 60;
/** Cash amounts are rounded by less than this, in cents. */
const MAX_ROUNDING = 5;

const cents = (value: number): number => Math.round(value * 100);

export function reviewTotals(wants: Map<string, Want>, found: Map<string, Candidate[]>, finder: Finder): void {
  for (const [pointer, want] of wants) {
    const candidates = found.get(pointer);
    if (!candidates || want.field.type !== "number") continue;
    if (want.concept !== "total" && want.concept !== "amount_due") continue;
    found.set(pointer, review(candidates, want, finder));
  }
}

/** Amounts that stand with a label, in cents. */
function labelled(finder: Finder, label: string, least = 0.45): { cents: number; value: Value }[] {
  const out = new Map<Value, number>();
  for (const { value, weight, relation } of finder.byLabel.get(label) ?? []) {
    if (weight < least || !value.number || value.number.percent || value.number.glued || relation === "header")
      continue;
    if (value.number.decimals !== 2 && !value.number.currency) continue;
    out.set(value, cents(value.number.value));
    if (out.size >= MAX_AMOUNTS) break;
  }
  return [...out].map(([value, amount]) => ({ value, cents: amount }));
}

function review(candidates: Candidate[], want: Want, finder: Finder): Candidate[] {
  const sums = (label: string, least?: number): number[] => [
    ...new Set(labelled(finder, label, least).map((entry) => entry.cents)),
  ];
  const paid = sums("paid");
  const change = sums("change");
  const nets = sums("subtotal");
  const taxes = [0, ...sums("tax")];
  const tips = [0, ...sums("tip")];
  const rounding = sums("rounding").filter((amount) => amount !== 0 && Math.abs(amount) <= MAX_ROUNDING);
  const gross = sums("total", 0.25);
  const tendered = new Set(
    paid.flatMap((amount) => change.filter((back) => back > 0 && back < amount).map((back) => amount - back)),
  );
  const added = new Set(
    [...nets, ...gross].flatMap((net) =>
      taxes.flatMap((tax) => tips.filter((tip) => tax + tip > 0).map((tip) => net + tax + tip)),
    ),
  );
  const rounded = new Map<number, number>();
  for (const amount of [...gross, ...nets, ...added]) {
    for (const step of rounding) {
      // Some print the rounding without its sign
      for (const signed of [step, -step]) if ((amount + signed) % 5 === 0) rounded.set(amount + signed, amount);
    }
  }
  for (const amount of tendered) {
    const base = gross.find((other) => other !== amount && Math.abs(other - amount) <= MAX_ROUNDING);
    if (base !== undefined && amount % 5 === 0) rounded.set(amount, base);
  }
  // Totals of parts: 23.15 with tax and 27.45 without make 50.60
  const parts = gross.filter((amount) => amount > 0);
  const summed = new Set(parts.flatMap((one) => parts.filter((other) => other !== one).map((other) => one + other)));
  const before = new Set<number>();
  const known = new Set(candidates.map((candidate) => cents(Number(candidate.value))));
  if (!candidates.length) {
    for (const net of nets) if (paid.includes(net)) tendered.add(net);
    if (change.includes(0)) for (const amount of paid) tendered.add(amount);
  }
  const all = [...candidates, ...unlabelled(finder, new Set([...tendered, ...rounded.keys(), ...added]), known)];
  for (const candidate of all) {
    const amount = cents(Number(candidate.value));
    const base = rounded.get(amount);
    if (base !== undefined && base !== amount && known.has(base)) before.add(base);
  }
  return all
    .map((candidate) => {
      const amount = cents(Number(candidate.value));
      const why = [...candidate.why];
      let { score } = candidate;
      const gain = (by: number, reason: string): void => {
        score += by * (1 - score);
        why.push(reason);
      };
      if (tendered.has(amount)) gain(0.5, "paid less change");
      if (summed.has(amount)) gain(0.4, "parts add up");
      if (added.has(amount)) gain(0.3, "net and tax");
      if (rounded.has(amount)) gain(0.5, "rounded");
      if (paid.includes(amount)) gain(0.2, "paid");
      if (before.has(amount) && !rounded.has(amount) && !tendered.has(amount)) {
        score *= 0.7;
        why.push("before rounding");
      }
      if (amount <= 0 && candidates.some((other) => Number(other.value) > 0)) score *= 0.5;
      return { ...candidate, score, why };
    })
    .filter((candidate) => accepts(want.field, candidate.value))
    .sort((a, b) => b.score - a.score);
}

/** Amounts in the document that the arithmetic asks for, though no label names them. */
function unlabelled(finder: Finder, wanted: Set<number>, known: Set<number>): Candidate[] {
  const out: Candidate[] = [];
  if (!wanted.size) return out;
  for (const value of finder.values.byKind.get("number") ?? []) {
    const { number } = value;
    if (number?.decimals !== 2 || number.glued || number.percent) continue;
    const amount = cents(number.value);
    if (!wanted.has(amount) || known.has(amount) || out.length >= MAX_AMOUNTS) continue;
    known.add(amount);
    out.push({
      value: number.value,
      spans: [{ source: value.source, start: value.start, end: value.end }],
      score: 0.35,
      why: ["by arithmetic"],
    });
  }
  return out;
}
