// One PostgreSQL for the whole run, in a temporary folder. The first test file that needs it starts it (test/postgres.ts);
// here it only gets its place, and is ended and removed at the end.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../src/platform/db/embedded.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "extraction-tests-"));
  project.provide("postgresFolder", folder);
  return async () => {
    // Adopting the running server is the way to its `stop`.
    if (existsSync(join(folder, "postgres", "data"))) await (await startEmbedded(folder)).stop();
    await rm(folder, { recursive: true, force: true });
  };
}
