// Webhooks as their owner sees them: every attempt, sending again, a test event, and why a signature does not match.
import { z } from "zod";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { findExtraction } from "../../extractions/extractions.ts";
import { checkUrl } from "../../platform/net/outbound.ts";
import { type DeliveryLog, findDelivery, findSentBody, listDeliveries, redeliver } from "../../webhooks/deliveries.ts";
import { explainSignature } from "../../webhooks/explain-signature.ts";
import { sendTestEvent } from "../../webhooks/test-event.ts";
import { needsKey } from "../openapi.ts";
import { problems } from "../problem.ts";
import type { Server } from "../server.ts";
import { ById } from "./extractions.ts";
import { gateProblems } from "./views.ts";

const AttemptView = z.object({
  started_at: z.iso.datetime(),
  duration_ms: z.int().nullable(),
  status: z.int().nullable().describe("Of the receiver's answer; null when there was none"),
  answer: z.string().nullable().describe("The first 4 KB of the receiver's answer"),
  error: z.string().nullable(),
  by_hand: z.boolean(),
});

const DeliveryView = z
  .object({
    id: z.uuid().describe("The event's id, the same on every attempt"),
    object: z.literal("delivery"),
    event: z.string(),
    url: z.string(),
    status: z.enum(["pending", "delivered", "failed"]),
    next_attempt_at: z.iso.datetime().nullable().describe("Null once it has ended, and while an attempt is under way"),
    created_at: z.iso.datetime(),
    attempts: z.array(AttemptView).describe("Oldest first"),
  })
  .meta({ id: "Delivery" });

function show({ delivery, attempts }: DeliveryLog): z.infer<typeof DeliveryView> {
  return {
    id: delivery.id,
    object: "delivery",
    event: delivery.event,
    url: delivery.url,
    status: delivery.status,
    next_attempt_at: delivery.status === "pending" && !delivery.unrecorded ? delivery.run_at.toISOString() : null,
    created_at: delivery.created_at.toISOString(),
    attempts: attempts.map((attempt) => ({
      started_at: attempt.started_at.toISOString(),
      duration_ms: attempt.duration_ms,
      status: attempt.status,
      answer: attempt.answer?.toString("utf8") ?? null,
      error: attempt.error,
      by_hand: attempt.by_hand,
    })),
  };
}

export function deliveryRoutes(server: Server, app: App): void {
  server.get(
    "/extractions/:id/deliveries",
    {
      schema: {
        operationId: "listDeliveries",
        tags: ["Webhooks"],
        summary: "The events of an extraction, with every attempt",
        security: needsKey,
        params: ById,
        response: {
          200: z.object({ object: z.literal("list"), data: z.array(DeliveryView) }),
          ...problems(...gateProblems, "not_found", "gone"),
        },
      },
    },
    async (request) => {
      const extraction = await findExtraction(app, request.account, request.params.id);
      return { object: "list" as const, data: (await listDeliveries(app, extraction.id)).map(show) };
    },
  );

  server.post(
    "/extractions/:id/redeliver",
    {
      schema: {
        operationId: "redeliver",
        tags: ["Webhooks"],
        summary: "Send the event again",
        description: "One attempt by hand, with the same event id and the same body.",
        security: needsKey,
        params: ById,
        response: {
          202: z.object({ object: z.literal("list"), data: z.array(DeliveryView) }),
          ...problems(...gateProblems, "not_found", "delivery_pending", "gone"),
        },
      },
    },
    async (request, reply) => {
      const extraction = await findExtraction(app, request.account, request.params.id);
      await redeliver(app, extraction.id);
      reply.code(202);
      return { object: "list" as const, data: (await listDeliveries(app, extraction.id)).map(show) };
    },
  );

  server.get(
    "/deliveries/:id",
    {
      schema: {
        operationId: "getDelivery",
        tags: ["Webhooks"],
        summary: "One event by its id, with every attempt",
        description: "The id is the `webhook-id` header. Test events, which belong to no extraction, are found here.",
        security: needsKey,
        params: ById,
        response: { 200: DeliveryView, ...problems(...gateProblems, "not_found") },
      },
    },
    async (request) => show(await findDelivery(app, request.account.id, request.params.id)),
  );

  server.post(
    "/account/test-event",
    {
      schema: {
        operationId: "sendTestEvent",
        tags: ["Webhooks"],
        summary: "Send a sample event",
        description:
          "A signed `extraction.completed` with `metadata.test` true, to your default webhook URL or the one you name.",
        security: needsKey,
        body: z.strictObject({ webhook_url: z.string().optional() }).nullish(),
        response: {
          202: z.object({ event_id: z.uuid(), url: z.string() }),
          ...problems(
            ...gateProblems,
            "webhook_url_required",
            "invalid_webhook_url",
            "malformed_request",
            "invalid_request",
          ),
        },
      },
    },
    async (request, reply) => {
      const url = request.body?.webhook_url ?? request.account.webhook_url;
      if (!url) throw new Fault("webhook_url_required");
      const problem = checkUrl(url, { requireHttps: true, allowPrivate: app.config.allowPrivateNetworks });
      if (problem) throw new Fault("invalid_webhook_url", { detail: `webhook_url ${problem}.` });
      reply.code(202);
      return { event_id: await sendTestEvent(app, request.account.id, url), url };
    },
  );

  server.post(
    "/account/explain-signature",
    {
      schema: {
        operationId: "explainSignature",
        tags: ["Webhooks"],
        summary: "Why a signature does not match",
        description:
          "Send what your receiver got: the raw body as text, and the headers. The answer says what went wrong with them on the way. A body is taken up to 1 MB.",
        security: needsKey,
        body: z.strictObject({ body: z.string(), headers: z.record(z.string(), z.string()) }),
        response: {
          200: z.object({
            matches: z.boolean(),
            mistakes: z.array(z.object({ code: z.string(), message: z.string() })),
          }),
          ...problems(...gateProblems, "malformed_request", "invalid_request"),
        },
      },
    },
    async (request) => {
      const { body, headers } = request.body;
      const { webhook_secret: current, webhook_secret_previous: previous } = request.account;
      const id = Object.entries(headers)
        .find(([name]) => name.trim().toLowerCase() === "webhook-id")?.[1]
        .trim();
      return explainSignature({
        body,
        headers,
        // The old secret long after its day, too: that nobody changed it in the receiver is what is to be found out.
        secrets: { current: app.secrets.unseal(current), previous: previous && app.secrets.unseal(previous) },
        sent: z.uuid().safeParse(id).success ? await findSentBody(app, request.account.id, id!) : undefined,
      });
    },
  );
}
