// The public JSON of an extraction. The finished one is put together as bytes, once, around what the sandbox wrote: the
// 200, GET and the webhook send these same bytes.
import type { App } from "../app.ts";
import { errors, type Fault } from "../errors.ts";
import type { Extraction } from "./extractions.ts";

export type EndedStatus = "completed" | "failed" | "canceled";

interface Ending {
  status: EndedStatus;
  completedAt: Date;
  expiresAt: Date | null;
}

/** An extraction without its result. */
export function describe(extraction: Extraction) {
  const { request } = extraction;
  return {
    ...head(extraction, extraction),
    ...(extraction.status === "processing" && {
      progress: extraction.progress ?? { stage: "start", pages_done: 0, pages_total: 0 },
    }),
    source: {
      kind: extraction.kind,
      mime_type: extraction.mime_type,
      name: request?.name ?? null,
      size: extraction.size,
      sha256: extraction.sha256,
      url: request?.url ?? null,
    },
    ...(extraction.error && { error: extraction.error }),
    ...(extraction.pages !== null && { usage: { pages: extraction.pages } }),
    metadata: extraction.metadata ?? {},
  };
}

/** As it was when it had just been sent: what a 202 says, the first time and every time it is repeated. */
export const asSubmitted = (extraction: Extraction): Extraction => ({
  ...extraction,
  status: "queued",
  ...{ started_at: null, completed_at: null, expires_at: null, error: null, kind: null, mime_type: null, pages: null },
  ...(extraction.request?.url && { size: null, sha256: null }),
});

/** The bytes of a completed extraction; `members` come from the sandbox as they are. */
export function completedBody(extraction: Extraction, ending: Ending, members: Buffer): Buffer {
  const before = JSON.stringify(head(extraction, ended(ending)));
  const after = JSON.stringify({ metadata: extraction.metadata ?? {}, duration_ms: duration(extraction, ending) });
  return Buffer.concat([Buffer.from(`${before.slice(0, -1)},`), members, Buffer.from(`,${after.slice(1)}`)]);
}

export function failedBody(extraction: Extraction, ending: Ending, error: Record<string, unknown>): Buffer {
  return Buffer.from(
    JSON.stringify({
      ...describe({ ...extraction, ...ended(ending), error, progress: null }),
      duration_ms: duration(extraction, ending),
    }),
  );
}

/** The problem as it stands in a failed extraction. */
export function problemOf(app: App, extraction: Extraction, fault: Fault): Record<string, unknown> {
  const { status, title, retryable } = errors[fault.code];
  return {
    type: `${app.baseUrl}/docs/errors/${fault.code}`,
    title,
    status,
    detail: fault.detail ?? title,
    code: fault.code,
    request_id: extraction.id,
    retryable,
    ...(fault.errors && { errors: fault.errors }),
  };
}

const ended = ({ status, completedAt, expiresAt }: Ending) => ({
  status,
  completed_at: completedAt,
  expires_at: expiresAt,
});

function head(extraction: Extraction, state: Pick<Extraction, "status" | "completed_at" | "expires_at">) {
  return {
    id: extraction.id,
    object: "extraction" as const,
    status: state.status,
    created_at: extraction.created_at.toISOString(),
    started_at: extraction.started_at?.toISOString() ?? null,
    completed_at: state.completed_at?.toISOString() ?? null,
    expires_at: state.expires_at?.toISOString() ?? null,
  };
}

const duration = (extraction: Extraction, { completedAt }: Ending) =>
  completedAt.getTime() - (extraction.started_at ?? extraction.created_at).getTime();
