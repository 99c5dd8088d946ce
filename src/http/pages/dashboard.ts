// The signed-in account: its key and webhook secret, each shown once when made; where its webhooks go; what it has used.
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { type Account, audit, stateOf, updateAccount } from "../../accounts/accounts.ts";
import { lastUseOf, rotateKey } from "../../accounts/keys.ts";
import { OVERLAP_MS, revealWebhookSecret, rotateWebhookSecret } from "../../accounts/webhook-secret.ts";
import type { App } from "../../app.ts";
import { checkUrl } from "../../platform/net/outbound.ts";
import { sendTestEvent } from "../../webhooks/test-event.ts";
import { findVisitor } from "../gate.ts";
import type { Server } from "../server.ts";
import { showBilling } from "./billing.ts";
import { shortTime } from "./extractions.ts";
import { type Html, html } from "./html.ts";
import { notice, sendPage } from "./page.ts";
import { admitVisitor } from "./visitor.ts";

/** What a redirect back to the dashboard can say. */
const messages = {
  saved: "The address is saved.",
  cleared: "The address is removed.",
  tested: "A test event is on its way.",
  no_address: "Set a default address first.",
  bad_address: "The address must be a public https URL without credentials.",
} as const;

export function dashboardPages(server: Server, app: App): void {
  server.get(
    "/dashboard",
    { schema: { hide: true, querystring: z.object({ said: z.string().max(20).optional() }) } },
    async (request, reply) => {
      const account = await findVisitor(app, request);
      if (!account) return reply.redirect("/login", 303);
      const { said = "" } = request.query;
      return showDashboard(
        app,
        reply,
        account,
        Object.hasOwn(messages, said) ? notice(messages[said as keyof typeof messages]) : null,
      );
    },
  );

  server.post("/dashboard/key", { schema: { hide: true } }, async (request, reply) => {
    const account = await admitVisitor(app, request);
    const { key } = await rotateKey(app, account, request.ip);
    const secret = await revealWebhookSecret(app, account);
    const current = (await findVisitor(app, request)) ?? account;
    const fresh = html`${shownOnce("Your API key", "api-key", key)}${secret && shownOnce("Your webhook secret", "webhook-secret", secret)}`;
    return showDashboard(app, reply, current, fresh);
  });

  server.post("/dashboard/webhook-secret", { schema: { hide: true } }, async (request, reply) => {
    const account = await admitVisitor(app, request);
    const secret = await rotateWebhookSecret(app, account, request.ip);
    const current = (await findVisitor(app, request)) ?? account;
    return showDashboard(app, reply, current, shownOnce("Your new webhook secret", "webhook-secret", secret));
  });

  server.post(
    "/dashboard/webhook-url",
    { schema: { hide: true, body: z.object({ webhook_url: z.string().trim().max(2048) }) } },
    async (request, reply) => {
      const account = await admitVisitor(app, request);
      const url = request.body.webhook_url || null;
      if (url && checkUrl(url, { requireHttps: true, allowPrivate: app.config.allowPrivateNetworks }))
        return back(reply, "bad_address");
      await app.db.transaction().execute(async (trx) => {
        await updateAccount(trx, account.id, { webhook_url: url });
        await audit(app, trx, { accountId: account.id, action: "webhook_url_changed", address: request.ip });
      });
      return back(reply, url ? "saved" : "cleared");
    },
  );

  server.post("/dashboard/test-event", { schema: { hide: true } }, async (request, reply) => {
    const account = await admitVisitor(app, request);
    if (!account.webhook_url) return back(reply, "no_address");
    await sendTestEvent(app, account.id, account.webhook_url);
    return back(reply, "tested");
  });
}

const back = (reply: FastifyReply, said: keyof typeof messages) => reply.redirect(`/dashboard?said=${said}`, 303);

const shownOnce = (
  title: string,
  id: string,
  value: string,
) => html`<section class="card fresh" aria-label="${title}"><h2>${title}</h2>
<p class="notice" role="status">Copy it now: it is shown this once. We keep the key only as a hash, the secret only encrypted.</p>
<p class="secret"><code id="${id}">${value}</code><button type="button" data-copy="${id}">Copy</button></p></section>`;

async function showDashboard(app: App, reply: FastifyReply, account: Account, fresh?: Html | "" | null) {
  const body = stateOf(account) === "unverified" ? unverified(account) : await overview(app, account, fresh);
  return sendPage(reply, { title: "Dashboard", body, visitor: account });
}

const unverified = (account: Account) => html`<h1>Dashboard</h1>
<p>Your address <strong>${account.email}</strong> is not verified yet. Follow the link in the mail we sent.</p>
<form method="post" action="/verify/resend"><input type="hidden" name="email" value="${account.email}"><button>Send the mail again</button></form>`;

const overview = async (
  app: App,
  account: Account,
  fresh?: Html | "" | null,
) => html`<h1>Dashboard</h1><p class="faint">${account.email}</p>${fresh}
<div class="cards">${await keyCard(app, account)}${secretCard(app, account)}${addressCard(account)}${await showBilling(app, account)}</div>`;

async function keyCard(app: App, account: Account) {
  const { api_key_prefix: prefix } = account;
  if (!prefix)
    return html`<section class="card"><h2>API key</h2><p>You have no key yet.</p><form method="post" action="/dashboard/key"><button>Create my API key</button></form></section>`;
  const used = await lastUseOf(app, account);
  return html`<section class="card"><h2>API key</h2><p>Starts with <code>${prefix}</code>, made ${shortTime(account.api_key_created_at!)} UTC, ${used ? html`last used ${shortTime(used)} UTC` : "not used lately"}.</p>
${confirm("/dashboard/key", "Rotate the key", "The old key is refused from the very next request on.")}</section>`;
}

function secretCard(app: App, account: Account) {
  const until = account.webhook_secret_rotated_at && new Date(account.webhook_secret_rotated_at.getTime() + OVERLAP_MS);
  const hours = until ? Math.ceil((until.getTime() - app.clock.now().getTime()) / 3_600_000) : 0;
  return html`<section class="card"><h2>Webhook secret</h2><p>Signs the webhooks we send you.
${hours > 0 && html`The old one's signature is sent beside the new one for another ${hours} hours, until ${shortTime(until!)} UTC.`}</p>
${confirm("/dashboard/webhook-secret", "Rotate the secret", "The new secret signs at once; for 24 hours the old one's signature is sent too.")}</section>`;
}

const addressCard = (account: Account) => html`<section class="card"><h2>Webhook address</h2>
<form class="stack" method="post" action="/dashboard/webhook-url"><label>Default for asynchronous extractions
<input name="webhook_url" type="url" placeholder="https://example.com/webhooks" value="${account.webhook_url}"></label><button class="quiet">Save</button></form>
${account.webhook_url && html`<form method="post" action="/dashboard/test-event"><button class="quiet">Send a test event</button></form>`}</section>`;

/** Asks before it acts, without a script. */
const confirm = (
  action: string,
  title: string,
  warning: string,
) => html`<details class="confirm"><summary>${title}</summary>
<p>${warning}</p><form method="post" action="${action}"><button class="danger">Yes, ${title.toLowerCase()}</button></form></details>`;
