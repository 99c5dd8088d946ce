// Processes that end while they work: killed without warning, or told to stop.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../postgres.ts";
import { settingsFor, spawnService, temporaryFolder } from "../service.ts";
import type { SpawnedService } from "../spawn.ts";
import { until } from "../until.ts";

let database: TestDatabase;
let settings: Record<string, string> & { DATA_DIR: string };
let host: Awaited<ReturnType<typeof startHost>>;
let first: SpawnedService;
beforeEach(async () => {
  database = await createDatabase();
  const folder = await temporaryFolder();
  settings = { ...settingsFor(database, folder), DATA_DIR: folder, ALLOW_PRIVATE_NETWORKS: "true", JOBS_AT_ONCE: "1" };
  host = await startHost();
  first = await spawnService(settings);
});
afterEach(async () => {
  host.close();
  await database.drop();
});

/** Keeps the first who asks waiting, so that an extraction runs for as long as its process lives. */
async function startHost() {
  let asked = 0;
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    if (asked++ === 0) held.push(response);
    else response.writeHead(200, { "content-type": "text/plain" }).end("the document");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.txt`,
    asked: () => asked,
    close: () => {
      for (const response of held) response.destroy();
      server.close();
    },
  };
}

const ends: [string, NodeJS.Signals, { losses: number; exit: number | string }][] = [
  ["is killed: its extraction is taken up within 30 seconds", "SIGKILL", { losses: 1, exit: "SIGKILL" }],
  ["is told to stop: its extraction is handed on, and that is no loss", "SIGTERM", { losses: 0, exit: 0 }],
];
test.each(ends)(
  "a process %s",
  async (_name, signal, { losses, exit }) => {
    const { apiKey: key } = await first.verified();
    const { json } = await first.call("POST", "/api/v1/extract", {
      key,
      json: { url: host.url },
      headers: { prefer: "respond-async" },
    });
    await until("it is fetching", () => host.asked() === 1);
    const second = await spawnService(settings);
    expect(await first.end(signal)).toBe(exit);
    const { text } = await until("it is completed", async () => {
      const got = await second.call("GET", `/api/v1/extractions/${json.id}`, { key });
      return got.json.status === "completed" && got;
    });
    expect(JSON.parse(text).document.text).toBe("the document");
    const rows = await database.query("SELECT runs, losses FROM extractions WHERE id = $1", [json.id]);
    expect(rows).toEqual([{ runs: 2, losses }]);
    expect(await database.query("SELECT pages FROM usage WHERE extraction_id = $1", [json.id])).toEqual([{ pages: 1 }]);
    await second.end("SIGTERM");
  },
  90_000,
);
