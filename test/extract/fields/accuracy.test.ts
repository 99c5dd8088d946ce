import { describe, expect, it } from "vitest";
import type { NumberedDocument } from "../../../src/extract/document.ts";
import { findFields } from "../../../src/extract/fields/fields.ts";
import { parseSchema } from "../../../src/extract/fields/schema.ts";
import { compare, emptyScore, f1 } from "./accuracy.ts";
import { contractSchema, contracts } from "./contracts.ts";
import { invoiceSchema, invoices } from "./invoices.ts";
import { orderSchema, orders } from "./orders.ts";
import { resumeSchema, resumes } from "./resumes.ts";
import { statementSchema, statements } from "./statements.ts";

interface Sample {
  name: string;
  truth: object;
  document: NumberedDocument;
}

const kinds: [string, unknown, Sample[]][] = [
  ["invoices", invoiceSchema, invoices],
  ["statements", statementSchema, statements],
  ["purchase orders", orderSchema, orders],
  ["résumés", resumeSchema, resumes],
  ["contracts", contractSchema, contracts],
];

// The targets of the product: fields of born-digital documents .95, cells of line items .90.
describe.each(kinds)("%s", (_, schema, samples) => {
  const fields = emptyScore();
  const items = emptyScore();
  for (const { name, truth, document } of samples) {
    const { items: wanted, ...facts } = truth as { items?: unknown };
    const { items: given, ...found } = findFields({ schema: parseSchema(schema), document }).data as {
      items?: unknown;
    };
    compare(facts, found, name, fields);
    if (wanted !== undefined) compare(wanted, given, `${name}/items`, items);
  }

  it("has at least five layouts", () => {
    expect(samples.length).toBeGreaterThanOrEqual(5);
  });

  it("finds the fields", () => {
    expect(f1(fields), fields.misses.join("\n")).toBeGreaterThanOrEqual(0.95);
  });

  it("finds the cells of line items", () => {
    expect(f1(items), items.misses.join("\n")).toBeGreaterThanOrEqual(0.9);
  });
});
