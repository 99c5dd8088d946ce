// Try a document: a file, an address or a text, with options and a schema; the answer is the extraction's own page.

import { readFile } from "node:fs/promises";
import type { FastifyReply } from "fastify";
import type { Account } from "../../accounts/accounts.ts";
import { throttle } from "../../accounts/sessions.ts";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { presetNames } from "../../extract/fields/presets.ts";
import type { Runner } from "../../extractions/runner.ts";
import { submit } from "../../extractions/submit.ts";
import { type ExtractCall, readExtractCall, takeDocuments } from "../request.ts";
import type { Server } from "../server.ts";
import { html } from "./html.ts";
import { notice, sendPage } from "./page.ts";
import { admitVisitor, welcome } from "./visitor.ts";

const MINUTE_MS = 60_000;
const TRIES_PER_MINUTE = 60;

/** Documents of our own to try with. */
const samples: Record<string, { title: string; file: string; preset: string }> = {
  invoice: { title: "An invoice (PDF)", file: "invoice.pdf", preset: "invoice" },
  receipt: { title: "A receipt (text)", file: "receipt.txt", preset: "receipt" },
  article: { title: "An article (HTML)", file: "article.html", preset: "article" },
};

export async function playgroundPages(server: Server, app: App, runner: Runner): Promise<void> {
  server.get("/playground", { schema: { hide: true } }, async (request, reply) => {
    const account = await welcome(app, request, reply);
    return account ? showPlayground(app, reply, account) : reply;
  });

  server.get<{ Params: { name: string } }>("/samples/:name", { schema: { hide: true } }, async (request, reply) => {
    const sample = Object.values(samples).find(({ file }) => file === request.params.name);
    if (!sample) throw new Fault("not_found");
    const bytes = await readFile(new URL(`../../../examples/${sample.file}`, import.meta.url));
    // Never as a page of ours: what is in a document must not run in our origin.
    return reply
      .type("application/octet-stream")
      .header("content-disposition", `attachment; filename="${sample.file}"`)
      .send(bytes);
  });

  await server.register(async (scope) => {
    await takeDocuments(scope as Server);
    scope.post("/playground", { schema: { hide: true } }, async (request, reply) => {
      const account = await admitVisitor(app, request);
      await throttle(app, `playground:${account.id}`, TRIES_PER_MINUTE, MINUTE_MS);
      const place = runner.takePlace();
      let call: ExtractCall | undefined;
      try {
        call = await readExtractCall(app, request);
        const { extraction } = await submit(app, {
          id: request.id,
          account,
          ...call,
          idempotencyKey: null,
          runHere: place !== null,
        });
        call.keep();
        if (extraction.status === "processing") place?.start(extraction);
        return reply.redirect(`/dashboard/extractions/${extraction.id}`, 303);
      } catch (error) {
        if (!(error instanceof Fault) || error.status >= 500) throw error;
        return showPlayground(app, reply.code(error.status), account, error.message);
      } finally {
        place?.release();
        await call?.discard();
      }
    });
  });
}

function showPlayground(app: App, reply: FastifyReply, visitor: Account, problem?: string) {
  return sendPage(reply, {
    title: "Playground",
    visitor,
    scripts: ["playground.js"],
    body: html`<h1>Playground</h1>${notice(problem)}
<form id="playground" method="post" action="/playground" enctype="multipart/form-data" data-base="${app.baseUrl}">
<fieldset><legend>Document</legend>
<label class="drop">A file<input type="file" name="file"></label>
<label>… or a public address<input type="url" name="url" placeholder="https://example.com/report.pdf"></label>
<label>… or a text<textarea name="text" rows="3"></textarea></label>
<p class="faint">Nothing at hand? ${Object.entries(samples).map(([id, { title, file, preset }]) => html`<button type="button" class="link" id="sample-${id}" data-sample="/samples/${file}" data-preset="${preset}">${title}</button> `)}</p>
</fieldset>
<fieldset><legend>Fields</legend>
<label>Preset<select name="options[preset]"><option value="">none</option>${presetNames.map((name) => html`<option>${name}</option>`)}</select></label>
<label>… or your own JSON Schema<textarea name="schema" rows="6" spellcheck="false" placeholder='{"type": "object", "properties": {"total": {"type": "number"}}}'></textarea></label>
</fieldset>
<details><summary>Options</summary><div class="grid-form">
<label>Pages<input name="options[pages]" placeholder="1-3,7"></label>
<label>OCR<select name="options[ocr]"><option>auto</option><option>always</option><option>never</option></select></label>
<label>Languages<input name="options[languages]" placeholder="eng"></label>
<label>Main content only<select name="options[main_content]"><option>true</option><option>false</option></select></label>
<label>Password<input name="options[password]" type="password" autocomplete="off"></label>
</div></details>
<p><button>Extract</button></p>
</form>
<section id="snippets" hidden><h2>The same from your code</h2><div class="tabs" role="tablist" aria-label="Languages"></div><pre role="tabpanel" tabindex="0"></pre></section>`,
  });
}
