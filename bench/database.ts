// An embedded PostgreSQL for a benchmark, shared by several processes the way a server is, and removed with it.
import { rm } from "node:fs/promises";
import { startEmbedded } from "../src/platform/db/embedded.ts";
import { temporaryFolder } from "../test/spawn.ts";

export interface BenchDatabase {
  settings: { DATABASE_URL: string; SECRET_KEY: string };
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<BenchDatabase> {
  const folder = await temporaryFolder();
  const server = await startEmbedded(folder);
  const { user, password, host, database } = server.connection;
  return {
    settings: {
      DATABASE_URL: `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`,
      SECRET_KEY: "a secret key that only benchmarks have",
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
