// A sandbox whose children run the fixture, and jobs for it.

import { join } from "node:path";
import { defaultLimits, defaultOptions } from "../../src/extract/extract.ts";
import { Sandbox, type SandboxJob, type SandboxSettings } from "../../src/extractions/sandbox.ts";

export const MEGABYTE = 2 ** 20;

export function openSandbox(settings: Partial<SandboxSettings> = {}): Sandbox {
  return new Sandbox({
    size: 1,
    memoryBytes: 512 * MEGABYTE,
    recycleAfter: 1000,
    readable: [],
    childModule: join(import.meta.dirname, "sandbox-fixture.ts"),
    log: { debug() {}, warn() {}, error() {} },
    ...settings,
  });
}

/** `schema` names what the fixture does. */
export function makeJob(schema: string, name = "", path = ""): SandboxJob {
  const request = { name, contentType: null, url: null, options: defaultOptions, schema, limits: defaultLimits };
  return { ...request, path, size: 0, sha256: "", warnings: [] };
}
