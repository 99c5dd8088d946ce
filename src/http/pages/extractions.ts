// The visitor's extractions: a list, and what can be done to each.
import { z } from "zod";
import type { App } from "../../app.ts";
import { cancel } from "../../extractions/end.ts";
import { erase } from "../../extractions/erase.ts";
import { type Extraction, findExtraction, isTerminal, listExtractions } from "../../extractions/extractions.ts";
import { redeliver } from "../../webhooks/deliveries.ts";
import { ById } from "../api/extractions.ts";
import type { Server } from "../server.ts";
import { type Html, html } from "./html.ts";
import { sendPage } from "./page.ts";
import { admitVisitor, welcome } from "./visitor.ts";

const statuses = ["queued", "processing", "completed", "failed", "canceled"] as const;
const PER_PAGE = 25;

export function extractionListPages(server: Server, app: App): void {
  server.get(
    "/dashboard/extractions",
    {
      schema: {
        hide: true,
        querystring: z.object({ status: z.enum(statuses).optional(), before: z.uuid().optional() }),
      },
    },
    async (request, reply) => {
      const account = await welcome(app, request, reply);
      if (!account) return reply;
      const { status, before } = request.query;
      const rows = await listExtractions(app, account, { limit: PER_PAGE + 1, before, status });
      const shown = rows.slice(0, PER_PAGE);
      const more = rows.length > PER_PAGE && shown.at(-1)!.id;
      return sendPage(reply, {
        title: "Extractions",
        visitor: account,
        body: html`<div class="bar"><h1>Extractions</h1><a class="button" href="/playground">New extraction</a></div>
<nav class="tabs" aria-label="Filter by state">${filter(undefined, status)}${statuses.map((each) => filter(each, status))}</nav>
${shown.length ? table(shown) : html`<p class="empty">Nothing here yet. <a href="/playground">Try a document in the playground.</a></p>`}
${more && html`<p><a href="?${status ? `status=${status}&` : ""}before=${more}">Older</a></p>`}`,
      });
    },
  );

  const acts: Record<string, (extraction: Extraction) => Promise<string>> = {
    cancel: async (extraction) => {
      if (!isTerminal(extraction.status)) await cancel(app, extraction);
      return `/dashboard/extractions/${extraction.id}`;
    },
    delete: async (extraction) => {
      await erase(app, extraction);
      return "/dashboard/extractions";
    },
    redeliver: async (extraction) => {
      await redeliver(app, extraction.id);
      return `/dashboard/extractions/${extraction.id}#deliveries`;
    },
  };
  for (const [name, act] of Object.entries(acts))
    server.post(
      `/dashboard/extractions/:id/${name}`,
      { schema: { hide: true, params: ById } },
      async (request, reply) => {
        const account = await admitVisitor(app, request);
        return reply.redirect(await act(await findExtraction(app, account, request.params.id)), 303);
      },
    );
}

const filter = (status: string | undefined, current: string | undefined): Html =>
  html`<a href="/dashboard/extractions${status ? `?status=${status}` : ""}" ${status === current && html`aria-current="page"`}>${status ?? "all"}</a>`;

const table = (rows: Extraction[]) => html`<div class="scroll"><table>
<thead><tr><th scope="col">Document</th><th scope="col">State</th><th scope="col">Kind</th><th scope="col" class="number">Pages</th><th scope="col" class="number">Time</th><th scope="col">Sent</th></tr></thead>
<tbody>${rows.map(
  (each) => html`<tr>
<td><a href="/dashboard/extractions/${each.id}">${nameOf(each)}</a></td>
<td>${stateBadge(each.status)}</td>
<td>${each.kind ?? "–"}</td>
<td class="number">${each.pages ?? "–"}</td>
<td class="number">${durationOf(each)}</td>
<td><time datetime="${each.created_at.toISOString()}">${shortTime(each.created_at)}</time></td>
</tr>`,
)}</tbody></table></div>`;

export const nameOf = ({ request }: Extraction) => request?.name ?? request?.url ?? "text";
export const stateBadge = (status: string) => html`<span class="state ${status}">${status}</span>`;
export const shortTime = (time: Date) => time.toISOString().slice(0, 16).replace("T", " ");
export function durationOf({ started_at: from, completed_at: to }: Extraction): string {
  if (!from || !to) return "–";
  const ms = to.getTime() - from.getTime();
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
