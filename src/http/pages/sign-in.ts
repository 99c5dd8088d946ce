// Logging in and out.
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { signIn, signOut } from "../../accounts/sessions.ts";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { readCookie, SESSION_COOKIE, setSession } from "../cookies.ts";
import { refuseCrossOrigin } from "../gate.ts";
import type { Server } from "../server.ts";
import { html } from "./html.ts";
import { notice, sendPage } from "./page.ts";

/** Any text that a database takes: whether it is somebody's address shows in the look-up. */
const Credentials = z.object({
  email: z
    .string()
    .trim()
    .max(254)
    .regex(/^[^\0]*$/, "must be text"),
  password: z.string().max(256),
});

export function signInPages(server: Server, app: App): void {
  server.get("/login", { schema: { hide: true } }, async (_request, reply) => showSignIn(reply));

  server.post("/login", { schema: { hide: true, body: Credentials } }, async (request, reply) => {
    refuseCrossOrigin(app, request);
    try {
      setSession(app, reply, await signIn(app, { ...request.body, address: request.ip }));
    } catch (error) {
      if (error instanceof Fault && (error.code === "invalid_credentials" || error.code === "rate_limited"))
        return showSignIn(reply.code(error.status).headers(error.headers), error.message);
      throw error;
    }
    return reply.redirect("/dashboard", 303);
  });

  server.post("/logout", { schema: { hide: true } }, async (request, reply) => {
    refuseCrossOrigin(app, request);
    const token = readCookie(request, SESSION_COOKIE);
    if (token) await signOut(app, token, request.ip);
    setSession(app, reply, null);
    return reply.redirect("/", 303);
  });
}

function showSignIn(reply: FastifyReply, problem?: string) {
  return sendPage(reply, {
    title: "Log in",
    body: html`<h1>Log in</h1>${notice(problem)}
<form class="stack" method="post" action="/login">
<label>E-mail<input name="email" type="email" required autocomplete="email"></label>
<label>Password<input name="password" type="password" required maxlength="256" autocomplete="current-password"></label>
<button>Log in</button>
</form>
<p class="faint"><a href="/forgot">Password forgotten?</a> · <a href="/register">Sign up</a></p>`,
  });
}
