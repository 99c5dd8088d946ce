// Pictures of pages, for people who look at an extraction. Made in a sandbox of their own, started when somebody first looks,
// so that looking never waits for reading.
import { join } from "node:path";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { defaultLimits, defaultOptions } from "../extract/extract.ts";
import type { Extraction } from "./extractions.ts";
import { Sandbox } from "./sandbox.ts";

const DEADLINE_MS = 20_000;
const MEMORY_BYTES = 1_024 * 2 ** 20;
const RECYCLE_AFTER = 1_000;

export interface Looking {
  picture(extraction: Extraction, page: number, rotation: 0 | 90 | 180 | 270): Promise<Buffer>;
  close(): Promise<void>;
}

export function openLooking(app: App): Looking {
  let sandbox: Sandbox | undefined;
  return {
    async picture(extraction, page, rotation) {
      if (!extraction.request || extraction.size === null) throw new Fault("gone");
      sandbox ??= open(app);
      const input = await app.blobs.localPath(extraction.id);
      try {
        const { name, contentType } = extraction.request;
        const { json } = await sandbox.run(
          {
            path: input.path,
            name,
            contentType,
            url: null,
            size: extraction.size,
            sha256: extraction.sha256 ?? "",
            options: defaultOptions,
            schema: null,
            warnings: [],
            limits: defaultLimits,
            render: { page, rotation },
          },
          { deadlineMs: DEADLINE_MS },
        );
        return json;
      } finally {
        await input.release();
      }
    },
    close: async () => sandbox?.close(),
  };
}

const open = (app: App) =>
  new Sandbox({
    size: 1,
    memoryBytes: MEMORY_BYTES,
    recycleAfter: RECYCLE_AFTER,
    readable: [join(app.config.dataDir, "blobs")],
    childModule: join(import.meta.dirname, "sandbox-render-child.ts"),
    log: app.log,
  });
