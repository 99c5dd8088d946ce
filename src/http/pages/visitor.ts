// The signed-in visitor, for pages that need one.
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Account, stateOf } from "../../accounts/accounts.ts";
import type { App } from "../../app.ts";
import { Fault } from "../../errors.ts";
import { findVisitor, refuseCrossOrigin } from "../gate.ts";

/** For a page to look at: whoever is not signed in is sent to the log-in. */
export async function welcome(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Account | null> {
  const account = await findVisitor(app, request);
  if (account && stateOf(account) === "active") return account;
  reply.redirect(account ? "/dashboard" : "/login", 303);
  return null;
}

/** For a form that acts. */
export async function admitVisitor(app: App, request: FastifyRequest): Promise<Account> {
  refuseCrossOrigin(app, request);
  const account = await findVisitor(app, request);
  if (!account) throw new Fault("invalid_credentials", { detail: "Your session has ended; log in again." });
  const state = stateOf(account);
  if (state === "unverified") throw new Fault("email_not_verified");
  if (state === "suspended") throw new Fault("account_suspended");
  return account;
}
