// The first page: what it is, shown on a document of our own. And the few files the pages need.
import { readFile } from "node:fs/promises";
import invoice from "../../../examples/invoice.json" with { type: "json" };
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { findVisitor } from "../gate.ts";
import type { Server } from "../server.ts";
import { html } from "./html.ts";
import { sendPage } from "./page.ts";

const script = "text/javascript; charset=utf-8";
const assets: Record<string, string> = {
  "style.css": "text/css; charset=utf-8",
  "copy.js": script,
  "viewer.js": script,
  "playground.js": script,
  "icon.svg": "image/svg+xml",
  "invoice.webp": "image/webp",
};

export function homePages(server: Server, app: App): void {
  server.get("/", { schema: { hide: true } }, async (request, reply) => {
    const visitor = await findVisitor(app, request);
    return sendPage(reply, {
      title: "Documents in, structured JSON out",
      visitor,
      body: home(app, visitor !== undefined),
    });
  });

  server.get<{ Params: { name: string } }>("/assets/:name", { schema: { hide: true } }, async (request, reply) => {
    const type = Object.hasOwn(assets, request.params.name) && assets[request.params.name];
    if (!type) throw new Fault("not_found");
    const file = await readFile(new URL(`../assets/${request.params.name}`, import.meta.url));
    return reply.type(type).header("cache-control", "public, max-age=300").send(file);
  });
}

const home = (app: App, signedIn: boolean) => html`<section class="hero"><h1>Documents in, structured JSON out</h1>
<p>Send any document. Get clean text, markdown, elements and tables, and the fields of your own JSON Schema, each with the place it was read from.</p>
<p class="actions">${signedIn ? html`<a class="button" href="/playground">Try a document</a>` : html`<a class="button" href="/register">Get an API key</a>`}
<a class="button quiet" href="/guides/quick-start">Quick start</a></p></section>
<pre tabindex="0">curl ${app.baseUrl}/api/v1/extract \\
  -H "Authorization: Bearer $API_KEY" \\
  -F file=@invoice.pdf -F schema=@invoice.schema.json</pre>
<section class="showcase" aria-label="An example">
<figure class="page"><img src="/assets/invoice.webp" width="595" height="842" alt="An invoice; the values that were found are boxed">${boxes()}</figure>
<pre tabindex="0" aria-label="Its JSON">${JSON.stringify({ data: invoice.data, evidence: { "/total": invoice.evidence["/total"], "…": "one for every value" } }, null, 2)}</pre>
</section>
<section class="cards">
<div class="card"><h2>Nothing invented</h2><p>A value that is not in the document is null. Each one that is carries its page, its box, its text and how sure we are.</p></div>
<div class="card"><h2>Nothing lost</h2><p>Every request ends. A reader that hangs or crashes costs one document; a machine that dies costs half a minute.</p></div>
<div class="card"><h2>Nothing leaves</h2><p>It runs offline on one machine from one command, or on many over PostgreSQL. The same bytes give the same JSON.</p></div>
</section>`;

const boxes = () =>
  html`<svg viewBox="0 0 595 842" aria-hidden="true">${Object.values(invoice.evidence).map(({ bbox }) => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bbox;
    return html`<rect class="field" x="${x0}" y="${y0}" width="${(x1 - x0).toFixed(2)}" height="${(y1 - y0).toFixed(2)}"></rect>`;
  })}</svg>`;
