// One extraction to look at: its pages with boxes drawn on them, its fields, tables, markdown and JSON, and its deliveries.
// The document itself never becomes part of our page's HTML: the browser builds the view from the JSON.
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { isVisible } from "../../extract/render.ts";
import { type Extraction, findExtraction, isTerminal, readResult } from "../../extractions/extractions.ts";
import type { Looking } from "../../extractions/look.ts";
import { type Attempt, type Delivery, listDeliveries } from "../../webhooks/deliveries.ts";
import { ById } from "../api/extractions.ts";
import { findVisitor } from "../gate.ts";
import type { Server } from "../server.ts";
import { durationOf, nameOf, shortTime, stateBadge } from "./extractions.ts";
import { html } from "./html.ts";
import { sendPage } from "./page.ts";
import { welcome } from "./visitor.ts";

export function extractionPages(server: Server, app: App, looking: Looking): void {
  server.get("/dashboard/extractions/:id", { schema: { hide: true, params: ById } }, async (request, reply) => {
    const account = await welcome(app, request, reply as FastifyReply);
    if (!account) return reply;
    const extraction = await findExtraction(app, account, request.params.id);
    const deliveries = await listDeliveries(app, extraction.id);
    return sendPage(reply as FastifyReply, {
      title: nameOf(extraction),
      visitor: account,
      scripts: extraction.status === "completed" ? ["viewer.js"] : [],
      refreshSeconds: isTerminal(extraction.status) ? undefined : 1,
      wide: true,
      body: html`${head(extraction)}${body(extraction)}${deliveries.length > 0 && showDeliveries(extraction, deliveries)}`,
    });
  });

  server.get(
    "/dashboard/extractions/:id/result.json",
    { schema: { hide: true, params: ById } },
    async (request, reply) => {
      const account = await findVisitor(app, request);
      if (!account) throw new Fault("invalid_credentials");
      const extraction = await findExtraction(app, account, request.params.id);
      const file = `${extraction.id}.json`;
      return reply
        .type("application/json; charset=utf-8")
        .header("content-disposition", `inline; filename="${file}"`)
        .send(await readResult(app, extraction.id));
    },
  );

  server.get(
    "/dashboard/extractions/:id/pages/:page",
    {
      schema: {
        hide: true,
        params: ById.extend({ page: z.coerce.number().int().min(1).max(100_000) }),
        querystring: z.object({
          rotation: z.coerce
            .number()
            .pipe(z.literal([0, 90, 180, 270]))
            .default(0),
        }),
      },
    },
    async (request, reply) => {
      const account = await findVisitor(app, request);
      if (!account) throw new Fault("invalid_credentials");
      const extraction = await findExtraction(app, account, request.params.id);
      if (!isVisible(extraction.kind)) throw new Fault("not_found");
      const picture = await looking.picture(extraction, request.params.page, request.query.rotation);
      return reply.type("image/webp").header("cache-control", "private, max-age=3600").send(picture);
    },
  );
}

const head = (extraction: Extraction) => html`<p><a href="/dashboard/extractions">Extractions</a></p>
<div class="bar"><h1>${nameOf(extraction)}</h1><div class="actions">
${
  isTerminal(extraction.status)
    ? html`<a class="button quiet" href="/dashboard/extractions/${extraction.id}/result.json" download="${extraction.id}.json">Download JSON</a>`
    : html`<form method="post" action="/dashboard/extractions/${extraction.id}/cancel"><button class="quiet">Cancel</button></form>`
}
<form method="post" action="/dashboard/extractions/${extraction.id}/delete"><button class="quiet danger">Delete</button></form></div></div>
<p class="facts">${stateBadge(extraction.status)} <span>${extraction.kind ?? "kind unknown"}</span> <span>${extraction.pages ?? "–"} pages</span>
<span>${durationOf(extraction)}</span> <time datetime="${extraction.created_at.toISOString()}">${shortTime(extraction.created_at)} UTC</time> <code>${extraction.id}</code></p>`;

function body(extraction: Extraction) {
  if (extraction.status === "completed")
    return html`<div id="viewer" data-id="${extraction.id}" data-visible="${isVisible(extraction.kind) ? "true" : "false"}">
<div class="pages" aria-label="Pages"></div>
<div class="side">
<div class="tabs" role="tablist" aria-label="Views"></div>
<div class="panel" role="tabpanel" tabindex="0"><p class="faint">Loading the result …</p><noscript><p>The viewer needs JavaScript. The <a href="/dashboard/extractions/${extraction.id}/result.json">JSON</a> does not.</p></noscript></div>
</div></div>`;
  if (extraction.status === "failed") {
    const { code, detail } = extraction.error as { code: string; detail: string };
    return html`<p class="notice" role="alert"><strong>${detail}</strong> <a href="/docs/errors/${code}">${code}</a></p>`;
  }
  if (extraction.status === "canceled") return html`<p class="notice">It was canceled before it ended.</p>`;
  const { stage = "waiting", pages_done: done = 0, pages_total: total = 0 } = extraction.progress ?? {};
  return html`<p role="status">Working: ${stage}${total > 1 && html`, page ${done} of ${total}`} …</p><progress ${total > 0 && html`value="${done}" max="${total}"`}></progress>`;
}

const showDeliveries = (
  extraction: Extraction,
  list: { delivery: Delivery; attempts: Attempt[] }[],
) => html`<section id="deliveries">
<div class="bar"><h2>Deliveries</h2><form method="post" action="/dashboard/extractions/${extraction.id}/redeliver"><button class="quiet">Send again</button></form></div>
${list.map(
  ({
    delivery,
    attempts,
  }) => html`<p>${stateBadge(delivery.status)} <code>${delivery.event}</code> to <code>${delivery.url}</code>
${delivery.status === "pending" && html`<span class="faint">next attempt ${shortTime(delivery.run_at)} UTC</span>`}</p>
<div class="scroll"><table><thead><tr><th scope="col">Attempt</th><th scope="col">Status</th><th scope="col" class="number">Time</th><th scope="col">Answer</th></tr></thead><tbody>
${attempts.map(
  (
    attempt,
  ) => html`<tr><td>${shortTime(attempt.started_at)}${attempt.by_hand && " (by hand)"}</td><td>${attempt.status ?? "none"}</td><td class="number">${attempt.duration_ms ?? "–"} ms</td>
<td>${attempt.error}${attempt.answer && html`<details><summary>${attempt.answer.length} bytes</summary><pre>${attempt.answer.toString("utf8")}</pre></details>`}</td></tr>`,
)}
</tbody></table></div>`,
)}</section>`;
