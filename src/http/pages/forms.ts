// What people type into our forms, and programs send to the same addresses as JSON.
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { MAX_PASSWORD, MIN_PASSWORD } from "../../accounts/passwords.ts";

/** RFC 5321 allows 254 characters in all. */
export const Email = z.string().trim().max(254).pipe(z.email("must be an e-mail address"));
export const Password = z
  .string()
  .min(MIN_PASSWORD, `must have at least ${MIN_PASSWORD} characters`)
  .max(MAX_PASSWORD, `must have at most ${MAX_PASSWORD} characters`);
export const Token = z.string().max(100);

export const isJson = (request: FastifyRequest) => /^application\/json\b/i.test(request.headers["content-type"] ?? "");

/** The first thing wrong with a form, in words for the person who filled it in. */
export function complaint(error: z.ZodError): string {
  const [issue] = error.issues;
  const field = String(issue?.path[0] ?? "form");
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}: ${issue?.message}`;
}
