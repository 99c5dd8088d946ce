// One extraction, the same for sync and async: its document is fetched where it is behind a url, read in the sandbox, and the
// end is written. Throws only what is nobody's fault but ours, and then leaves the row as it is.
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { defaultLimits } from "../extract/extract.ts";
import { OutboundError } from "../platform/net/outbound.ts";
import { type Ended, end, type Outcome } from "./end.ts";
import { eraseEphemeralInput, eraseOrphan } from "./erase.ts";
import type { Extraction, Progress } from "./extractions.ts";
import type { Sandbox } from "./sandbox.ts";

const FETCH_TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

export interface Running {
  extraction: Extraction;
  abort: AbortController;
  progress: Progress | null;
}

/** Null when it ended otherwise: its owner canceled it, or another worker took it up. */
export async function run(app: App, sandbox: Sandbox, job: Running): Promise<Ended | null> {
  const { extraction } = job;
  const outcome = await attempt(app, sandbox, job);
  const ended = outcome && (await end(app, extraction, extraction.runs, outcome));
  if (!ended) {
    // What was fetched after its owner deleted it must not stay.
    if (extraction.request?.url) await eraseOrphan(app, extraction.id);
    return null;
  }
  const kind = outcome.status === "completed" ? outcome.result.kind : "none";
  app.metrics.extractions.inc({ status: outcome.status, kind });
  await eraseEphemeralInput(app, extraction);
  return ended;
}

/** Null when it was canceled meanwhile: whoever canceled it has written its end. */
async function attempt(app: App, sandbox: Sandbox, job: Running): Promise<Outcome | null> {
  const { extraction, abort } = job;
  const request = extraction.request!;
  try {
    const source = await obtain(app, job);
    const input = await app.blobs.localPath(extraction.id);
    try {
      const password = extraction.password && app.secrets.unseal(extraction.password);
      const result = await sandbox.run(
        {
          path: input.path,
          ...source,
          options: { ...request.options, password },
          schema: request.schema,
          warnings: request.warnings,
          limits: { ...defaultLimits, maxPages: app.config.maxPages },
        },
        {
          deadlineMs: app.config.jobTimeoutMs,
          signal: abort.signal,
          onProgress: ({ stage, done, total }) => {
            job.progress = { stage, pages_done: done, pages_total: total };
          },
        },
      );
      return { status: "completed", result, source: { size: source.size, sha256: source.sha256 } };
    } finally {
      await input.release();
    }
  } catch (error) {
    // Aborted with a fault by a process that ends, without one because it ended otherwise.
    if (abort.signal.reason instanceof Fault) throw abort.signal.reason;
    if (abort.signal.aborted) return null;
    if (error instanceof Fault && error.code !== "not_ready" && error.status < 500)
      return { status: "failed", fault: error };
    throw error;
  }
}

interface Obtained {
  name: string | null;
  contentType: string | null;
  url: string | null;
  size: number;
  sha256: string;
}

/** The document's bytes, in storage; one behind a url is fetched first. */
async function obtain(app: App, job: Running): Promise<Obtained> {
  const { extraction, abort } = job;
  const { name, contentType, url } = extraction.request!;
  if (extraction.size !== null && extraction.sha256 !== null)
    return { name, contentType, url, size: extraction.size, sha256: extraction.sha256 };
  job.progress = { stage: "fetch", pages_done: 0, pages_total: 0 };
  try {
    const download = await app.outbound.download({
      url: url!,
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: app.config.maxFileBytes,
      followRedirects: MAX_REDIRECTS,
      signal: abort.signal,
    });
    const stored = await app.blobs.write(extraction.id, download.body, { maxBytes: app.config.maxFileBytes });
    if (stored.size === 0) throw new Fault("empty_document");
    return {
      name: name ?? nameOf(download.url),
      contentType: contentType ?? download.headers["content-type"] ?? null,
      url,
      ...stored,
    };
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason === "canceled") throw error;
    throw new Fault(error.reason === "too_large" ? "file_too_large" : "unfetchable_url", {
      detail: error.message,
      cause: error,
    });
  }
}

function nameOf(url: string): string | null {
  const last = new URL(url).pathname.split("/").pop();
  return last ? decodeURIComponent(last.replace(/%(?![0-9a-f]{2})/gi, "%25")) : null;
}
