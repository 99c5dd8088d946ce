// One cookie: the session. HttpOnly, Lax, and Secure wherever the service is reached over https.
import type { FastifyReply, FastifyRequest } from "fastify";
import { SESSION_MS } from "../accounts/sessions.ts";
import type { App } from "../app.ts";

export const SESSION_COOKIE = "session";

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [key, value] = pair.split("=", 2);
    if (key?.trim() === name && value) return value.trim();
  }
  return undefined;
}

export function setSession(app: App, reply: FastifyReply, token: string | null): void {
  const attributes = ["HttpOnly", "SameSite=Lax", "Path=/", `Max-Age=${token ? SESSION_MS / 1000 : 0}`];
  if (app.baseUrl.startsWith("https:")) attributes.push("Secure");
  reply.header("set-cookie", [`${SESSION_COOKIE}=${token ?? ""}`, ...attributes].join("; "));
}
