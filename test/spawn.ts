// The service as a process of its own, which can be killed. Used by tests and by the scripts in bench/.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Caller, callerOf } from "./caller.ts";
import { until } from "./until.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

export const temporaryFolder = () => mkdtemp(join(tmpdir(), "extraction-test-"));

export interface Spawned {
  process: ChildProcess;
  /** Everything it wrote to stdout and stderr so far. */
  output(): string;
  /** How it ended: its exit code, or the signal's name. */
  ended: Promise<number | string>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

/** `npm start` without npm: the given settings and nothing else of this process's environment. */
export function spawnCli(args: string[], env: Record<string, string>): Spawned {
  const child = spawn(process.execPath, ["src/cli.ts", ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  const ended = new Promise<number | string>((resolve) =>
    child.once("close", (code, signal) => resolve(signal ?? code ?? -1)),
  );
  return {
    process: child,
    output: () => chunks.join(""),
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

export interface SpawnedService extends Spawned, Caller {}

/** Waits until it tells where to sign up. Without DATABASE_URL among the settings its database is embedded in DATA_DIR. */
export async function spawnService(env: Record<string, string> & { DATA_DIR: string }): Promise<SpawnedService> {
  const spawned = spawnCli(["serve"], { PORT: "0", JOBS_AT_ONCE: "1", ...env });
  let exit: number | string | undefined;
  void spawned.ended.then((how) => {
    exit = how;
  });
  const baseUrl = await until("the service tells its address", () => {
    if (exit !== undefined) throw new Error(`the service ended with ${exit}: ${spawned.output()}`);
    return /(https?:\/\/\S+)\/register/.exec(spawned.output())?.[1];
  });
  return { ...spawned, ...callerOf({ baseUrl, dataDir: env.DATA_DIR }) };
}
