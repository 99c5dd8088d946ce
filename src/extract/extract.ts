// The whole way of a document in one function: detect → read → number → fields → result. Pure: bytes in, result out.

import packageJson from "../../package.json" with { type: "json" };
import { Fault } from "../errors.ts";
import { detect } from "./detect.ts";
import type { Limits, Reading, ReadOptions, Warning } from "./document.ts";
import { findFields } from "./fields/fields.ts";
import { presetSchema } from "./fields/presets.ts";
import { type FieldSchema, parseSchema } from "./fields/schema.ts";
import { numberDocument } from "./output/number.ts";
import { type Part, type PublicDocument, parts, publish } from "./output/result.ts";
import { readerFor } from "./readers/readers.ts";

export type { Part } from "./output/result.ts";

export const engineVersion: string = packageJson.version;

export interface ExtractOptions extends ReadOptions {
  /** A named schema of ours; a schema of the caller's goes before it. */
  preset: string | null;
  include: Part[];
}

export const defaultOptions: ExtractOptions = {
  pages: null,
  ocr: "auto",
  languages: ["eng"],
  main_content: true,
  password: null,
  preset: null,
  include: [...parts],
};

export const defaultLimits: Limits = {
  maxPages: 500,
  // Ten times the largest upload (50 MB): honest office files unpack to 5 to 20 times their size only when they are small.
  maxExpandedBytes: 512 * 1024 * 1024,
};

export interface ExtractRequest {
  bytes: Uint8Array;
  name: string | null;
  contentType: string | null;
  url: string | null;
  options: ExtractOptions;
  /** The caller's JSON Schema, unchecked. */
  schema: unknown | null;
  limits: Limits;
}

export interface Extracted {
  source: { kind: string; mime_type: string };
  document: PublicDocument;
  data: unknown;
  evidence: unknown;
  warnings: Warning[];
  usage: { pages: number };
  engine: { version: string };
}

// A document that goes wrong on each of its pages should not bury the rest of the answer.
const MAX_WARNINGS = 200;

export async function extract(
  request: ExtractRequest,
  progress: (stage: string, done: number, total: number) => void = () => {},
): Promise<Extracted> {
  const { bytes, name, url, options, limits } = request;
  const schema = schemaOf(request);
  const detected = detect(request);
  const warnings: Warning[] = [];
  const reading: Reading = {
    options,
    limits,
    warn: (warning) => void (warnings.length < MAX_WARNINGS && warnings.push(warning)),
    progress,
  };

  progress("read", 0, 1);
  const read = await readerFor(detected.kind);
  const document = numberDocument(
    await read({ bytes, kind: detected.kind, name, url, charset: detected.charset }, reading),
  );
  if (document.elements.length === 0) reading.warn({ code: "no_content", message: "Nothing readable was found." });
  if (schema) progress("fields", 0, 1);
  const fields = schema && findFields({ schema, document });
  for (const warning of fields?.warnings ?? []) reading.warn(warning);

  return {
    source: { kind: detected.kind, mime_type: detected.mimeType },
    document: publish(document, options.include),
    data: fields?.data ?? null,
    evidence: fields?.evidence ?? null,
    warnings,
    usage: { pages: document.pages.length },
    engine: { version: engineVersion },
  };
}

function schemaOf({ schema, options }: ExtractRequest): FieldSchema | null {
  if (schema !== null && schema !== undefined) return parseSchema(schema);
  if (options.preset === null) return null;
  const preset = presetSchema(options.preset);
  if (preset !== undefined) return parseSchema(preset);
  throw new Fault("invalid_request", {
    errors: [{ pointer: "/options/preset", message: `There is no preset ${options.preset}.` }],
  });
}
