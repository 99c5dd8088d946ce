// The account as its own API key sees it, and the rotation of its key and webhook secret.
import { z } from "zod";
import { type Account, rateLimitOf, retentionDaysOf, stateOf } from "../../accounts/accounts.ts";
import { rotateKey } from "../../accounts/keys.ts";
import { OVERLAP_MS, rotateWebhookSecret } from "../../accounts/webhook-secret.ts";
import type { App } from "../../app.ts";
import { readUsage, type Usage } from "../../billing/usage.ts";
import { needsKey } from "../openapi.ts";
import { problems } from "../problem.ts";
import type { Server } from "../server.ts";

export const AccountView = z
  .object({
    id: z.uuid(),
    object: z.literal("account"),
    email: z.string(),
    email_verified_at: z.iso.datetime().nullable(),
    status: z.enum(["unverified", "active", "suspended"]),
    plan: z.string(),
    api_key_prefix: z.string().nullable().describe("The first 12 characters of the key"),
    webhook_url: z.string().nullable().describe("Where asynchronous results go when a request names no webhook_url"),
    limits: z.object({
      requests_per_minute: z.int(),
      file_bytes: z.int(),
      pages: z.int(),
      job_seconds: z.number(),
      jobs_at_once: z.int(),
      retention_days: z.int(),
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Account" });

const UsageView = z.object({
  pages: z.int().describe("Pages of completed extractions in this period"),
  quota: z.int().nullable().describe("Pages the plan holds; null where billing is off and no quota applies"),
  period_start: z.iso.datetime(),
  period_end: z.iso.datetime(),
});

const showUsage = ({ pages, quota, start, end }: Usage): z.infer<typeof UsageView> => ({
  pages,
  quota,
  period_start: start.toISOString(),
  period_end: end.toISOString(),
});

export function showAccount(app: App, account: Account): z.infer<typeof AccountView> {
  return {
    id: account.id,
    object: "account",
    email: account.email,
    email_verified_at: account.email_verified_at?.toISOString() ?? null,
    status: stateOf(account),
    plan: account.plan,
    api_key_prefix: account.api_key_prefix,
    webhook_url: account.webhook_url,
    limits: {
      requests_per_minute: rateLimitOf(app, account),
      file_bytes: app.config.maxFileBytes,
      pages: app.config.maxPages,
      job_seconds: app.config.jobTimeoutMs / 1000,
      jobs_at_once: app.config.jobsPerAccount,
      retention_days: retentionDaysOf(app, account),
    },
    created_at: account.created_at.toISOString(),
  };
}

const gateProblems = ["invalid_api_key", "email_not_verified", "account_suspended", "rate_limited"] as const;

export function accountRoutes(server: Server, app: App): void {
  server.get(
    "/account",
    {
      schema: {
        operationId: "getAccount",
        tags: ["Account"],
        summary: "The account of this key",
        security: needsKey,
        response: { 200: AccountView.extend({ usage: UsageView }), ...problems(...gateProblems) },
      },
    },
    async (request) => ({
      ...showAccount(app, request.account),
      usage: showUsage(await readUsage(app, request.account)),
    }),
  );

  server.post(
    "/account/rotate-key",
    {
      schema: {
        operationId: "rotateKey",
        tags: ["Account"],
        summary: "Replace the API key",
        description: "The new key is shown this once. The old one is refused from the very next request on.",
        security: needsKey,
        response: {
          200: z.object({ api_key: z.string(), api_key_prefix: z.string() }),
          ...problems(...gateProblems),
        },
      },
    },
    async (request) => {
      const { key, columns } = await rotateKey(app, request.account, request.ip);
      return { api_key: key, api_key_prefix: columns.api_key_prefix };
    },
  );

  server.post(
    "/account/webhook-secret/rotate",
    {
      schema: {
        operationId: "rotateWebhookSecret",
        tags: ["Account"],
        summary: "Replace the webhook secret",
        description:
          "The new secret signs at once and is shown this once; for 24 hours the old one's signature is sent beside it.",
        security: needsKey,
        response: {
          200: z.object({ webhook_secret: z.string(), previous_valid_until: z.iso.datetime() }),
          ...problems(...gateProblems),
        },
      },
    },
    async (request) => ({
      webhook_secret: await rotateWebhookSecret(app, request.account, request.ip),
      previous_valid_until: new Date(app.clock.now().getTime() + OVERLAP_MS).toISOString(),
    }),
  );
}
