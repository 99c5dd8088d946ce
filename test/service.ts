// The service for tests: in this process with a clock that can be moved, or as a process of its own that can be killed.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { World } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import type { Clock } from "../src/platform/clock.ts";
import { openLog } from "../src/platform/telemetry/log.ts";
import { type Service, startService } from "../src/serve.ts";
import { type Caller, callerOf } from "./caller.ts";
import { createDatabase, type TestDatabase } from "./postgres.ts";
import { until } from "./until.ts";

export const TEST_SECRET_KEY = "a secret key that only tests have";
const root = fileURLToPath(new URL("..", import.meta.url));

/** Stands still until it is moved, for our own code and for the database's statements alike. */
export interface MovableClock extends Clock {
  advance(ms: number): void;
}

export function movableClock(start = new Date()): MovableClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    inDatabase: () => new Date(now),
    advance: (ms) => {
      now += ms;
    },
  };
}

export interface TestService extends Caller {
  service: Service;
  clock: MovableClock;
  database: TestDatabase;
  /** Every line logged so far, as it was written. */
  logs: string[];
  stop(): Promise<void>;
}

interface TestServiceOptions {
  /** Settings, over those a test needs. */
  env?: Record<string, string>;
  world?: World;
  /** Another service's database and data folder: the two then stand beside each other as two processes would. */
  beside?: TestService;
}

export async function startTestService({ env, world, beside }: TestServiceOptions = {}): Promise<TestService> {
  const database = beside?.database ?? (await createDatabase());
  const dataDir = beside?.dataDir ?? (await temporaryFolder());
  const clock = beside?.clock ?? movableClock();
  const logs: string[] = [];
  const config = readConfig({ ...settingsFor(database, dataDir), LOG_LEVEL: "debug", ...env });
  const log = openLog(config.logLevel, { write: (line) => logs.push(line) });
  const service = await startService(config, { clock, log, ...world });
  return {
    ...callerOf({ baseUrl: service.app.baseUrl, dataDir }),
    service,
    clock,
    database,
    logs,
    async stop() {
      await service.stop();
      if (beside) return;
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What a process needs to join the database of a test. */
export const settingsFor = (database: TestDatabase, dataDir: string): Record<string, string> => ({
  DATABASE_URL: database.url,
  DATABASE_POOL: "5",
  SECRET_KEY: TEST_SECRET_KEY,
  DATA_DIR: dataDir,
  PORT: "0",
});

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
  const spawned = spawnCli(["serve"], { PORT: "0", ...env });
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
