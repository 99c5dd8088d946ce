// Extractions after they were sent: state, result, list, cancel, delete.
import { z } from "zod";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { cancel } from "../../extractions/end.ts";
import { describe } from "../../extractions/envelope.ts";
import { erase, eraseEphemeralInput } from "../../extractions/erase.ts";
import { findExtraction, isTerminal, listExtractions, readResult } from "../../extractions/extractions.ts";
import type { Runner } from "../../extractions/runner.ts";
import { needsKey } from "../openapi.ts";
import { problems } from "../problem.ts";
import type { Server } from "../server.ts";
import { ExtractionView, eraseOnceSent, gateProblems } from "./views.ts";

const MAX_WAIT_SECONDS = 60;
const MAX_LIST = 100;

export const ById = z.object({ id: z.uuid() });

export function extractionRoutes(server: Server, app: App, runner: Runner): void {
  server.get(
    "/extractions/:id",
    {
      schema: {
        operationId: "getExtraction",
        tags: ["Extractions"],
        summary: "State, progress, and the result when done",
        description: "`?wait=30` answers as soon as it has ended, or after 30 seconds.",
        security: needsKey,
        params: ById,
        querystring: z.strictObject({ wait: z.coerce.number().int().min(0).max(MAX_WAIT_SECONDS).default(0) }),
        response: { 200: ExtractionView, ...problems(...gateProblems, "not_found", "gone", "invalid_request") },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      let extraction = await findExtraction(app, request.account, id);
      if (!isTerminal(extraction.status) && request.query.wait > 0) {
        await runner.waitForEnd(id, request.query.wait * 1000);
        extraction = await findExtraction(app, request.account, id);
      }
      reply.header("x-extract-request-id", id);
      if (extraction.status !== "completed" && extraction.status !== "failed")
        return reply.send(describe(extraction) as never);
      const body = await readResult(app, extraction.id);
      eraseOnceSent(app, reply, extraction);
      return reply.type("application/json; charset=utf-8").send(body as never);
    },
  );

  server.get(
    "/extractions",
    {
      schema: {
        operationId: "listExtractions",
        tags: ["Extractions"],
        summary: "Extractions, newest first",
        security: needsKey,
        querystring: z.strictObject({
          limit: z.coerce.number().int().min(1).max(MAX_LIST).default(20),
          cursor: z.uuid().optional().describe("`next_cursor` of the page before"),
          status: z.enum(["queued", "processing", "completed", "failed", "canceled"]).optional(),
        }),
        response: {
          200: z.object({
            object: z.literal("list"),
            data: z.array(ExtractionView),
            has_more: z.boolean(),
            next_cursor: z.string().nullable(),
          }),
          ...problems(...gateProblems, "invalid_request"),
        },
      },
    },
    async (request) => {
      const { limit, cursor, status } = request.query;
      const rows = await listExtractions(app, request.account, { limit: limit + 1, before: cursor, status });
      const shown = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return {
        object: "list" as const,
        data: shown.map(describe) as never[],
        has_more: hasMore,
        next_cursor: hasMore ? shown.at(-1)!.id : null,
      };
    },
  );

  server.post(
    "/extractions/:id/cancel",
    {
      schema: {
        operationId: "cancelExtraction",
        tags: ["Extractions"],
        summary: "Cancel, also while it runs",
        security: needsKey,
        params: ById,
        response: { 200: ExtractionView, ...problems(...gateProblems, "not_found", "extraction_ended", "gone") },
      },
    },
    async (request) => {
      const extraction = await findExtraction(app, request.account, request.params.id);
      if (isTerminal(extraction.status))
        throw new Fault("extraction_ended", { detail: `The extraction is ${extraction.status}.` });
      await cancel(app, extraction);
      await eraseEphemeralInput(app, extraction);
      return describe(await findExtraction(app, request.account, request.params.id)) as never;
    },
  );

  server.delete(
    "/extractions/:id",
    {
      schema: {
        operationId: "deleteExtraction",
        tags: ["Extractions"],
        summary: "Erase input and result at once",
        description: "One that runs is canceled. Afterwards the id answers 410.",
        security: needsKey,
        params: ById,
        response: { 204: z.null().describe("Erased"), ...problems(...gateProblems, "not_found", "gone") },
      },
    },
    async (request, reply) => {
      await erase(app, await findExtraction(app, request.account, request.params.id));
      return reply.code(204).send(null);
    },
  );
}
