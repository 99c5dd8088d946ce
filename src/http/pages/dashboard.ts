// The signed-in account: its key, shown once when it is made, and its webhook secret.
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Account, stateOf } from "../../accounts/accounts.ts";
import { rotateKey } from "../../accounts/keys.ts";
import { revealWebhookSecret, rotateWebhookSecret } from "../../accounts/webhook-secret.ts";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { findVisitor, refuseCrossOrigin } from "../gate.ts";
import type { Server } from "../server.ts";
import { type Html, html } from "./html.ts";
import { sendPage } from "./page.ts";

export function dashboardPages(server: Server, app: App): void {
  server.get("/dashboard", { schema: { hide: true } }, async (request, reply) => {
    const account = await findVisitor(app, request);
    if (!account) return reply.redirect("/login", 303);
    return showDashboard(reply, account);
  });

  server.post("/dashboard/key", { schema: { hide: true } }, async (request, reply) => {
    const account = await admitVisitor(app, request);
    const { key } = await rotateKey(app, account, request.ip);
    const secret = await revealWebhookSecret(app, account);
    const current = (await findVisitor(app, request)) ?? account;
    return showDashboard(
      reply,
      current,
      html`${shownOnce("Your API key", "api-key", key)}${secret && shownOnce("Your webhook secret", "webhook-secret", secret)}`,
    );
  });

  server.post("/dashboard/webhook-secret", { schema: { hide: true } }, async (request, reply) => {
    const account = await admitVisitor(app, request);
    const secret = await rotateWebhookSecret(app, account, request.ip);
    return showDashboard(reply, account, shownOnce("Your new webhook secret", "webhook-secret", secret));
  });
}

async function admitVisitor(app: App, request: FastifyRequest): Promise<Account> {
  refuseCrossOrigin(app, request);
  const account = await findVisitor(app, request);
  if (!account) throw new Fault("invalid_credentials", { detail: "Your session has ended; log in again." });
  const state = stateOf(account);
  if (state === "unverified") throw new Fault("email_not_verified");
  if (state === "suspended") throw new Fault("account_suspended");
  return account;
}

const shownOnce = (title: string, id: string, value: string) => html`<section aria-label="${title}"><h2>${title}</h2>
<p class="notice" role="status">Copy it now: it is shown this once and stored only as a hash or encrypted.</p>
<p class="secret"><code id="${id}">${value}</code><button type="button" data-copy="${id}">Copy</button></p></section>`;

function showDashboard(reply: FastifyReply, account: Account, fresh?: Html) {
  const body =
    stateOf(account) === "unverified"
      ? html`<h1>Dashboard</h1><p>Your address <strong>${account.email}</strong> is not verified yet. Follow the link in the mail we sent.</p>
<form method="post" action="/verify/resend"><input type="hidden" name="email" value="${account.email}"><button>Send the mail again</button></form>`
      : html`<h1>Dashboard</h1><p class="faint">${account.email}</p>${fresh}
<h2>API key</h2>
${account.api_key_prefix ? html`<p>Your key starts with <code>${account.api_key_prefix}</code>.</p>` : html`<p>You have no key yet.</p>`}
<form method="post" action="/dashboard/key"><button>${account.api_key_prefix ? "Rotate the key" : "Create my API key"}</button></form>
${account.api_key_prefix && html`<p class="faint">After a rotation the old key is refused from the very next request on.</p>`}
<h2>Webhook secret</h2>
<p>Signs the webhooks we send you. After a rotation the old one's signature is sent beside the new one for 24 hours.</p>
<form method="post" action="/dashboard/webhook-secret"><button>Rotate the secret</button></form>`;
  return sendPage(reply, { title: "Dashboard", body, visitor: account });
}
