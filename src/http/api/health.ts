// For load balancers and people who look whether it lives.
import { timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { problems } from "../problem.ts";
import type { Server, ServerState } from "../server.ts";

const READY_TIMEOUT_MS = 2_000;

export function healthRoutes(server: Server, app: App, state: ServerState): void {
  const startedAt = performance.now();

  server.get(
    "/health",
    {
      schema: {
        operationId: "getHealth",
        tags: ["Health"],
        summary: "Is the process alive?",
        description: "Liveness only: it looks at nothing but the process itself. No key is needed.",
        response: { 200: z.object({ status: z.literal("ok"), version: z.string(), uptime_seconds: z.number() }) },
      },
    },
    async () => ({
      status: "ok" as const,
      version: app.config.version,
      uptime_seconds: Math.round((performance.now() - startedAt) / 1000),
    }),
  );

  server.get(
    "/ready",
    {
      schema: {
        operationId: "getReadiness",
        tags: ["Health"],
        summary: "Can it take requests?",
        description: "Looks at the database and its migrations; 503 while starting, stopping or cut off.",
        response: { 200: z.object({ status: z.literal("ready") }), ...problems("not_ready") },
      },
    },
    async () => {
      if (state.draining) throw notReady("The service is stopping.");
      const answers = AbortSignal.timeout(READY_TIMEOUT_MS);
      const ready = await Promise.race([
        sql`SELECT 1`.execute(app.db).then(() => app.database.isMigrated()),
        new Promise<never>((_, reject) => answers.addEventListener("abort", () => reject(answers.reason))),
      ]).catch(() => null);
      if (ready === null) throw notReady("The database does not answer.");
      if (!ready) throw notReady("The database is not migrated yet.");
      return { status: "ready" as const };
    },
  );

  server.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    const expected = Buffer.from(`Bearer ${app.config.metricsToken}`);
    const given = Buffer.from(request.headers.authorization ?? "");
    const admitted = app.config.metricsToken && given.length === expected.length && timingSafeEqual(given, expected);
    if (!admitted) throw new Fault("not_found");
    return reply.type(app.metrics.registry.contentType).send(await app.metrics.registry.metrics());
  });
}

const notReady = (detail: string) => new Fault("not_ready", { detail, headers: { "retry-after": "2" } });
