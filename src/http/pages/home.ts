// The first page, and the few files the pages need.
import { readFile } from "node:fs/promises";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { findVisitor } from "../gate.ts";
import type { Server } from "../server.ts";
import { html } from "./html.ts";
import { sendPage } from "./page.ts";

const assets: Record<string, string> = {
  "style.css": "text/css; charset=utf-8",
  "copy.js": "text/javascript; charset=utf-8",
  "viewer.js": "text/javascript; charset=utf-8",
  "playground.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

export function homePages(server: Server, app: App): void {
  server.get("/", { schema: { hide: true } }, async (request, reply) =>
    sendPage(reply, {
      title: "Documents in, structured JSON out",
      visitor: await findVisitor(app, request),
      body: html`<h1>Documents in, structured JSON out</h1>
<p>Any document in; clean text, markdown, elements, tables and the fields of your JSON Schema out, each with the place it was read from.</p>
<pre>curl ${app.baseUrl}/api/v1/extract \\
  -H "Authorization: Bearer $API_KEY" \\
  -F file=@invoice.pdf</pre>
<p><a href="/register">Sign up</a>, verify your address, and copy your key from the dashboard.</p>`,
    }),
  );

  server.get<{ Params: { name: string } }>("/assets/:name", { schema: { hide: true } }, async (request, reply) => {
    const type = Object.hasOwn(assets, request.params.name) && assets[request.params.name];
    if (!type) throw new Fault("not_found");
    const file = await readFile(new URL(`../assets/${request.params.name}`, import.meta.url));
    return reply.type(type).header("cache-control", "public, max-age=300").send(file);
  });
}
