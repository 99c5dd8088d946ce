// Whether what findFields returns is true to its schema and its document: every leaf explained, nothing invented.

import type { NumberedDocument } from "../../../src/extract/document.ts";
import type { Evidence, Place } from "../../../src/extract/fields/evidence.ts";
import type { FieldsResult } from "../../../src/extract/fields/fields.ts";
import type { Field } from "../../../src/extract/fields/schema.ts";

/** Pointers of all leaves that hold a value. */
export function filled(data: unknown, pointer = ""): string[] {
  if (data === null || data === undefined) return [];
  if (Array.isArray(data)) return data.flatMap((item, i) => filled(item, `${pointer}/${i}`));
  if (typeof data !== "object") return [pointer];
  return Object.entries(data).flatMap(([key, value]) =>
    filled(value, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

function stands(place: Place, document: NumberedDocument): string | null {
  const element = document.elements.find((other) => other.id === place.element);
  if (!element) return `no element ${place.element}`;
  const page = element.table?.page ?? element.page;
  if (page !== place.page) return `page ${place.page} is not ${page}`;
  const texts = element.table
    ? element.table.cells
        .filter((cell) => cell.row === place.row && cell.column === place.column)
        .map((cell) => cell.text)
    : [element.text];
  const text = texts[0];
  if (text === undefined) return `no cell ${place.row}, ${place.column}`;
  if (place.range && text.slice(...place.range) !== place.text) return `"${place.text}" is not at ${place.range}`;
  return text.includes(place.text) ? null : `"${place.text}" does not stand in "${text.slice(0, 80)}"`;
}

/** What is wrong with the result, in words; empty when all is well. */
export function faults(result: FieldsResult, schema: Field, document: NumberedDocument): string[] {
  const out: string[] = [];
  for (const pointer of filled(result.data)) {
    const evidence = result.evidence[pointer] as Evidence | undefined;
    if (!evidence || evidence.state === "missing") {
      out.push(`${pointer}: a value without evidence`);
      continue;
    }
    if (!(evidence.confidence > 0 && evidence.confidence <= 1))
      out.push(`${pointer}: confidence ${evidence.confidence}`);
    for (const place of evidence.parts ?? [evidence as Place]) {
      const wrong = stands(place, document);
      if (wrong) out.push(`${pointer}: ${wrong}`);
    }
  }
  const has = new Set(filled(result.data));
  for (const [pointer, evidence] of Object.entries(result.evidence)) {
    if (evidence.state !== "missing" && !has.has(pointer)) out.push(`${pointer}: evidence without a value`);
  }
  shape(schema, result.data, "", out);
  return out;
}

/** Every property of the schema is there, and nothing else. */
function shape(field: Field, data: unknown, pointer: string, out: string[]): void {
  if (data === null) return;
  if (field.type === "object") {
    if (typeof data !== "object" || Array.isArray(data)) return void out.push(`${pointer}: not an object`);
    const names = field.properties.map((property) => property.name).sort();
    if (JSON.stringify(Object.keys(data).sort()) !== JSON.stringify(names))
      out.push(`${pointer}: properties ${Object.keys(data)}`);
    for (const property of field.properties)
      shape(property.field, (data as Record<string, unknown>)[property.name], `${pointer}/${property.name}`, out);
  } else if (field.type === "array") {
    if (!Array.isArray(data)) return void out.push(`${pointer}: not an array`);
    data.forEach((item, i) => void shape(field.items, item, `${pointer}/${i}`, out));
  }
}
