// The guides of docs/, shown as pages. They are read by our own markdown reader: what it gets wrong we would see first.
import { readFile } from "node:fs/promises";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import type { Block, Mark, Table } from "../../extract/document.ts";
import { parseMarkdown } from "../../extract/readers/markdown.ts";
import { findVisitor } from "../gate.ts";
import type { Server } from "../server.ts";
import { Html, html } from "./html.ts";
import { sendPage } from "./page.ts";

/** File in docs/ → what it is about, in the order they are read. */
export const guides: Record<string, string> = {
  "quick-start": "From sign-up to the first result",
  extractions: "Sending documents: synchronous, asynchronous, options, limits",
  fields: "Fields by JSON Schema, each with its evidence",
  webhooks: "Webhooks and how to verify them",
  "self-hosting": "Running it yourself",
  settings: "Every setting",
};

export function guidePages(server: Server, app: App): void {
  server.get("/guides", { schema: { hide: true } }, async (request, reply) =>
    sendPage(reply, {
      title: "Guides",
      visitor: await findVisitor(app, request),
      body: html`<h1>Guides</h1><ul>${Object.entries(guides).map(([name, about]) => html`<li><a href="/guides/${name}">${about}</a></li>`)}
<li><a href="/docs">API reference</a></li><li><a href="/docs/errors">Errors</a></li></ul>`,
    }),
  );

  server.get<{ Params: { name: string } }>("/guides/:name", { schema: { hide: true } }, async (request, reply) => {
    const text = await readGuide(app, request.params.name);
    return sendPage(reply, {
      title: guides[request.params.name]!,
      visitor: await findVisitor(app, request),
      body: html`<p><a href="/guides">Guides</a></p><article class="guide">${show(parseMarkdown(text))}</article>`,
    });
  });

  server.get("/llms.txt", { schema: { hide: true } }, async (_request, reply) => {
    const links = Object.entries(guides).map(([name, about]) => `- [${about}](${app.baseUrl}/guides/${name}.md)`);
    const text = `# Extraction Service\n\n> Any document in; text, markdown, elements, tables and the fields of a JSON Schema out, each with the place it was read from.\n\n## Guides\n\n${links.join("\n")}\n\n## Reference\n\n- [OpenAPI](${app.baseUrl}/openapi.json)\n- [Errors](${app.baseUrl}/docs/errors)\n`;
    return reply.type("text/plain; charset=utf-8").send(text);
  });

  for (const name of Object.keys(guides))
    server.get(`/guides/${name}.md`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type("text/markdown; charset=utf-8").send(await readGuide(app, name)),
    );
}

async function readGuide(app: App, name: string): Promise<string> {
  if (!Object.hasOwn(guides, name)) throw new Fault("not_found");
  const text = await readFile(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8");
  return text
    .replaceAll("https://HOST", app.baseUrl)
    .replaceAll(/\]\((?:\.\/)?([a-z-]+)\.md(#[\w-]*)?\)/g, "](/guides/$1$2)");
}

function show(blocks: Block[]): Html {
  return html`${blocks.map((block, at) => {
    const item = block.type === "list_item";
    // Items that follow each other are one list.
    const opens = item && blocks[at - 1]?.type !== "list_item";
    const closes = item && blocks[at + 1]?.type !== "list_item";
    return html`${opens && new Html("<ul>")}${showBlock(block)}${closes && new Html("</ul>")}`;
  })}`;
}

function showBlock(block: Block): Html {
  const text = inline(block.text, block.marks ?? []);
  if (block.type === "title" || (block.type === "heading" && block.level === 1)) return html`<h1>${text}</h1>`;
  if (block.type === "heading")
    return block.level === 2
      ? html`<h2 id="${slug(block.text)}">${text}</h2>`
      : html`<h3 id="${slug(block.text)}">${text}</h3>`;
  if (block.type === "list_item") return html`<li>${text}</li>`;
  if (block.type === "code") return html`<pre tabindex="0"><code>${block.text}</code></pre>`;
  if (block.type === "table" && block.table) return showTable(block.table);
  return html`<p>${text}</p>`;
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\w]+/g, "-")
    .replace(/^-|-$/g, "");

function showTable(table: Table): Html {
  const row = (at: number) =>
    table.cells
      .filter((cell) => cell.row === at)
      .map((cell) =>
        cell.header ? html`<th scope="col">${cellText(cell.text)}</th>` : html`<td>${cellText(cell.text)}</td>`,
      );
  return html`<div class="scroll" tabindex="0"><table>${Array.from({ length: table.rows }, (_, at) => html`<tr>${row(at)}</tr>`)}</table></div>`;
}

/** A cell's text is plain; names in it that are code are told by how they look. */
const cellText = (text: string): Html =>
  html`${text.split(/(\b[A-Z]+_[A-Z_]+\b)/).map((part, at) => (at % 2 ? html`<code>${part}</code>` : part))}`;

const tags: Record<Exclude<Mark["type"], "link">, string> = { bold: "strong", italic: "em", code: "code", strike: "s" };

/** Marks may nest but not cross; what does not is shown plain. */
function inline(text: string, marks: Mark[]): Html {
  const sorted = [...marks].sort((a, b) => a.start - b.start || b.end - a.end);
  const build = (from: number, to: number): Html[] => {
    const parts: Html[] = [];
    let at = from;
    while (sorted[0] && sorted[0].start < to) {
      const mark = sorted.shift()!;
      if (mark.start < at || mark.end > to) continue;
      parts.push(html`${text.slice(at, mark.start)}`);
      const inside = html`${build(mark.start, mark.end)}`;
      parts.push(wrap(mark, inside));
      at = mark.end;
    }
    parts.push(html`${text.slice(at, to)}`);
    return parts;
  };
  return html`${build(0, text.length)}`;
}

function wrap(mark: Mark, inside: Html): Html {
  if (mark.type !== "link") return new Html(`<${tags[mark.type]}>${inside}</${tags[mark.type]}>`);
  return /^(https?:|\/|#)/.test(mark.url ?? "") ? html`<a href="${mark.url}">${inside}</a>` : inside;
}
