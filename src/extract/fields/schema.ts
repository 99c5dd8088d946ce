// The caller's JSON Schema (a subset of 2020-12) turned into a tree of fields, or a Fault that points to the place.
// A keyword that could make a found value invalid is either honoured here or refused; annotations are ignored.

import { Fault } from "../../errors.ts";
import { compilePattern, type Pattern, PatternError } from "./pattern.ts";

/** Objects and arrays inside each other; deeper schemas describe data structures, not documents. */
export const MAX_DEPTH = 10;
/** Properties in all, after `$ref`s are followed; the time grows with it (see bench/fields.ts). */
export const MAX_PROPERTIES = 1_000;
/** Same as the limit on the `schema` parameter. */
export const MAX_SCHEMA_CHARS = 256 * 1024;
const MAX_ENUM_VALUES = 1_000;
const MAX_ERRORS = 20;
/** `$ref` to `$ref` to …: a chain this long is a circle or a trick. */
const MAX_REFS = 20;

interface FieldBase {
  title: string | null;
  description: string | null;
  /** `x-labels`: how the document may call the value. */
  labels: string[];
}

export interface ObjectField extends FieldBase {
  type: "object";
  properties: { name: string; field: Field }[];
}

export interface ArrayField extends FieldBase {
  type: "array";
  items: Field;
  minItems: number;
  maxItems: number;
  uniqueItems: boolean;
}

export interface ValueField extends FieldBase {
  type: "string" | "number" | "integer" | "boolean" | "null";
  format: string | null;
  choices: unknown[] | null;
  pattern: Pattern | null;
  examples: string[];
  minLength: number;
  maxLength: number;
  minimum: number;
  maximum: number;
  exclusiveMinimum: number;
  exclusiveMaximum: number;
  multipleOf: number | null;
}

export type Field = ObjectField | ArrayField | ValueField;
export type FieldSchema = ObjectField;

type Json = Record<string, unknown>;

const refused = [
  "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "patternProperties",
  "propertyNames", "minProperties", "maxProperties", "prefixItems", "contains", "minContains", "maxContains",
  "unevaluatedItems", "additionalItems", "$dynamicRef", "$recursiveRef",
]; // biome-ignore format: a list of words

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const escapePointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

class SchemaParser {
  readonly errors: { pointer: string; message: string }[] = [];
  private readonly root: Json;
  private count = 0;

  constructor(root: Json) {
    this.root = root;
  }

