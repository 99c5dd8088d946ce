// A sandbox child that does what the document says, so that tests decide how long an extraction runs and how it ends.
import { readFile } from "node:fs/promises";
import { Fault } from "../../src/errors.ts";
import { serve, type Work } from "../../src/extractions/sandbox-serve.ts";

const acts: Record<string, (progress: Parameters<Work>[1]) => unknown> = {
  hang: (progress) => {
    progress({ stage: "ocr", done: 3, total: 7 });
    return new Promise(() => {});
  },
  crash: () => process.abort(),
  corrupt: () => {
    throw new Fault("corrupt_document", { detail: "The test says so." });
  },
};

await serve(async () => async ({ path, name, url, size, sha256, warnings }, progress) => {
  const text = await readFile(path, "utf8");
  await acts[text]?.(progress);
  const members = {
    source: { kind: "text", mime_type: "text/plain", name, size, sha256, url },
    document: { text },
    warnings,
  };
  return {
    json: Buffer.from(JSON.stringify(members).slice(1, -1)),
    kind: "text",
    mimeType: "text/plain",
    pages: 1,
    warnings: [],
  };
});
