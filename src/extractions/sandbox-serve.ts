// The inside of a sandbox child: takes one job at a time from the channel, answers with a result or a fault.
// What a job does is the caller's: sandbox-child.ts brings extract().

import { inspect } from "node:util";
import { type ErrorCode, Fault } from "../errors.ts";
import type { FaultMessage, FromChild, Progress, SandboxJob, SandboxResult } from "./sandbox-protocol.ts";
import { watchParent } from "./sandbox-watchdog.ts";

export type Work = (job: SandboxJob, progress: (progress: Progress) => void) => Promise<SandboxResult>;

const PROGRESS_EVERY_MS = 250; // a person watches it; more would only cost the service database writes
const MAX_CAUSE_LENGTH = 4000; // a stack is enough; an error may carry the whole document

/** Errors of the engine itself that say what the document did to us. */
const engineErrors: { pattern: RegExp; code: ErrorCode }[] = [
  { pattern: /^(Array buffer allocation failed|Invalid string length|Invalid typed array length)/, code: "extraction_out_of_memory" },
  { pattern: /^Cannot create a (Buffer|string) (larger|longer) than/, code: "extraction_out_of_memory" },
  { pattern: /^Maximum call stack size exceeded/, code: "document_too_complex" },
]; // biome-ignore format: a table

/** Loads the work once, so that the first job finds everything warm, then serves jobs until the service lets go. */
export async function serve(load: () => Promise<Work>): Promise<void> {
  outliveSignals();
  watchParent(Number(process.argv[2]));
  const work = await load();
  process.on("message", (job: SandboxJob) => void answer(work, job));
  send({ type: "ready" });
}

async function answer(work: Work, job: SandboxJob): Promise<void> {
  send({ type: "started" });
  let lastSentMs = Number.NEGATIVE_INFINITY;
  const progress = (now: Progress) => {
    const nowMs = performance.now();
    if (nowMs - lastSentMs < PROGRESS_EVERY_MS) return;
    lastSentMs = nowMs;
    send({ type: "progress", stage: now.stage, done: now.done, total: now.total });
  };
  try {
    const result = await work(job, progress);
    send({ type: "result", keptBytes: process.memoryUsage.rss(), ...result });
  } catch (error) {
    send(toMessage(error));
  }
}

function toMessage(error: unknown): FaultMessage {
  const cause = inspect(error).slice(0, MAX_CAUSE_LENGTH);
  const keptBytes = process.memoryUsage.rss();
  if (error instanceof Fault) {
    return { type: "fault", code: error.code, detail: error.detail, errors: error.errors, cause, keptBytes };
  }
  const message = error instanceof Error ? error.message : "";
  const code = engineErrors.find(({ pattern }) => pattern.test(message))?.code ?? "extraction_crashed";
  return { type: "fault", code, detail: undefined, errors: undefined, cause, keptBytes };
}

function send(message: FromChild): void {
  // A failed send means that the service is gone; the disconnect handler ends this process.
  process.send?.(message, undefined, undefined, () => {});
}

/** Ctrl-C and a stopping service manager signal the whole group; the service decides when its children end. */
function outliveSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
}
