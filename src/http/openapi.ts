// The OpenAPI document, made from the routes' own schemas, and the reference page that shows it.
import { createHash } from "node:crypto";
import swagger from "@fastify/swagger";
import reference from "@scalar/fastify-api-reference";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { App } from "../app.ts";
import { describeExtract } from "./api/extract-openapi.ts";
import type { Server } from "./server.ts";

const description = `Any document in; text, markdown, elements, tables and the fields of your JSON Schema out.

Send your key as \`Authorization: Bearer ext_live_…\`. [Sign up](/register) for one. Every error is
\`application/problem+json\` with one of [these codes](/docs/errors). Every answer carries \`X-Extract-Request-Id\`, and every
answer to a key \`RateLimit-Policy\`, \`RateLimit\` and \`X-RateLimit-Limit\`, \`-Remaining\`, \`-Reset\`. Fields may be added at any
time: ignore those you do not know.`;

export async function documentApi(server: Server, app: App): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Extraction Service", version: app.config.version, description },
      tags: ["Extractions", "Webhooks", "Account", "Billing", "Sign-up", "Health"].map((name) => ({ name })),
      components: {
        securitySchemes: {
          api_key: { type: "http", scheme: "bearer", description: "`Authorization: Bearer ext_live_…`" },
        },
      },
      webhooks: {
        "extraction.completed": announcement(
          "An asynchronous extraction completed",
          "The body of the synchronous 200.",
        ),
        "extraction.failed": announcement(
          "An asynchronous extraction failed",
          "The same envelope with `status` failed and `error`.",
        ),
      },
    },
    transform: jsonSchemaTransform,
    transformObject: (input) => describeExtract(jsonSchemaTransformObject(input)),
  });
  // The address is known for sure only once we listen.
  server.get("/openapi.json", { schema: { hide: true } }, async () => ({
    ...server.swagger(),
    servers: [{ url: app.baseUrl }],
  }));
  await showReference(server);
}

const header = (name: string, text: string) => ({
  name,
  in: "header" as const,
  required: true,
  description: text,
  schema: { type: "string" as const },
});

/** What we send to a webhook_url. */
const announcement = (summary: string, body: string) => ({
  post: {
    summary,
    description: `${body} Sent to \`webhook_url\` at most 3 times: at once, 30 s after the first failure, 120 s after the second. Anything but a 2xx within 30 s is a failure.`,
    tags: ["Webhooks"],
    parameters: [
      header(
        "X-Extract-Signature",
        "`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with your webhook secret",
      ),
      header("X-Extract-Event", "The kind of event"),
      header("X-Extract-Request-Id", "The id of the extraction"),
      header("webhook-id", "The same on every attempt (Standard Webhooks)"),
      header("webhook-timestamp", "Seconds since 1970 (Standard Webhooks)"),
      header("webhook-signature", "`v1,` and the base64 signature (Standard Webhooks)"),
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema: { $ref: "#/components/schemas/Extraction" } } },
    },
    responses: { "2XX": { description: "Taken" }, "401": { description: "The signature does not match" } },
  },
});

/** The script comes from the package, the fonts from the reader's own machine: the page asks nobody but us. */
async function showReference(server: Server): Promise<void> {
  server.addHook("onSend", async (request, reply, payload) => {
    const route = request.routeOptions.url;
    if (route === "/docs/") reply.header("content-security-policy", policyFor(String(payload)));
    // 4 MB that change only with a new version.
    if (route === "/docs/js/scalar.js") reply.header("cache-control", "public, max-age=3600");
    return payload;
  });
  await server.register(reference, {
    routePrefix: "/docs",
    configuration: {
      url: "/openapi.json",
      pageTitle: "API reference · Extraction Service",
      favicon: "/assets/icon.svg",
      authentication: { preferredSecurityScheme: "api_key" },
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never",
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
}

/** The page's one inline script is let in by its hash; its styles are made by the script while it runs. */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => `'sha256-${createHash("sha256").update(script!).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** For every route behind the gate. */
export const needsKey = [{ api_key: [] }];