  fail(pointer: string, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ pointer, message });
  }

  field(schema: unknown, pointer: string, depth: number): Field {
    const empty = valueField({}, "string");
    if (schema === true) return empty;
    const found = this.follow(schema, pointer);
    if (!found) return empty;
    const { node, at } = found;
    if (depth > MAX_DEPTH) {
      this.fail(at, `is nested deeper than ${MAX_DEPTH} levels`);
      return empty;
    }
    for (const keyword of refused) if (keyword in node) this.fail(`${at}/${keyword}`, "is not supported");
    const type = this.typeOf(node, at);
    if (type === "object") return this.object(node, at, depth);
    if (type === "array") return this.array(node, at, depth);
    return this.value(node, at, type);
  }

  /** Through `$ref`, `allOf` of one and the "X or null" forms of anyOf/oneOf to the schema that says the type. */
  private follow(schema: unknown, pointer: string): { node: Json; at: string } | null {
    let at = pointer;
    let node = schema;
    let outer: Json = {};
    for (let step = 0; step <= MAX_REFS; step++) {
      if (!isObject(node)) {
        this.fail(at, "must be a schema (an object)");
        return null;
      }
      const rest: Json = node;
      if (typeof node.$ref === "string") {
        const target = this.resolve(node.$ref);
        if (target === undefined) {
          this.fail(`${at}/$ref`, "must point to a place in this schema, such as #/$defs/name");
          return null;
        }
        at = node.$ref.slice(1);
        node = target;
      } else {
        const keyword = ["anyOf", "oneOf", "allOf"].find((key) => key in rest);
        if (!keyword) return { node: { ...node, ...outer }, at };
        const options = Array.isArray(node[keyword]) ? (node[keyword] as unknown[]) : [];
        const real = options.map((option, i) => ({ option, i })).filter(({ option }) => !this.isNull(option));
        if (real.length !== 1 && !(keyword === "anyOf" && real.length > 1)) {
          this.fail(`${at}/${keyword}`, "is supported with one schema, or one schema and null");
          return null;
        }
        at = `${at}/${keyword}/${real[0]!.i}`;
        node = real[0]!.option;
      }
      // What stands beside the reference (a description, x-labels) is nearer to the field than what it refers to.
      const { $ref: _ref, anyOf: _any, oneOf: _one, allOf: _all, $defs: _defs, definitions: _old, ...beside } = rest;
      outer = { ...beside, ...outer };
    }
    this.fail(pointer, "refers to itself");
    return null;
  }

  private isNull(option: unknown): boolean {
    return isObject(option) && (option.type === "null" || option.const === null);
  }

  private resolve(ref: string): unknown {
    if (ref === "#") return this.root;
    if (!ref.startsWith("#/")) return undefined;
    let node: unknown = this.root;
    for (const raw of ref.slice(2).split("/")) {
      let key = raw.replaceAll("~1", "/").replaceAll("~0", "~");
      try {
        key = decodeURIComponent(key);
      } catch {
        return undefined;
      }
      if (isObject(node) && Object.hasOwn(node, key)) node = node[key];
      else if (Array.isArray(node) && /^\d+$/.test(key)) node = node[Number(key)];
      else return undefined;
    }
    return node;
  }

  private typeOf(node: Json, at: string): string {
    const given = Array.isArray(node.type) ? node.type : node.type === undefined ? [] : [node.type];
    for (const type of given) {
      if (typeof type !== "string" || !types.includes(type)) {
        this.fail(`${at}/type`, `must be one of ${types.join(", ")}`);
        return "string";
      }
    }
    const real = given.find((type) => type !== "null") ?? given[0];
    if (typeof real === "string") return real;
    if (isObject(node.properties)) return "object";
    if ("items" in node) return "array";
    const sample = "const" in node ? node.const : Array.isArray(node.enum) ? node.enum.find((v) => v !== null) : "";
    return typeof sample === "number" ? "number" : typeof sample === "boolean" ? "boolean" : "string";
  }

  private object(node: Json, at: string, depth: number): ObjectField {
    const properties: ObjectField["properties"] = [];
    if (node.properties !== undefined && !isObject(node.properties)) this.fail(`${at}/properties`, "must be an object");
    for (const [name, schema] of Object.entries(isObject(node.properties) ? node.properties : {})) {
      if (++this.count > MAX_PROPERTIES) {
        this.fail(at, `the schema has more than ${MAX_PROPERTIES} properties`);
        break;
      }
      const place = `${at}/properties/${escapePointer(name)}`;
      if (schema === false) this.fail(place, "can never hold a value");
      else properties.push({ name, field: this.field(schema, place, depth + 1) });
    }
    if (node.required !== undefined) {
      const required = Array.isArray(node.required) ? node.required : [node.required];
      required.forEach((name, i) => {
        if (typeof name !== "string") this.fail(`${at}/required/${i}`, "must be the name of a property");
        else if (!isObject(node.properties) || !Object.hasOwn(node.properties, name)) {
          this.fail(
            `${at}/required/${i}`,
            `names the property ${JSON.stringify(name.slice(0, 100))}, which is not declared`,
          );
        }
      });
    }
    return { type: "object", ...annotations(node), properties };
  }

  private array(node: Json, at: string, depth: number): ArrayField {
    if (Array.isArray(node.items)) this.fail(`${at}/items`, "must be one schema, not a list");
    return {
      type: "array",
      ...annotations(node),
      items: this.field(Array.isArray(node.items) ? true : (node.items ?? true), `${at}/items`, depth + 1),
      minItems: this.number(node, "minItems", at, 0),
      maxItems: this.number(node, "maxItems", at, Number.POSITIVE_INFINITY),
      uniqueItems: node.uniqueItems === true,
    };
  }

  private value(node: Json, at: string, type: string): ValueField {
    const field = valueField(node, type as ValueField["type"]);
    if (node.enum !== undefined && !Array.isArray(node.enum)) this.fail(`${at}/enum`, "must be a list of values");
    if (Array.isArray(node.enum) && node.enum.length > MAX_ENUM_VALUES) {
      this.fail(`${at}/enum`, `has more than ${MAX_ENUM_VALUES} values`);
    } else if ("const" in node) field.choices = [node.const];
    else if (Array.isArray(node.enum)) field.choices = node.enum;
    if (node.pattern !== undefined) {
      try {
        if (typeof node.pattern !== "string") throw new PatternError("must be a string");
        field.pattern = compilePattern(node.pattern);
      } catch (error) {
        if (!(error instanceof PatternError)) throw error;
        this.fail(`${at}/pattern`, error.message);
      }
    }
    field.minLength = this.number(node, "minLength", at, 0);
    field.maxLength = this.number(node, "maxLength", at, Number.POSITIVE_INFINITY);
    field.minimum = this.number(node, "minimum", at, Number.NEGATIVE_INFINITY);
    field.maximum = this.number(node, "maximum", at, Number.POSITIVE_INFINITY);
    field.exclusiveMinimum = this.number(node, "exclusiveMinimum", at, Number.NEGATIVE_INFINITY);
    field.exclusiveMaximum = this.number(node, "exclusiveMaximum", at, Number.POSITIVE_INFINITY);
    field.multipleOf = "multipleOf" in node ? this.number(node, "multipleOf", at, 1) : null;
    if (field.multipleOf !== null && field.multipleOf <= 0) this.fail(`${at}/multipleOf`, "must be above 0");
    return field;
  }

  private number(node: Json, keyword: string, at: string, fallback: number): number {
    const value = node[keyword];
    if (value === undefined) return fallback;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    this.fail(`${at}/${keyword}`, "must be a number");
    return fallback;
  }
}

