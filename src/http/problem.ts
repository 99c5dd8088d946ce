// Any error as an RFC 9457 problem: what the caller may know goes into the body, the cause stays for the log.
import { z } from "zod";
import { type ErrorCode, errors, Fault } from "../errors.ts";
import { isDatabaseAway } from "../platform/db/away.ts";

export const Problem = z
  .object({
    type: z.string().describe("Address of the page that explains the code"),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string(),
    retryable: z.boolean().describe("Whether the same request may succeed later without a change"),
    errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Problem", description: "An error, as RFC 9457 has it" });
export type Problem = z.infer<typeof Problem>;

export function toProblem(fault: Fault, request: { baseUrl: string; id: string }): Problem {
  const { status, title, retryable } = errors[fault.code];
  return {
    type: `${request.baseUrl}/docs/errors/${fault.code}`,
    title,
    status,
    detail: fault.detail ?? title,
    code: fault.code,
    request_id: request.id,
    retryable,
    ...(fault.errors && { errors: fault.errors }),
  };
}

/** Error codes of the HTTP layer itself, by what they mean here. */
const httpFaults: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_BODY_TOO_LARGE: "file_too_large",
  FST_ERR_CTP_EMPTY_JSON_BODY: "malformed_request",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "malformed_request",
  FST_ERR_CTP_INVALID_JSON_BODY: "malformed_request",
  FST_ERR_BAD_URL: "malformed_request",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

interface Validation {
  validation?: { instancePath: string; message?: string }[];
  validationContext?: string;
}

/** Anything thrown while a request was handled. What is not known to be the caller's is ours, and says nothing. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { validation, validationContext } = error as Validation;
  // What cannot be an id is nobody's id.
  if (validation && validationContext === "params") return new Fault("not_found", { cause: error });
  if (validation)
    return new Fault("invalid_request", {
      detail: `The ${validationContext ?? "request"} does not fit what this endpoint takes.`,
      errors: validation.map(({ instancePath, message }) => ({
        pointer: instancePath,
        message: message ?? "is not usable",
      })),
      cause: error,
    });
  if (isDatabaseAway(error))
    return new Fault("not_ready", {
      detail: "The database does not answer.",
      headers: { "retry-after": "2" },
      cause: error,
    });
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const known = httpFaults[code ?? ""] ?? (statusCode === 400 ? "malformed_request" : undefined);
  return known ? new Fault(known, { cause: error }) : new Fault("internal_error", { cause: error });
}

/** The error answers of a route, for the OpenAPI document. */
export function problems(...codes: ErrorCode[]): Record<number, z.ZodType> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(errors[code].status, [...(byStatus.get(errors[code].status) ?? []), code]);
  const answers = [...byStatus].map(([status, list]) => [
    status,
    {
      description: list.map((code) => `\`${code}\`: ${errors[code].title}.`).join(" "),
      content: { "application/problem+json": { schema: Problem } },
    },
  ]);
  // Nothing is returned as a problem by a handler: these are thrown, so their types do not matter to the route.
  return Object.fromEntries(answers);
}
