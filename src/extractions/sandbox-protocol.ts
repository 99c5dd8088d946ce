// What the service and a sandbox child say to each other over the IPC channel. Types only.

import type { ErrorCode } from "../errors.ts";
import type { Warning } from "../extract/document.ts";
import type { ExtractRequest } from "../extract/extract.ts";

/** Everything the child needs; it reads the input file itself and writes `source` whole. */
export interface SandboxJob extends Omit<ExtractRequest, "bytes"> {
  /** The input on local disk, under one of the sandbox's readable folders. */
  path: string;
  size: number;
  sha256: string;
  /** Instead of reading the document, make a picture of one of its pages; `json` then holds the picture. */
  render?: { page: number; rotation: 0 | 90 | 180 | 270 };
  /** What the request itself gave rise to; they stand before the reader's own. */
  warnings: Warning[];
}

export interface SandboxResult {
  /**
   * UTF-8 members of the public result without the outer braces: `"source":{…},"document":{…},…,"engine":{…}`.
   * The service wraps id, status and times around it, so megabytes are never parsed on its event loop.
   */
  json: Buffer;
  /** The few facts of the result the service itself needs. */
  kind: string;
  mimeType: string;
  /** Pages to bill. */
  pages: number;
  warnings: string[];
}

export interface Progress {
  stage: string;
  done: number;
  total: number;
}

export interface FaultMessage {
  type: "fault";
  code: ErrorCode;
  detail: string | undefined;
  errors: { pointer: string; message: string }[] | undefined;
  /** Stack of what was thrown, for the log only. */
  cause: string | undefined;
  keptBytes: number;
}

export type FromChild =
  | { type: "ready" }
  /** The job was received: from here on an exit is the job's doing. */
  | { type: "started" }
  | ({ type: "progress" } & Progress)
  /** keptBytes: resident memory of the child when the job is done. */
  | ({ type: "result"; keptBytes: number } & SandboxResult)
  | FaultMessage;
