// The frame of every page, and the two ways a page is sent.
import type { FastifyReply } from "fastify";
import type { Account } from "../../accounts/accounts.ts";
import type { Problem } from "../problem.ts";
import { type Html, html } from "./html.ts";

interface Page {
  title: string;
  body: Html;
  visitor?: Account | undefined;
  /** Files of assets/, loaded as modules. */
  scripts?: string[];
  /** Reloads by itself, for a page that waits for something. */
  refreshSeconds?: number | undefined;
  wide?: boolean;
}

export function page({ title, body, visitor, scripts = [], refreshSeconds, wide }: Page): string {
  const links = visitor
    ? html`<a href="/playground">Playground</a><a href="/dashboard/extractions">Extractions</a><a href="/dashboard">Dashboard</a><form method="post" action="/logout"><button class="link">Log out</button></form>`
    : html`<a href="/login">Log in</a><a href="/register">Sign up</a>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Extraction Service</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/style.css">
<script src="/assets/copy.js" defer></script>
${scripts.map((file) => html`<script src="/assets/${file}" type="module"></script>`)}
${refreshSeconds && html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
</head>
<body>
<header><nav aria-label="Main"><a class="brand" href="/">Extraction Service</a><a href="/guides">Guides</a><a href="/docs">API</a>${links}</nav></header>
<main ${wide && html`class="wide"`}>${body}</main>
</body>
</html>`.text;
}

export function sendPage(reply: FastifyReply, content: Page): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(page(content));
}

export function errorPage(problem: Problem): string {
  return page({
    title: problem.title,
    body: html`<h1>${problem.title}</h1>
<p>${problem.detail}</p>
<p><a href="${problem.type}">${problem.code}</a> · request <code>${problem.request_id}</code></p>`,
  });
}

export const notice = (text: string | null | undefined) => text && html`<p class="notice" role="alert">${text}</p>`;
