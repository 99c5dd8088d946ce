// The four ways to send an extraction become one checked value. Behind this file nothing is unknown.
import type { Readable } from "node:stream";
import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { parseSchema } from "../extract/fields/schema.ts";
import { checkLanguages } from "../extract/ocr/languages.ts";
import type { StoredRequest } from "../extractions/extractions.ts";
import { checkUrl } from "../platform/net/outbound.ts";
import { readJsonBody } from "./json-body.ts";
import { checked, engineOptions, Options, unusable } from "./options.ts";
import type { Server } from "./server.ts";

/** Text sent as a field is held in memory; a longer one is sent as a file. */
const MAX_TEXT_BYTES = 10_000_000;
const MAX_SCHEMA_BYTES = 256 * 1024;
const MAX_FIELDS = 50;

export interface ExtractCall {
  request: StoredRequest;
  password: string | null;
  metadata: unknown;
  isAsync: boolean;
  webhookUrl: string | null;
  /** Null where the document is still behind its url. */
  stored: Stored | null;
  /** A row knows the document now: it stays. */
  keep(): void;
  /** Removes the document from storage unless it is to stay. */
  discard(): Promise<void>;
}

interface Stored {
  size: number;
  sha256: string;
}

/** Everything a request says, before it is checked. */
interface Said {
  fields: Record<string, unknown>;
  file: (Stored & { name: string | null; contentType: string | null }) | null;
}

/** Bodies of this scope are streams: each way reads its own. */
export async function takeDocuments(server: Server): Promise<void> {
  server.removeAllContentTypeParsers();
  await server.register(multipart);
  server.addContentTypeParser("*", async (_request: FastifyRequest, body: Readable) => body);
}

export async function readExtractCall(app: App, request: FastifyRequest): Promise<ExtractCall> {
  let kept = false;
  const discard = async () => {
    if (!kept) await app.blobs.remove(request.id);
  };
  const keep = () => {
    kept = true;
  };
  try {
    const said = await listen(app, request);
    return { ...check(app, await storeText(app, request.id, said)), keep, discard };
  } catch (error) {
    await discard();
    // What nobody reads any more must still be taken off the line, or the caller never gets to read our answer.
    request.raw.unpipe();
    request.raw.resume();
    if (request.raw.destroyed && !request.raw.complete)
      throw new Fault("malformed_request", { detail: "The request ended before all of it was sent.", cause: error });
    throw error;
  }
}

async function listen(app: App, request: FastifyRequest): Promise<Said> {
  const type = (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
  const asBody = Object.hasOwn(ways, type) ? ways[type]! : listenToDocument;
  const query = request.query as Record<string, unknown>;
  if (asBody !== listenToDocument && Object.keys(query).length)
    throw unusable(
      Object.keys(query).map((name) => ({
        pointer: `/${name}`,
        message: "must stand in the body, not in the query string",
      })),
    );
  return asBody(app, request);
}

type Way = (app: App, request: FastifyRequest) => Promise<Said>;

const ways: Record<string, Way> = {
  "multipart/form-data": listenToMultipart,
  "application/json": listenToJson,
  "application/x-www-form-urlencoded": listenToForm,
};

const tooMany = new Set(["FST_PARTS_LIMIT", "FST_FILES_LIMIT", "FST_FIELDS_LIMIT"]);

async function listenToMultipart(app: App, request: FastifyRequest): Promise<Said> {
  const said: Said = { fields: {}, file: null };
  const limits = {
    fields: MAX_FIELDS,
    fieldSize: MAX_TEXT_BYTES,
    fileSize: Number.POSITIVE_INFINITY,
    files: 4,
    parts: MAX_FIELDS + 4,
  };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === "field") {
        if (part.valueTruncated)
          throw new Fault("file_too_large", {
            detail: `${part.fieldname} is longer than ${MAX_TEXT_BYTES} bytes; send it as a file.`,
          });
        addField(said.fields, part.fieldname, part.value);
        continue;
      }
      // curl -F schema=@schema.json sends the schema as a file.
      if (part.fieldname === "schema" || part.fieldname === "metadata") {
        addField(said.fields, part.fieldname, await readText(part.file));
        continue;
      }
      if (part.fieldname !== "file" || said.file) {
        part.file.resume();
        throw unusable([
          {
            pointer: `/${part.fieldname}`,
            message: said.file ? "only one file is taken" : "is not a parameter; the document is sent as file",
          },
        ]);
      }
      const stored = await app.blobs.write(request.id, part.file, { maxBytes: app.config.maxFileBytes });
      said.file = { ...stored, name: part.filename || null, contentType: part.mimetype || null };
    }
  } catch (error) {
    // The parser throws plain errors for what it cannot read; the system's are ours.
    if (error instanceof Fault || (error as NodeJS.ErrnoException).syscall) throw error;
    const { code } = error as { code?: string };
    if (code && tooMany.has(code)) throw unusable([{ pointer: "", message: `has more than ${MAX_FIELDS} fields` }]);
    throw new Fault("malformed_request", { detail: "The multipart body is not well-formed.", cause: error });
  }
  return said;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Many clients write null for what they do not say. */
function withoutNulls(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;
}

function addField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (Object.hasOwn(fields, name)) throw unusable([{ pointer: `/${name}`, message: "is given twice" }]);
  Object.defineProperty(fields, name, { value, enumerable: true, writable: true });
}

