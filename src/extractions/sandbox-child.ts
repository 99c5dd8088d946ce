// The program of a sandbox child: reads the input, runs extract() on it and writes the members of the public result.

import { readFile } from "node:fs/promises";
import { Fault } from "../errors.ts";
import { serve, type Work } from "./sandbox-serve.ts";

/** The service holds a result whole to store and send it; 50 MB of plain text come to 180 MB of text, markdown and elements. */
const MAX_RESULT_BYTES = 256 * 2 ** 20;

await serve(async (): Promise<Work> => {
  const { extract } = await import("../extract/extract.ts");

  return async ({ path, size, sha256, warnings: given, ...request }, progress) => {
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      // The extraction was deleted between being taken up and being read.
      throw error.code === "ENOENT" ? new Fault("gone") : error;
    });
    const extracted = await extract({ ...request, bytes }, (stage, done, total) => progress({ stage, done, total }));
    const { name, url } = request;
    const source = { ...extracted.source, name, size, sha256, url };
    const warnings = [...given, ...extracted.warnings];
    const json = Buffer.from(JSON.stringify({ ...extracted, source, warnings }).slice(1, -1));
    if (json.length > MAX_RESULT_BYTES) {
      throw new Fault("document_too_complex", {
        detail: "The result would be larger than 256 MB. Choose fewer parts or pages.",
      });
    }
    return {
      json,
      kind: source.kind,
      mimeType: source.mime_type,
      pages: extracted.usage.pages,
      warnings: warnings.map((warning) => warning.code),
    };
  };
});
