// A forgotten password: a link by mail, then a new one.
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { forgetPassword, resetPassword } from "../../accounts/signup.ts";
import type { App } from "../../app.ts";
import { refuseCrossOrigin } from "../gate.ts";
import type { Server } from "../server.ts";
import { complaint, Email, Password, Token } from "./forms.ts";
import { html } from "./html.ts";
import { notice, sendPage } from "./page.ts";

export function passwordPages(server: Server, app: App): void {
  server.get("/forgot", { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, {
      title: "Password forgotten",
      body: html`<h1>Password forgotten</h1>
<form class="stack" method="post" action="/forgot"><label>E-mail<input name="email" type="email" required autocomplete="email"></label><button>Send me a link</button></form>`,
    }),
  );

  server.post("/forgot", { schema: { hide: true, body: z.object({ email: Email }) } }, async (request, reply) => {
    refuseCrossOrigin(app, request);
    await forgetPassword(app, request.body.email, request.ip);
    return sendPage(reply, {
      title: "Check your mail",
      body: html`<h1>Check your mail</h1><p>If <strong>${request.body.email}</strong> has an account, a link is on its way. It works once, for one hour.</p>`,
    });
  });

  server.get(
    "/reset",
    { schema: { hide: true, querystring: z.object({ token: Token.optional() }) } },
    async (request, reply) => showReset(reply, request.query.token ?? ""),
  );

  server.post(
    "/reset",
    { schema: { hide: true, body: z.object({ token: Token, password: z.string().max(1000) }) } },
    async (request, reply) => {
      refuseCrossOrigin(app, request);
      const { token } = request.body;
      const password = z.object({ password: Password }).safeParse(request.body);
      if (!password.success) return showReset(reply.code(422), token, complaint(password.error));
      await resetPassword(app, token, password.data.password, request.ip);
      return sendPage(reply, {
        title: "Password changed",
        body: html`<h1>Your password is changed</h1><p>Every open session was ended. <a href="/login">Log in</a>.</p>`,
      });
    },
  );
}

function showReset(reply: FastifyReply, token: string, problem?: string) {
  return sendPage(reply, {
    title: "Set a new password",
    body: html`<h1>Set a new password</h1>${notice(problem)}
<form class="stack" method="post" action="/reset"><input type="hidden" name="token" value="${token}">
<label>New password<input name="password" type="password" required minlength="10" maxlength="256" autocomplete="new-password"></label><button>Set the password</button></form>`,
  });
}
