// What a job's end means for the caller: a child's fault message, or the way its process ended, as a Fault.
// A child is no more trusted than the document it read: what it says is taken only where it has the right shape.

import { type ErrorCode, errors, Fault } from "../errors.ts";
import type { ChildEnd } from "./sandbox-process.ts";
import type { FaultMessage, Progress, SandboxResult } from "./sandbox-protocol.ts";

const OUT_OF_MEMORY_WORDS = /heap out of memory|Reached heap limit|bad_alloc|memory allocation of \d+ bytes failed/;
/** A killed child that held this share of its cap when last looked at was most likely killed for it. */
const LARGE_SHARE = 0.5;
const MAX_STAGE_LENGTH = 100;

export interface Allowance {
  deadlineMs: number;
  memoryBytes: number;
}

export function toFault({ code, detail, errors: places, cause }: FaultMessage): Fault {
  return new Fault(Object.hasOwn(errors, code) ? code : "extraction_crashed", { detail, errors: places, cause });
}

export function isResult(message: SandboxResult): boolean {
  const { json, kind, mimeType, pages, warnings } = message;
  const facts = typeof kind === "string" && typeof mimeType === "string" && Number.isSafeInteger(pages) && pages >= 0;
  return Buffer.isBuffer(json) && facts && Array.isArray(warnings);
}

export function toProgress({ stage, done, total }: Progress): Progress {
  return { stage: String(stage).slice(0, MAX_STAGE_LENGTH), done: Number(done), total: Number(total) };
}

/** Why a child ended that nobody here has killed. */
export function judge(end: ChildEnd, lastSeenBytes: number, { memoryBytes }: Allowance): ErrorCode {
  if (OUT_OF_MEMORY_WORDS.test(end.output)) return "extraction_out_of_memory";
  // A SIGKILL that is not ours comes from the kernel when the machine's memory runs out, or from a person.
  const large = lastSeenBytes > memoryBytes * LARGE_SHARE;
  return end.signal === "SIGKILL" && large ? "extraction_out_of_memory" : "extraction_crashed";
}

export function explain(code: ErrorCode, { deadlineMs, memoryBytes }: Allowance): string | undefined {
  if (code === "extraction_timeout") return `It did not end within ${Math.round(deadlineMs / 100) / 10} seconds.`;
  if (code === "extraction_out_of_memory") return `It needed more than ${Math.round(memoryBytes / 2 ** 20)} MB.`;
  return undefined;
}
