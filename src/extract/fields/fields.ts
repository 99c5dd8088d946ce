// Schema and document in, data and evidence out. Every non-null leaf has evidence whose text stands in the document.

import type { NumberedDocument, Warning } from "../document.ts";
import { type Evidence, missing } from "./evidence.ts";
import { escapePointer, type Field, type FieldSchema } from "./schema.ts";

export interface FieldsRequest {
  schema: FieldSchema;
  document: NumberedDocument;
}

export interface FieldsResult {
  data: unknown;
  evidence: Record<string, Evidence>;
  warnings: Warning[];
}

export function findFields(request: FieldsRequest): FieldsResult {
  const evidence: Record<string, Evidence> = {};
  return { data: empty(request.schema, "", evidence), evidence, warnings: [] };
}

function empty(field: Field, pointer: string, evidence: Record<string, Evidence>): unknown {
  if (field.type === "object") {
    return Object.fromEntries(
      field.properties.map(({ name, field: inner }) => [
        name,
        empty(inner, `${pointer}/${escapePointer(name)}`, evidence),
      ]),
    );
  }
  evidence[pointer] = missing();
  return null;
}
