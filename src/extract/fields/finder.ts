// The document made ready for finding: view, values, labels and who stands with whom. Built once, whatever the schema asks.

import type { NumberedDocument } from "../document.ts";
import { type Attachment, attachLabels, findLabels, type Label, type LabelId, type Labels } from "./labels.ts";
import { type Letterhead, readLetterhead } from "./letterhead.ts";
import type { Party } from "./parties.ts";
import { findParties } from "./party-blocks.ts";
import type { Want } from "./plan.ts";
import type { Span } from "./spans.ts";
import { readValues, type Value, type Values } from "./values.ts";
import { type View, viewDocument } from "./view.ts";

export interface Finder {
  view: View;
  values: Values;
  labels: Labels;
  attached: Map<Value, Attachment[]>;
  byLabel: Map<LabelId, Attachment[]>;
  parties: Party[];
  letterhead: Letterhead;
  /** How many values of a kind each table holds, by "element:kind". */
  perTable: Map<string, number>;
  /** Where each pattern matches without a label, filled as asked. */
  byPattern: Map<string, Span[]>;
}

export function makeFinder(document: NumberedDocument, own: { phrase: string; label: Label }[]): Finder {
  const view = viewDocument(document);
  const values = readValues(view);
  const labels = findLabels(view, own);
  const attached = attachLabels(view, values, labels);
  const byLabel = new Map<LabelId, Attachment[]>();
  for (const list of attached.values()) {
    for (const attachment of list) {
      const known = byLabel.get(attachment.label);
      if (known) known.push(attachment);
      else byLabel.set(attachment.label, [attachment]);
    }
  }
  const parties = findParties(view, values, labels);
  const letterhead = readLetterhead(view, values, labels, parties);
  if (letterhead.recipient && !parties.some((party) => party.role === "customer")) parties.push(letterhead.recipient);
  return {
    view,
    values,
    labels,
    attached,
    byLabel,
    parties,
    letterhead,
    perTable: countPerTable(values),
    byPattern: new Map(),
  };
}

function countPerTable(values: Values): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, source } of values.all) {
    if (!source.cell) continue;
    const key = `${source.element.id}:${kind}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Concepts whose label will also do, and how well. */
const related: Partial<Record<string, Record<string, number>>> = {
  total: { amount_due: 0.9 },
  amount_due: { total: 0.6 },
  invoice_number: { receipt_number: 0.75 },
  receipt_number: { invoice_number: 0.9 },
  invoice_date: { order_date: 0.5, published: 0.5, delivery_date: 0.4, signature_date: 0.5 },
  order_date: { invoice_date: 0.7 },
  effective_date: { period_start: 0.8, invoice_date: 0.5, signature_date: 0.5 },
  signature_date: { invoice_date: 0.4 },
  period_end: { due_date: 0.4 },
  published: { invoice_date: 0.7 },
  customer_address: { customer_name: 0.8 },
  ship_address: { ship_name: 0.8 },
  fax: {},
  account_number: { customer_number: 0.7, iban: 0.5 },
  customer_number: { account_number: 0.7 },
  summary: { abstract: 0.9 },
  abstract: { summary: 0.9 },
  deposit: { credit: 0.3 },
  tax_id: { company_reg: 0.5 },
};

/** Labels that may name what is wanted, and the weight of each. */
export function labelsOf(want: Want): Map<LabelId, number> {
  const out = new Map<LabelId, number>([[want.id, 1]]);
  if (want.concept) {
    out.set(want.concept, 1);
    for (const [id, weight] of Object.entries(related[want.concept] ?? {})) out.set(id, weight);
  }
  return out;
}
