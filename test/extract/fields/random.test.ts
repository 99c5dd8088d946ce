import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFields } from "../../../src/extract/fields/fields.ts";
import { presetNames, presetSchema } from "../../../src/extract/fields/presets.ts";
import { parseSchema } from "../../../src/extract/fields/schema.ts";
import { contracts } from "./contracts.ts";
import { faults } from "./grounded.ts";
import { invoices } from "./invoices.ts";
import { orders } from "./orders.ts";
import { resumes } from "./resumes.ts";
import { statements } from "./statements.ts";

const documents = [...invoices, ...statements, ...orders, ...resumes, ...contracts].map((sample) => sample.document);

type Schema = Record<string, unknown>;

const words = [
  "total", "date", "invoice_number", "name", "company", "address", "email", "phone", "items", "quantity", "unitPrice", "tax", "currency", "iban", "description",
  "customer", "vendor", "due_date", "title", "skills", "experience", "parties", "order", "number", "status", "paid", "notes", "a/b", "x~y", "", "Ü", "amount", "balance", "term",
]; // biome-ignore format: a list of words

const leaf: fc.Arbitrary<Schema> = fc.oneof(
  fc.record({ type: fc.constant("string") }),
  fc.record({
    type: fc.constant("string"),
    format: fc.constantFrom("date", "date-time", "email", "uri", "phone", "iban", "time", "made-up"),
  }),
  fc.record({
    type: fc.constant("string"),
    pattern: fc.constantFrom("^[A-Z]{2,4}-?\\d+", "\\d{4}", "^.{3,20}$", "(GmbH|Ltd)", "^[^a-z]+$"),
  }),
  fc.record({
    type: fc.constant("string"),
    minLength: fc.integer({ min: 0, max: 12 }),
    maxLength: fc.integer({ min: 12, max: 60 }),
  }),
  fc.record({
    enum: fc.constantFrom(
      ["USD", "EUR", "GBP"],
      ["Yes", "No"],
      ["paid", "unpaid", null],
      [1, 2, 40],
      ["Total", "Invoice"],
    ),
  }),
  fc.record({
    type: fc.constantFrom("number", "integer"),
    minimum: fc.integer({ min: -5, max: 5 }),
    maximum: fc.integer({ min: 50, max: 5000 }),
  }),
  fc.record({ type: fc.constant("number"), multipleOf: fc.constantFrom(0.01, 0.5, 2) }),
  fc.record({ type: fc.constantFrom("number", "integer", "boolean") }),
  fc.record({ type: fc.constant(["string", "null"]) }),
  fc.record({ anyOf: fc.constant([{ type: "number" }, { type: "null" }]) }),
);

const schema = (depth: number): fc.Arbitrary<Schema> =>
  fc
    .dictionary(
      fc.constantFrom(...words),
      depth <= 0
        ? leaf
        : fc.oneof(
            { weight: 4, arbitrary: leaf },
            { weight: 1, arbitrary: schema(depth - 1) },
            { weight: 1, arbitrary: list(depth - 1) },
          ),
      { minKeys: 1, maxKeys: 8 },
    )
    .map((properties) => ({
      type: "object",
      properties,
      additionalProperties: false,
      required: Object.keys(properties).slice(0, 2),
    }));

const list = (depth: number): fc.Arbitrary<Schema> =>
  fc.record({
    type: fc.constant("array"),
    items: fc.oneof(leaf, schema(depth)),
    maxItems: fc.integer({ min: 1, max: 30 }),
    minItems: fc.integer({ min: 0, max: 2 }),
    uniqueItems: fc.boolean(),
  });

/** The same schema with null allowed everywhere. */
function nullable(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  const { properties, items, ...rest } = node as Schema;
  const out: Schema = { ...rest };
  delete out.format;
  if (properties)
    out.properties = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, nullable(inner)]));
  if (items) out.items = nullable(items);
  return { anyOf: [out, { type: "null" }] };
}

describe("any schema on any document", () => {
  it("gives data that validates against the schema made nullable, each value with its evidence", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6 });
    fc.assert(
      fc.property(schema(2), fc.nat(documents.length - 1), (wanted, index) => {
        const document = documents[index]!;
        const parsed = parseSchema(wanted);
        const result = findFields({ schema: parsed, document });
        expect(faults(result, parsed, document)).toEqual([]);
        const validate = ajv.compile(nullable(wanted) as Schema);
        expect(validate(JSON.parse(JSON.stringify(result.data))), JSON.stringify(validate.errors)).toBe(true);
      }),
      { numRuns: 200, seed: 20240601 },
    );
  });

  it("gives the same answer twice", () => {
    for (const document of documents) {
      const parsed = parseSchema(presetSchema("invoice"));
      expect(findFields({ schema: parsed, document })).toEqual(findFields({ schema: parsed, document }));
    }
  });

  it.each([...presetNames])("grounds every value of the preset %s", (name) => {
    const parsed = parseSchema(presetSchema(name));
    for (const document of documents)
      expect(faults(findFields({ schema: parsed, document }), parsed, document)).toEqual([]);
  });
});
