// The pages that `type` in a problem points to, and the API reference.
import { z } from "zod";
import type { App } from "../../app.ts";
import { type ErrorCode, errors, Fault } from "../../errors.ts";
import type { Server } from "../server.ts";
import { html } from "./html.ts";
import { sendPage } from "./page.ts";

export function docsPages(server: Server, _app: App): void {
  server.get("/docs/errors", { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, {
      title: "Errors",
      body: html`<h1>Errors</h1><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes.</p>
<table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>
${Object.entries(errors).map(([code, { status, title }]) => html`<tr><td><a href="/docs/errors/${code}">${code}</a></td><td>${status}</td><td>${title}</td></tr>`)}
</tbody></table>`,
    }),
  );

  server.get(
    "/docs/errors/:code",
    { schema: { hide: true, params: z.object({ code: z.string() }) } },
    async (request, reply) => {
      const { code } = request.params;
      if (!Object.hasOwn(errors, code)) throw new Fault("not_found");
      const { status, title, retryable, advice } = errors[code as ErrorCode];
      return sendPage(reply, {
        title: code,
        body: html`<h1><code>${code}</code></h1><p><strong>${title}.</strong></p><p>${advice}</p>
<p class="faint">HTTP status ${status}. ${retryable ? "The same request may succeed later." : "The same request will fail again until something changes."}</p>
<p><a href="/docs/errors">All errors</a></p>`,
      });
    },
  );
}
