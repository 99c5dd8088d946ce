// Plan, usage and payment on the dashboard.
import { z } from "zod";
import type { Account } from "../../accounts/accounts.ts";
import type { App } from "../../app.ts";
import { paymentsOf } from "../../billing/billing.ts";
import { type Day, dailyUsage, listUsage, readUsage } from "../../billing/usage.ts";
import { Fault } from "../../errors.ts";
import { isPlan, planOf, plans } from "../../plans.ts";
import { findVisitor } from "../gate.ts";
import type { Server } from "../server.ts";
import { html } from "./html.ts";
import { admitVisitor } from "./visitor.ts";

export function billingPages(server: Server, app: App): void {
  server.post(
    "/dashboard/checkout",
    { schema: { hide: true, body: z.object({ plan: z.string() }) } },
    async (request, reply) => {
      const account = await admitVisitor(app, request);
      const payments = paymentsOf(app);
      const { plan } = request.body;
      if (!payments.plans.includes(plan))
        throw new Fault("invalid_request", { errors: [{ pointer: "/plan", message: "is not on sale" }] });
      const url = await payments.openCheckout({
        accountId: account.id,
        email: account.email,
        customerId: account.customer_id,
        plan,
        returnUrl: `${app.baseUrl}/dashboard`,
      });
      return reply.redirect(url, 303);
    },
  );

  server.post("/dashboard/portal", { schema: { hide: true } }, async (request, reply) => {
    const account = await admitVisitor(app, request);
    if (!account.customer_id) throw new Fault("not_found", { detail: "There is no subscription to manage." });
    return reply.redirect(await paymentsOf(app).openPortal(account.customer_id, `${app.baseUrl}/dashboard`), 303);
  });

  server.get("/dashboard/usage.csv", { schema: { hide: true } }, async (request, reply) => {
    const account = await findVisitor(app, request);
    if (!account) throw new Fault("invalid_credentials");
    const rows = await listUsage(app, account);
    const lines = [
      "extraction_id,completed_at,pages",
      ...rows.map(({ extraction_id, at, pages }) => `${extraction_id},${at.toISOString()},${pages}`),
    ];
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", 'attachment; filename="usage.csv"')
      .send(`${lines.join("\r\n")}\r\n`);
  });
}

export async function showBilling(app: App, account: Account) {
  const usage = await readUsage(app, account);
  const days = await dailyUsage(app, account);
  const until = usage.end.toISOString().slice(0, 10);
  return html`<section class="card wide-card"><h2>Usage</h2>
<p><strong>${usage.pages}</strong> ${usage.quota === null ? "pages" : html`of ${usage.quota} pages`} since ${usage.start.toISOString().slice(0, 10)}; the next period begins ${until}.</p>
${plot(days, usage.start, usage.end)}
<p><a href="/dashboard/usage.csv">Every extraction as CSV</a></p>
<h3>Plan: ${planOf(account).title}</h3>${app.payments ? offer(app, account) : html`<p class="faint">Billing is off on this service: pages are counted, and no quota applies.</p>`}</section>`;
}

function offer(app: App, account: Account) {
  const { cancel_at: ends, past_due_since: late, customer_id: customer } = account;
  return html`${late && html`<p class="notice">The last payment failed. Your plan stays in force for seven days from ${late.toISOString().slice(0, 10)}.</p>`}
${ends && html`<p>Your plan ends on ${ends.toISOString().slice(0, 10)} and falls back to Free.</p>`}
${customer && html`<form method="post" action="/dashboard/portal"><button class="quiet">Invoices, payment, cancel</button></form>`}
<div class="actions">${paymentsOf(app)
    .plans.filter((plan) => plan !== account.plan && isPlan(plan))
    .map(
      (plan) => html`<form method="post" action="/dashboard/checkout"><input type="hidden" name="plan" value="${plan}">
<button>${isPlan(plan) && plans[plan].title}: ${isPlan(plan) && plans[plan].pagesPerMonth.toLocaleString("en")} pages a month</button></form>`,
    )}</div>`;
}

const DAY_MS = 86_400_000;

/** A bar a day; the tallest fills the height. */
function plot(days: Day[], start: Date, end: Date) {
  const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
  const most = Math.max(1, ...days.map(({ pages }) => pages));
  const bars = days.map(({ day, pages }) => {
    const at = Math.floor((day.getTime() - start.getTime()) / DAY_MS);
    const height = (pages / most) * 100;
    return html`<rect x="${at * 10 + 1}" y="${100 - height}" width="8" height="${height}"><title>${day.toISOString().slice(0, 10)}: ${pages} pages</title></rect>`;
  });
  return html`<svg class="plot" viewBox="0 0 ${count * 10} 100" preserveAspectRatio="none" role="img" aria-label="Pages a day, at most ${most}">${bars}</svg>`;
}
