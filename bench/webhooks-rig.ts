// What the webhook benches stand on: an embedded PostgreSQL in a temporary folder, service processes on it that can be
// killed, and a certificate that they trust.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbedded } from "../src/platform/db/embedded.ts";
import { type Caller, callerOf } from "../test/caller.ts";
import { type Certificate, makeCertificate } from "../test/certificate.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

export interface Rig {
  certificate: Certificate;
  sql: pg.Pool;
  /** A service process; resolves when it says that it works. */
  start(role: "all" | "web" | "worker", env?: Record<string, string>): Promise<ChildProcess>;
  /** Of the last process that answers HTTP. */
  caller(): Caller;
  close(): Promise<void>;
}

export async function openRig(settings: Record<string, string>): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), "webhooks-bench-"));
  const certificate = makeCertificate();
  const ca = join(folder, "ca.pem");
  await writeFile(ca, certificate.cert);
  const server = await startEmbedded(folder);
  const { user, password, host } = server.connection;
  const url = `postgres://${user}:${password}@localhost/postgres?host=${encodeURIComponent(host)}`;
  const sql = new pg.Pool({ connectionString: url, max: 4 });
  sql.on("error", () => {});
  const children = new Set<ChildProcess>();
  let baseUrl = "";

  return {
    certificate,
    sql,
    async start(role, env = {}) {
      const child = spawn(process.execPath, ["src/cli.ts", "serve"], {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          DATABASE_URL: url,
          SECRET_KEY: "a secret key that only benches have",
          DATA_DIR: folder,
          PORT: "0",
          ROLE: role,
          NODE_EXTRA_CA_CERTS: ca,
          ALLOW_PRIVATE_NETWORKS: "true",
          RATE_LIMIT_PER_MINUTE: "1000000",
          LOG_LEVEL: "warn",
          ...settings,
          ...env,
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.add(child);
      child.once("exit", () => children.delete(child));
      if (role === "worker") return child;
      let said = "";
      for await (const chunk of child.stdout) {
        said += chunk;
        const found = /(https?:\/\/\S+)\/register/.exec(said)?.[1];
        if (!found) continue;
        baseUrl = found;
        break;
      }
      return child;
    },
    caller: () => callerOf({ baseUrl, dataDir: folder }),
    async close() {
      await Promise.all([...children].map((child) => end(child, "SIGTERM")));
      await sql.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** The value that this share of them does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const rounded = (value: number) => Math.round(value * 10) / 10;
