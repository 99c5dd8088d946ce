// Which column holds which leaf, told by the heads of the columns.

import { fold } from "./fold.ts";
import { findPhrases, keyLabels } from "./labels.ts";
import type { Want } from "./plan.ts";

/** Concepts that a column head may name though the leaf is another: the amount of a line is often headed "Total". */
const also: Partial<Record<string, Record<string, number>>> = {
  line_amount: { total: 0.9, subtotal: 0.6, tax_summary: 0.2, balance: 0.1 },
  total: { line_amount: 0.9 },
  description: { item_code: 0.3, reference: 0.2, subject: 0.5 },
  item_code: { line_number: 0.4, reference: 0.5, description: 0.2 },
  unit_price: { line_amount: 0.1 },
  invoice_date: { published: 0.6, order_date: 0.7, delivery_date: 0.5, due_date: 0.3 },
  position: { description: 0.3, headline: 0.8, title: 0.6 },
  employer: { vendor_name: 0.8 },
  tax_rate: { tax: 0.7 },
  tax: { tax_rate: 0.2 },
  line_number: { item_code: 0.3 },
  debit: { paid: 0.3 },
  credit: { paid: 0.3 },
  person: { description: 0.2, customer_name: 0.4, employer: 0.3 },
};

/** A column's head, looked up once for all leaves. */
export interface Head {
  text: string;
  folded: string;
  labels: ReturnType<typeof keyLabels>;
}

export function readHead(head: string): Head {
  const text = head.trim().slice(0, 200);
  return { text, folded: fold(text), labels: keyLabels(findPhrases(text)) };
}

/** How well a column's head names what is wanted: 0 to 1. */
export function headScore(want: Want, { text, folded, labels }: Head): number {
  if (!text || text.length > 120) return 0;
  let best = 0;
  for (const { folded: own, label } of want.phrases) {
    if (own === folded) best = Math.max(best, Math.min(1, label.weight + 0.1));
    else if (own.length >= 4 && folded.includes(own))
      best = Math.max(best, 0.75 * label.weight * (own.length / folded.length) ** 0.5);
  }
  if (want.concept) {
    const coverage = (size: number): number => 0.75 + 0.25 * Math.min(1, size / folded.length);
    const direct = labels.get(want.concept);
    if (direct) best = Math.max(best, Math.min(1, direct.weight + 0.1) * coverage(direct.hit.size) * 0.98);
    for (const [id, weight] of Object.entries(also[want.concept] ?? {})) {
      const other = labels.get(id);
      if (other) best = Math.max(best, other.weight * weight * coverage(other.hit.size) * 0.9);
    }
  }
  return best;
}

/** Pairs leaves with columns, best pair first, each once; only pairs that are plainly named. */
export function matchColumns(wants: [pattern: string, want: Want][], heads: string[]): Map<number, string> {
  const pairs: { column: number; pattern: string; score: number }[] = [];
  heads.forEach((text, column) => {
    const head = readHead(text);
    for (const [pattern, want] of wants) {
      const score = headScore(want, head);
      if (score >= 0.35) pairs.push({ column, pattern, score: score - column * 0.001 });
    }
  });
  pairs.sort((a, b) => b.score - a.score);
  const columns = new Map<number, string>();
  const used = new Set<string>();
  for (const { column, pattern } of pairs) {
    if (columns.has(column) || used.has(pattern)) continue;
    columns.set(column, pattern);
    used.add(pattern);
  }
  return columns;
}