function annotations(node: Json): FieldBase {
  const labels = Array.isArray(node["x-labels"]) ? node["x-labels"] : [node["x-labels"]];
  return {
    title: typeof node.title === "string" ? node.title.slice(0, 200) : null,
    description: typeof node.description === "string" ? node.description.slice(0, 1_000) : null,
    labels: labels.filter((label) => typeof label === "string").slice(0, 50),
  };
}

function valueField(node: Json, type: ValueField["type"]): ValueField {
  return {
    type,
    ...annotations(node),
    format: typeof node.format === "string" ? node.format : null,
    choices: null,
    pattern: null,
    examples: (Array.isArray(node.examples) ? node.examples : []).slice(0, 20).map((example) => String(example)),
    minLength: 0,
    maxLength: Number.POSITIVE_INFINITY,
    minimum: Number.NEGATIVE_INFINITY,
    maximum: Number.POSITIVE_INFINITY,
    exclusiveMinimum: Number.NEGATIVE_INFINITY,
    exclusiveMaximum: Number.POSITIVE_INFINITY,
    multipleOf: null,
  };
}

/** Checks a caller's schema and makes it ready for findFields; throws Fault invalid_schema with every place that is wrong. */
export function parseSchema(schema: unknown): FieldSchema {
  if (!isObject(schema)) {
    throw invalid([{ pointer: "", message: "must be a JSON object" }]);
  }
  let length = Number.POSITIVE_INFINITY;
  try {
    length = JSON.stringify(schema).length;
  } catch {
    // a circle, or nesting beyond the stack: as unusable as one that is too long
  }
  if (length > MAX_SCHEMA_CHARS)
    throw invalid([{ pointer: "", message: `is longer than ${MAX_SCHEMA_CHARS} characters` }]);
  const parser = new SchemaParser(schema);
  const field = parser.field(schema, "", 1);
  if (field.type !== "object")
    parser.fail("/type", "must be object: the data of a document is an object of named fields");
  if (parser.errors.length || field.type !== "object") throw invalid(parser.errors);
  return field;
}

function invalid(errors: { pointer: string; message: string }[]): Fault {
  const first = errors[0];
  return new Fault("invalid_schema", {
    detail: first ? `The schema at ${JSON.stringify(first.pointer)} ${first.message}.` : "The schema is not usable.",
    errors,
  });
}

/** Whether a value satisfies the field's own keywords; null always does. */
export function accepts(field: ValueField, value: unknown): boolean {
  if (value === null) return true;
  if (field.choices && !field.choices.includes(value)) return false;
  if (field.type === "string") {
    if (typeof value !== "string") return false;
    const length = Array.from(value).length;
    return length >= field.minLength && length <= field.maxLength && (!field.pattern || field.pattern.test(value));
  }
  if (field.type === "boolean") return typeof value === "boolean";
  if (field.type === "null" || typeof value !== "number" || !Number.isFinite(value)) return false;
  if (field.type === "integer" && !Number.isInteger(value)) return false;
  if (value < field.minimum || value > field.maximum) return false;
  if (value <= field.exclusiveMinimum || value >= field.exclusiveMaximum) return false;
  return field.multipleOf === null || Math.abs(value / field.multipleOf - Math.round(value / field.multipleOf)) < 1e-9;
}
