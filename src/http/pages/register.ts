// Sign-up and the verification of the address, for people (forms) and programs (JSON).
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { register, resendVerification, verifyEmail } from "../../accounts/signup.ts";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { AccountView, showAccount } from "../api/account.ts";
import { refuseCrossOrigin } from "../gate.ts";
import { problems } from "../problem.ts";
import type { Server } from "../server.ts";
import { complaint, Email, isJson, Password, Token } from "./forms.ts";
import { html } from "./html.ts";
import { notice, sendPage } from "./page.ts";

const SignUpForm = z.object({ email: Email, password: Password });

export function registerPages(server: Server, app: App): void {
  server.get("/register", { schema: { hide: true } }, async (_request, reply) => showSignUp(reply));

  server.post(
    "/register",
    {
      schema: {
        operationId: "register",
        tags: ["Sign-up"],
        summary: "Make an account",
        description:
          "As JSON the answer holds the API key and the webhook secret, shown this once; the key is let in once the address is verified. As a form it answers a page. The answer is the same whether or not the address is known.",
        body: z.object({ email: z.string().meta({ format: "email" }), password: z.string() }).loose(),
        response: {
          201: z.object({ account: AccountView, api_key: z.string(), webhook_secret: z.string() }),
          ...problems("malformed_request", "invalid_request", "cross_origin_refused", "rate_limited"),
        },
      },
      attachValidation: true,
    },
    async (request, reply: FastifyReply) => {
      refuseCrossOrigin(app, request);
      const form = SignUpForm.safeParse(request.body);
      if (isJson(request)) return signUpProgram(app, request, reply, form);
      if (!form.success) return showSignUp(reply.code(422), complaint(form.error));
      await register(app, { ...form.data, withKey: false, address: request.ip });
      return showSent(reply.code(201), form.data.email);
    },
  );

  server.get(
    "/verify",
    { schema: { hide: true, querystring: z.object({ token: Token.optional() }) } },
    async (request, reply) =>
      sendPage(reply, {
        title: "Verify your address",
        body: html`<h1>Verify your address</h1>
<p>One press and your account is active.</p>
<form class="stack" method="post" action="/verify"><input type="hidden" name="token" value="${request.query.token}"><button>Verify my address</button></form>`,
      }),
  );

  server.post(
    "/verify",
    {
      schema: {
        operationId: "verifyEmail",
        tags: ["Sign-up"],
        summary: "Verify the address",
        description: "Consumes the token of the verification mail. A link works once, for 24 hours.",
        body: z.object({ token: Token }),
        response: {
          200: z.object({ account: AccountView }),
          ...problems("malformed_request", "invalid_request", "cross_origin_refused", "invalid_token"),
        },
      },
    },
    async (request, reply) => {
      refuseCrossOrigin(app, request);
      const account = await verifyEmail(app, request.body.token, request.ip);
      if (isJson(request)) return { account: showAccount(app, account) };
      return sendPage(reply as FastifyReply, {
        title: "Address verified",
        body: html`<h1>Your address is verified</h1><p><a href="/login">Log in</a> and copy your API key from the dashboard.</p>`,
      });
    },
  );

  server.post(
    "/verify/resend",
    { schema: { hide: true, body: z.object({ email: Email }) } },
    async (request, reply) => {
      refuseCrossOrigin(app, request);
      await resendVerification(app, request.body.email, request.ip);
      return isJson(request) ? reply.code(202).send({ status: "sent" }) : showSent(reply, request.body.email);
    },
  );
}

type ParsedForm = z.ZodSafeParseResult<z.infer<typeof SignUpForm>>;

async function signUpProgram(app: App, request: FastifyRequest, reply: FastifyReply, form: ParsedForm) {
  if (!form.success)
    throw new Fault("invalid_request", {
      detail: "The body does not fit what this endpoint takes.",
      errors: form.error.issues.map(({ path, message }) => ({ pointer: `/${path.join("/")}`, message })),
    });
  const { account, apiKey, webhookSecret } = await register(app, { ...form.data, withKey: true, address: request.ip });
  return reply.code(201).send({ account: showAccount(app, account), api_key: apiKey, webhook_secret: webhookSecret });
}

function showSignUp(reply: FastifyReply, problem?: string) {
  return sendPage(reply, {
    title: "Sign up",
    body: html`<h1>Sign up</h1>${notice(problem)}
<form class="stack" method="post" action="/register">
<label>E-mail<input name="email" type="email" required autocomplete="email"></label>
<label>Password<input name="password" type="password" required minlength="10" maxlength="256" autocomplete="new-password"></label>
<button>Sign up</button>
</form>
<p class="faint">You have an account? <a href="/login">Log in</a>.</p>`,
  });
}

function showSent(reply: FastifyReply, email: string) {
  return sendPage(reply, {
    title: "Check your mail",
    body: html`<h1>Check your mail</h1>
<p>We sent a link to <strong>${email}</strong>. It works once, for 24 hours.</p>
<form method="post" action="/verify/resend"><input type="hidden" name="email" value="${email}"><button class="link">Send it again</button></form>`,
  });
}
