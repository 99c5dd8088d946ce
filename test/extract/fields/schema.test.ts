import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/errors.ts";
import {
  accepts,
  MAX_DEPTH,
  MAX_PROPERTIES,
  parseSchema,
  type ValueField,
} from "../../../src/extract/fields/schema.ts";

function faultOf(schema: unknown): Fault {
  try {
    parseSchema(schema);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("the schema was taken");
}

const leaf = (schema: unknown): ValueField =>
  parseSchema({ type: "object", properties: { x: schema } }).properties[0]!.field as ValueField;

describe("a schema that is not usable", () => {
  it.each([
    ["not an object", [], ""],
    ["null", null, ""],
    ["a root that is no object", { type: "string" }, "/type"],
    ["an unknown type", { type: "object", properties: { a: { type: "text" } } }, "/properties/a/type"],
    ["a property that is no schema", { type: "object", properties: { "a/b": 7 } }, "/properties/a~1b"],
    [
      "a keyword we cannot promise",
      { type: "object", properties: { a: { type: "string", not: {} } } },
      "/properties/a/not",
    ],
    [
      "a pattern with a back-reference",
      { type: "object", properties: { a: { type: "string", pattern: "(a)\\1" } } },
      "/properties/a/pattern",
    ],
    ["a required property that is not declared", { type: "object", properties: {}, required: ["a"] }, "/required/0"],
    [
      "a reference out of the schema",
      { type: "object", properties: { a: { $ref: "http://x.example/y" } } },
      "/properties/a/$ref",
    ],
    [
      "a bound that is no number",
      { type: "object", properties: { a: { type: "number", minimum: "1" } } },
      "/properties/a/minimum",
    ],
    [
      "a list of item schemas",
      { type: "object", properties: { a: { type: "array", items: [{}] } } },
      "/properties/a/items",
    ],
    [
      "oneOf with two types",
      { type: "object", properties: { a: { oneOf: [{ type: "string" }, { type: "number" }] } } },
      "/properties/a/oneOf",
    ],
    ["a value that can never be", { type: "object", properties: { a: false } }, "/properties/a"],
  ])("%s", (_, schema, pointer) => {
    const fault = faultOf(schema);
    expect(fault.code).toBe("invalid_schema");
    expect(fault.status).toBe(422);
    expect(fault.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it("refers to itself", () => {
    const node = { type: "object", properties: { child: { $ref: "#/$defs/node" } } };
    expect(faultOf({ ...node, $defs: { node } }).errors?.length).toBeGreaterThan(0);
    expect(faultOf({ type: "object", properties: { a: { $ref: "#/properties/a" } } }).errors?.[0]?.message).toContain(
      "itself",
    );
  });

  it("is deeper than the limit", () => {
    let schema: object = { type: "string" };
    for (let i = 0; i <= MAX_DEPTH; i++) schema = { type: "object", properties: { a: schema } };
    expect(faultOf(schema).errors?.[0]?.message).toContain("deeper");
  });

  it("has more properties than the limit, also through references", () => {
    const many = Object.fromEntries(
      Array.from({ length: MAX_PROPERTIES + 1 }, (_, i) => [`p${i}`, { type: "string" }]),
    );
    expect(faultOf({ type: "object", properties: many }).errors?.[0]?.message).toContain("more than");
    // Seven levels of ten references each would be ten million properties
    const defs = Object.fromEntries(
      Array.from({ length: 7 }, (_, i) => [
        `d${i}`,
        {
          type: "object",
          properties: Object.fromEntries(
            Array.from({ length: 10 }, (_, j) => [`p${j}`, i < 6 ? { $ref: `#/$defs/d${i + 1}` } : { type: "string" }]),
          ),
        },
      ]),
    );
    expect(
      faultOf({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: defs }).errors?.[0]?.message,
    ).toContain("more than");
  });

  it("is longer than the limit", () => {
    expect(
      faultOf({ type: "object", properties: {}, description: "x".repeat(300_000) }).errors?.[0]?.message,
    ).toContain("longer");
  });

  it("names every place at once", () => {
    const fault = faultOf({ type: "object", properties: { a: { type: "x" }, b: { type: "y" } } });
    expect(fault.errors?.map((error) => error.pointer)).toEqual(["/properties/a/type", "/properties/b/type"]);
  });
});

describe("a schema that is usable", () => {
  it("follows references and the nullable forms, what stands beside them counts", () => {
    const field = parseSchema({
      type: "object",
      properties: {
        a: { $ref: "#/$defs/money", description: "what to pay" },
        b: { anyOf: [{ type: "null" }, { type: "integer" }] },
        c: { type: ["null", "boolean"] },
      },
      $defs: { money: { type: "number", minimum: 0 } },
    });
    const [a, b, c] = field.properties.map((property) => property.field as ValueField);
    expect(a).toMatchObject({ type: "number", minimum: 0, description: "what to pay" });
    expect(b?.type).toBe("integer");
    expect(c?.type).toBe("boolean");
  });

  it("tells the type from what is there", () => {
    expect(leaf({ enum: [1, 2] }).type).toBe("number");
    expect(leaf({ const: true }).type).toBe("boolean");
    expect(leaf({}).type).toBe("string");
    expect(parseSchema({ properties: { a: { items: { type: "string" } } } }).properties[0]?.field.type).toBe("array");
  });

  it("keeps labels and titles", () => {
    expect(leaf({ type: "string", title: "Policy", "x-labels": ["Policy no.", "Police"] })).toMatchObject({
      title: "Policy",
      labels: ["Policy no.", "Police"],
    });
  });
});

describe("accepts", () => {
  it.each([
    [{ type: "string", minLength: 2, maxLength: 3 }, "ab", "abcd"],
    [{ type: "string", pattern: "^\\d+$" }, "12", "1a"],
    [{ type: "integer" }, 3, 3.5],
    [{ type: "number", exclusiveMinimum: 1, maximum: 5 }, 5, 1],
    [{ type: "number", multipleOf: 0.01 }, 268.25, 1.005],
    [{ enum: ["a", "b"] }, "a", "c"],
    [{ type: "boolean" }, false, "false"],
  ])("%j takes %j and not %j", (schema, good, bad) => {
    const field = leaf(schema);
    expect(accepts(field, good)).toBe(true);
    expect(accepts(field, bad)).toBe(false);
    expect(accepts(field, null)).toBe(true);
  });
});
