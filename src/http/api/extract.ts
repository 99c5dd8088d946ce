// POST /api/v1/extract: both modes, one endpoint.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { type ErrorCode, errors, Fault } from "../../errors.ts";
import { asSubmitted, describe } from "../../extractions/envelope.ts";
import { type Extraction, findExtraction, isTerminal, readResult } from "../../extractions/extractions.ts";
import type { Runner } from "../../extractions/runner.ts";
import { queueGuard, type Submission, submit } from "../../extractions/submit.ts";
import { needsKey } from "../openapi.ts";
import { problems } from "../problem.ts";
import { type ExtractCall, readExtractCall, takeDocuments } from "../request.ts";
import type { Server } from "../server.ts";
import { ExtractionView, eraseOnceSent, gateProblems } from "./views.ts";

const MAX_IDEMPOTENCY_KEY = 255;
const RETRY_AFTER_SECONDS = 2;

export async function extractRoutes(server: Server, app: App, runner: Runner): Promise<void> {
  await takeDocuments(server);
  const queue = queueGuard(app);

  server.post(
    "/extract",
    {
      schema: {
        operationId: "extract",
        tags: ["Extractions"],
        summary: "Extract a document",
        description:
          "Send `file`, `url` or `text` as multipart/form-data, JSON, a form, or the document itself as the body with everything else in the query string. The result is the body of a 200; with `options[async]=true` it is posted to `webhook_url`.",
        security: needsKey,
        headers: z.looseObject({
          prefer: z
            .string()
            .optional()
            .describe("`respond-async` answers 202 at once; `wait=N` waits at most N seconds"),
          "idempotency-key": z
            .string()
            .max(MAX_IDEMPOTENCY_KEY)
            .optional()
            .describe("The same key and request give the first answer again, for 24 hours"),
        }),
        response: {
          200: ExtractionView,
          202: ExtractionView,
          ...problems(
            ...gateProblems, "malformed_request", "quota_exceeded", "idempotency_conflict", "extraction_canceled", "gone", "file_too_large", "unsupported_kind", "invalid_request",
            "invalid_schema", "webhook_url_required", "invalid_webhook_url", "idempotency_key_reused", "corrupt_document",
            "encrypted_document", "empty_document", "too_many_pages", "document_too_complex", "unsupported_language", "unfetchable_url",
            "extraction_timeout", "extraction_out_of_memory", "extraction_crashed", "overloaded",
          ), // biome-ignore format: a list of words
        },
      },
    },
    async (request, reply: FastifyReply) => {
      await queue.admit();
      const prefer = readPreference(request);
      const idempotencyKey = (request.headers["idempotency-key"] as string | undefined) || null;
      const call = await readExtractCall(app, request);
      const place = runner.takePlace();
      try {
        const submission = toSubmission(request, call, { ...prefer, idempotencyKey, runHere: place !== null });
        const { extraction, replayed } = await submit(app, submission);
        if (replayed) return await replay(app, reply, extraction, prefer);
        call.keep();
        if (extraction.status === "processing") place!.start(extraction);
        else queue.count();
        if (prefer.respondAsync) reply.header("preference-applied", "respond-async");
        if (call.isAsync || prefer.respondAsync) return accept(reply, asSubmitted(extraction));
        const ended = await runner.waitForEnd(extraction.id, Math.min(app.config.syncWaitMs, prefer.waitMs));
        return await (ended
          ? answer(app, reply, { ...extraction, ...ended }, ended.body)
          : answer(app, reply, await findExtraction(app, request.account, extraction.id)));
      } finally {
        place?.release();
        await call.discard();
      }
    },
  );
}

interface Preference {
  respondAsync: boolean;
  waitMs: number;
}

function readPreference(request: FastifyRequest): Preference {
  const prefer = String(request.headers.prefer ?? "");
  const wait = /(?:^|[,;\s])wait=(\d{1,5})/i.exec(prefer)?.[1];
  return {
    respondAsync: /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(prefer),
    waitMs: wait ? Number(wait) * 1000 : Number.POSITIVE_INFINITY,
  };
}

function toSubmission(
  { id, account }: FastifyRequest,
  { request, password, metadata, isAsync, webhookUrl, stored }: ExtractCall,
  said: Preference & { idempotencyKey: string | null; runHere: boolean },
): Submission {
  const { idempotencyKey, runHere } = said;
  const receiver = webhookUrl ?? (isAsync ? account.webhook_url : null);
  if (isAsync && !receiver && !said.respondAsync)
    throw new Fault("webhook_url_required", {
      errors: [{ pointer: "/webhook_url", message: "is required with options[async]=true" }],
    });
  return { id, account, request, password, metadata, isAsync, webhookUrl: receiver, stored, idempotencyKey, runHere };
}

function accept(reply: FastifyReply, extraction: Extraction): FastifyReply {
  return reply
    .code(202)
    .headers({ location: `/api/v1/extractions/${extraction.id}`, "retry-after": String(RETRY_AFTER_SECONDS) })
    .send(describe(extraction));
}

/** What a synchronous caller is told of an extraction that ended, or goes on. */
async function answer(app: App, reply: FastifyReply, extraction: Extraction, known?: Buffer | null) {
  if (!isTerminal(extraction.status)) return accept(reply, extraction);
  if (extraction.status === "canceled") throw new Fault("extraction_canceled");
  eraseOnceSent(app, reply, extraction);
  if (extraction.status === "failed") {
    const code = extraction.error?.code as ErrorCode;
    return reply.code(errors[code].status).type("application/problem+json").send(JSON.stringify(extraction.error));
  }
  return reply.type("application/json; charset=utf-8").send(known ?? (await readResult(app, extraction.id)));
}

/** The first answer again. */
async function replay(app: App, reply: FastifyReply, extraction: Extraction, { respondAsync }: Preference) {
  const wasAccepted = extraction.is_async || respondAsync;
  if (!wasAccepted && !isTerminal(extraction.status))
    throw new Fault("idempotency_conflict", { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
  reply.headers({ "idempotency-replayed": "true", "x-extract-request-id": extraction.id });
  return wasAccepted ? accept(reply, asSubmitted(extraction)) : answer(app, reply, extraction);
}
