// Three processes on one database, one key, 450 requests at once: exactly 60 may pass, every time.
// Bounded: five rounds, each with a key of its own.
import { rm } from "node:fs/promises";
import { spawnService, temporaryFolder } from "../test/spawn.ts";
import { startDatabase } from "./database.ts";

const ROUNDS = 5;
const PROCESSES = 3;
const REQUESTS = 450;

const database = await startDatabase();
const dataDir = await temporaryFolder();
const env = { ...database.settings, DATA_DIR: dataDir, LOG_LEVEL: "error" };
const services = await Promise.all(Array.from({ length: PROCESSES }, () => spawnService(env)));
const rows = [];
for (let round = 1; round <= ROUNDS; round++) {
  const { apiKey: key } = await services[0]!.verified();
  const begun = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: REQUESTS }, async (_, i) => {
      const service = services[i % PROCESSES]!;
      return (await service.call("GET", "/api/v1/account", { key })).status;
    }),
  );
  const count = (status: number) => statuses.filter((each) => each === status).length;
  rows.push({ round, passed: count(200), refused: count(429), ms: Math.round(performance.now() - begun) });
}
console.table(rows);
await Promise.all(services.map((service) => service.end("SIGTERM")));
await rm(dataDir, { recursive: true, force: true });
await database.stop();
process.exitCode = rows.every(({ passed, refused }) => passed === 60 && refused === REQUESTS - 60) ? 0 : 1;
