// The public shapes, for the OpenAPI document and for those who check our answers against it.
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import type { ErrorCode } from "../../errors.ts";
import { eraseEphemeralResult } from "../../extractions/erase.ts";
import type { Extraction } from "../../extractions/extractions.ts";
import { Problem } from "../problem.ts";

export const gateProblems = [
  "invalid_api_key",
  "email_not_verified",
  "account_suspended",
  "rate_limited",
] as const satisfies ErrorCode[];

/** For accounts that keep nothing: what was sent whole is erased. */
export function eraseOnceSent(app: App, reply: FastifyReply, extraction: Extraction): void {
  reply.raw.once("finish", () => {
    eraseEphemeralResult(app, extraction).catch((error) =>
      app.log.warn({ err: error, extraction: extraction.id }, "a fetched result stays until it expires"),
    );
  });
}

const Box = z.array(z.number()).length(4).nullable().describe("[x0, y0, x1, y1], origin top left, in the page's unit");

const Page = z.looseObject({
  number: z.int(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  unit: z.enum(["pt", "px"]).nullable(),
  rotation: z.int(),
  ocr: z.boolean(),
});

const Element = z.looseObject({
  id: z.string(),
  type: z.enum([
    "title", "heading", "paragraph", "list_item", "table", "figure", "caption", "code", "formula", "header", "footer", "footnote",
  ]), // biome-ignore format: a list of words
  text: z.string(),
  page: z.int(),
  bbox: Box,
});

const Cell = z.looseObject({
  row: z.int(),
  column: z.int(),
  row_span: z.int(),
  column_span: z.int(),
  text: z.string(),
  header: z.boolean(),
  bbox: Box,
});

const Table = z.looseObject({
  id: z.string(),
  page: z.int(),
  bbox: Box,
  rows: z.int(),
  columns: z.int(),
  caption: z.string().nullable(),
  cells: z.array(Cell),
});

const DocumentView = z
  .looseObject({
    title: z.string().nullable(),
    authors: z.array(z.string()),
    language: z.string().nullable(),
    published_at: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    page_count: z.int(),
    text: z.string().optional(),
    markdown: z.string().optional(),
    pages: z.array(Page).optional(),
    elements: z.array(Element).optional(),
    tables: z.array(Table).optional(),
  })
  .meta({ id: "Document" });

const Evidence = z.looseObject({
  state: z.enum(["found", "missing", "ambiguous"]),
  confidence: z.number().nullable().optional(),
  text: z.string().nullable().optional(),
  page: z.int().nullable().optional(),
  bbox: Box.optional(),
  element: z.string().nullable().optional(),
});

export const ExtractionView = z
  .looseObject({
    id: z.uuid(),
    object: z.literal("extraction"),
    status: z.enum(["queued", "processing", "completed", "failed", "canceled"]),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    progress: z.object({ stage: z.string(), pages_done: z.int(), pages_total: z.int() }).optional(),
    source: z.looseObject({
      kind: z.string().nullable(),
      mime_type: z.string().nullable().optional(),
      name: z.string().nullable(),
      size: z.int().nullable(),
      sha256: z.string().nullable(),
      url: z.string().nullable(),
    }),
    document: DocumentView.optional(),
    data: z.unknown().optional().describe("The values your schema asks for; null where the document does not say"),
    evidence: z
      .record(z.string(), Evidence)
      .nullable()
      .optional()
      .describe("Where each value was read, by JSON Pointer"),
    warnings: z.array(z.looseObject({ code: z.string(), message: z.string(), page: z.int().optional() })).optional(),
    usage: z.object({ pages: z.int() }).optional(),
    metadata: z.record(z.string(), z.unknown()),
    engine: z.object({ version: z.string() }).optional(),
    duration_ms: z.number().optional(),
    error: Problem.optional(),
  })
  .meta({ id: "Extraction", description: "One schema for the 200, the webhook body and GET" });
