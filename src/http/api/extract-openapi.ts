// The four ways to send an extraction, for the OpenAPI document. The route itself reads a stream (request.ts), which no schema
// can describe, so what the document says of it stands here; a test compares the names with those that are taken.
import type { jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { presetNames } from "../../extract/fields/presets.ts";
import { languages } from "../../extract/ocr/languages.ts";
import { parts } from "../../extract/output/result.ts";

type OpenApi = ReturnType<typeof jsonSchemaTransformObject>;

const text = (description: string, more: object = {}) => ({ type: "string", description, ...more });

export const options = {
  async: { type: "boolean", default: false, description: "Run in the background and post the result to `webhook_url`" },
  pages: text("Pages of a PDF, slides or sheets, such as `1-3,7`; all unless said", { examples: ["1-3,7"] }),
  ocr: text("`auto` reads pages without a usable text layer", { enum: ["auto", "always", "never"], default: "auto" }),
  languages: text(`OCR languages, separated by commas: ${languages.join(", ")}`, { default: "eng" }),
  main_content: { type: "boolean", default: true, description: "HTML: the article without the page around it" },
  preset: text("A named schema of ours", { enum: presetNames }),
  password: text("For an encrypted PDF; erased when the extraction ends, never logged", { format: "password" }),
  include: text("Parts of `document` to return, separated by commas", { default: parts.join(",") }),
};

export const fields = {
  url: text("A public http or https address to fetch the document from", { format: "uri" }),
  text: text("The document itself, as text"),
  webhook_url: text("HTTPS address that receives the result of an asynchronous extraction", { format: "uri" }),
};
const schema = "JSON Schema of the fields to find; at most 256 KB";
const metadata = "An object that comes back with the result; at most 256 KB";

/** As single fields of a form or a query string. */
const flat = {
  ...fields,
  schema: text(`${schema}, as JSON text`, { contentMediaType: "application/json" }),
  metadata: text(`${metadata}, as JSON text`, { contentMediaType: "application/json" }),
  ...Object.fromEntries(Object.entries(options).map(([name, option]) => [`options[${name}]`, option])),
};

const file = { type: "string", format: "binary", description: "The document" };

const content = {
  "multipart/form-data": {
    schema: { type: "object", additionalProperties: false, properties: { file, ...flat } },
  },
  "application/json": {
    schema: {
      type: "object",
      additionalProperties: false,
      properties: {
        ...fields,
        file: {
          type: "object",
          additionalProperties: false,
          required: ["content"],
          properties: { name: text("Its file name"), content: text("Its bytes", { contentEncoding: "base64" }) },
        },
        schema: { description: schema },
        metadata: { type: "object", description: metadata },
        options: { type: "object", additionalProperties: false, properties: options },
      },
    },
    examples: { text: { value: { text: "Total: 9.00", schema: { properties: { total: { type: "number" } } } } } },
  },
  "application/x-www-form-urlencoded": {
    schema: { type: "object", additionalProperties: false, properties: flat },
  },
  "application/octet-stream": { schema: { ...file, description: "The document, under its own or any other type" } },
};

/** Only a document sent as the body has its parameters in the query string. */
const { url: _, text: __, ...inQuery } = flat;
const query = Object.entries(inQuery).map(([name, schema]) => ({
  name,
  in: "query",
  description: `${schema.description}. Only where the body is the document itself.`,
  schema,
}));

export function describeExtract(document: OpenApi): OpenApi {
  const operation = (document as { paths?: Record<string, { post?: Record<string, unknown> }> }).paths?.[
    "/api/v1/extract"
  ]?.post;
  if (!operation) return document;
  operation.requestBody = { required: true, description: "Exactly one of `file`, `url` and `text`", content };
  operation.parameters = [...((operation.parameters as object[]) ?? []), ...query];
  return document;
}
