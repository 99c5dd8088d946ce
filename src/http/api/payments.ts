// Where the payment provider sends its events. No API key: the provider signs the raw body.
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { paymentsOf, receiveEvent } from "../../billing/billing.ts";
import { Fault } from "../../errors.ts";
import { problems } from "../problem.ts";
import type { Server } from "../server.ts";

export async function paymentRoutes(server: Server, app: App): Promise<void> {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, body: Buffer) => body);

  server.post(
    "/webhooks/:provider",
    {
      schema: {
        operationId: "receivePaymentEvent",
        tags: ["Billing"],
        summary: "Payment events",
        description:
          "For the payment provider only, which signs the request. Each event counts once, in whatever order they come.",
        params: z.object({ provider: z.string() }),
        response: {
          200: z.object({ received: z.literal(true) }),
          ...problems("invalid_payment_signature", "payment_provider_not_configured", "file_too_large"),
        },
      },
    },
    async (request) => {
      const payments = paymentsOf(app);
      if (request.params.provider !== payments.provider) throw new Fault("payment_provider_not_configured");
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = payments.readEvent(body, request.headers);
      if (!event) throw new Fault("invalid_payment_signature");
      await receiveEvent(app, event);
      return { received: true as const };
    },
  );
}