async function listenToJson(app: App, request: FastifyRequest): Promise<Said> {
  const body = await readJsonBody(request.body as Readable, { maxBytes: MAX_TEXT_BYTES }, (content) =>
    app.blobs.write(request.id, content, { maxBytes: app.config.maxFileBytes }),
  );
  const Body = z.looseObject({ file: z.strictObject({ name: z.string().optional(), content: z.string() }).optional() });
  const { file, ...fields } = checked(Body, withoutNulls(body.value));
  if (isObject(fields.options)) fields.options = withoutNulls(fields.options);
  return { fields, file: file && body.stored ? { ...body.stored, name: file.name ?? null, contentType: null } : null };
}

async function listenToForm(_app: App, request: FastifyRequest): Promise<Said> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(await readText(bytesOf(request)))) addField(fields, name, value);
  return { fields, file: null };
}

/** The body is the document, whatever its type; everything else stands in the query string. */
async function listenToDocument(app: App, request: FastifyRequest): Promise<Said> {
  if (!request.body) throw unusable([{ pointer: "/file", message: "is required; or send url or text" }]);
  const stored = await app.blobs.write(request.id, bytesOf(request), { maxBytes: app.config.maxFileBytes });
  const contentType = request.headers["content-type"] ?? null;
  return { fields: { ...(request.query as object) }, file: { ...stored, name: null, contentType } };
}

/** Leaving early must not destroy the body: its connection is the one we answer on. */
const bytesOf = (request: FastifyRequest): AsyncIterable<Buffer> =>
  (request.body as Readable).iterator({ destroyOnReturn: false });

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_TEXT_BYTES)
      throw new Fault("file_too_large", {
        detail: `A form is limited to ${MAX_TEXT_BYTES} bytes; send the document as a file.`,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Text is a document like any other from here on. */
async function storeText(app: App, id: string, said: Said): Promise<Said> {
  const { text, ...fields } = said.fields;
  if (text === undefined) return said;
  if (said.file) throw unusable([{ pointer: "/text", message: "goes without file" }]);
  if (typeof text !== "string") throw unusable([{ pointer: "/text", message: "must be a string" }]);
  const bytes = Buffer.from(text);
  const stored = await app.blobs.write(id, [bytes] as unknown as AsyncIterable<Uint8Array>, {
    maxBytes: app.config.maxFileBytes,
  });
  return { fields, file: { ...stored, name: null, contentType: "text/plain; charset=utf-8" } };
}

const json = (value: unknown, context: z.RefinementCtx) => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue("must be JSON");
    return z.NEVER;
  }
};
const small = (value: unknown) => JSON.stringify(value).length <= MAX_SCHEMA_BYTES;

const Fields = z.strictObject({
  url: z.string().optional(),
  schema: z.unknown().transform(json).refine(small, "must be at most 256 KB").optional(),
  metadata: z
    .unknown()
    .transform(json)
    .pipe(z.record(z.string(), z.unknown()))
    .refine(small, "must be at most 256 KB")
    .optional(),
  webhook_url: z.string().optional(),
  options: Options,
});

function check(app: App, said: Said): Omit<ExtractCall, "keep" | "discard"> {
  const { url, schema, metadata, webhook_url: webhookUrl, options } = checked(Fields, unfold(said.fields));
  if (said.file && url !== undefined) throw unusable([{ pointer: "/url", message: "goes without file and text" }]);
  if (!said.file && url === undefined)
    throw unusable([{ pointer: "/file", message: "is required; or send url or text" }]);
  if (said.file?.size === 0) throw new Fault("empty_document");
  const { allowPrivateNetworks: allowPrivate } = app.config;
  const urlProblem = url === undefined ? null : checkUrl(url, { allowPrivate });
  if (urlProblem) throw unusable([{ pointer: "/url", message: urlProblem }]);
  const webhookProblem = webhookUrl === undefined ? null : checkUrl(webhookUrl, { requireHttps: true, allowPrivate });
  if (webhookProblem)
    throw new Fault("invalid_webhook_url", {
      detail: `webhook_url ${webhookProblem}.`,
      errors: [{ pointer: "/webhook_url", message: webhookProblem }],
    });
  if (schema !== undefined) parseSchema(schema);

  if (options.languages) checkLanguages(options.languages);

  const { async: isAsync = false, password = null } = options;
  return {
    request: {
      name: said.file?.name ?? null,
      contentType: said.file?.contentType ?? null,
      url: url ?? null,
      options: engineOptions(options),
      schema: schema ?? null,
      warnings:
        webhookUrl && !isAsync
          ? [{ code: "webhook_url_unused", message: "webhook_url is only used with options[async]=true." }]
          : [],
    },
    password,
    metadata,
    isAsync,
    webhookUrl: webhookUrl ?? null,
    stored: said.file && { size: said.file.size, sha256: said.file.sha256 },
  };
}

/** {"options[async]": "true"} → {"options": {"async": "true"}}. */
function unfold(fields: Record<string, unknown>): Record<string, unknown> {
  const options: Record<string, unknown> = Object.create(null);
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const option = /^options\[(\w+)\]$/.exec(name)?.[1];
    if (option) options[option] = value;
    else others[name] = value;
  }
  if (others.options === undefined) return { ...others, options: { ...options } };
  if (Object.keys(options).length) throw unusable([{ pointer: "/options", message: "is given in two forms" }]);
  return typeof others.options === "string" ? { ...others, options: parseOptions(others.options) } : others;
}

function parseOptions(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusable([{ pointer: "/options", message: "must be JSON, or single options[name] fields" }]);
  }
}
