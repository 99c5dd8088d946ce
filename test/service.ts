// The service for tests, in this process and with a clock that can be moved. As a process of its own: spawn.ts.
import { rm } from "node:fs/promises";
import type { World } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import type { Clock } from "../src/platform/clock.ts";
import { openLog } from "../src/platform/telemetry/log.ts";
import { type Service, startService } from "../src/serve.ts";
import { type Caller, callerOf } from "./caller.ts";
import { createDatabase, type TestDatabase } from "./postgres.ts";
import { temporaryFolder } from "./spawn.ts";

export { spawnCli, spawnService, temporaryFolder } from "./spawn.ts";

export const TEST_SECRET_KEY = "a secret key that only tests have";

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
  // One child for extractions is enough for most tests; each takes a core while it starts.
  JOBS_AT_ONCE: "1",
});
