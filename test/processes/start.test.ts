// The service as processes: started, refused, stopped, killed, several at once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { killRounds } from "../kill-rounds.ts";
import { createDatabase } from "../postgres.ts";
import { settingsFor } from "../service.ts";
import { type Spawned, spawnCli, spawnService, temporaryFolder } from "../spawn.ts";
import { until } from "../until.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function folder(): Promise<string> {
  const path = await temporaryFolder();
  cleanUps.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Ended with the test, however the test ends. */
function tracked<T extends Spawned>(spawned: T): T {
  cleanUps.push(() => spawned.end("SIGTERM"));
  return spawned;
}

const lineOf = (spawned: Spawned) => spawned.output().trim();

test("one command starts it with its own database; SIGTERM ends both; the next start finds everything", async () => {
  const DATA_DIR = await folder();
  const first = tracked(await spawnService({ DATA_DIR }));
  expect(first.output()).toContain(`sign up   ${first.baseUrl}/register`);
  expect((await first.call("GET", "/ready")).json).toEqual({ status: "ready" });
  const { apiKey, email } = await first.verified();

  const second = spawnCli(["serve"], { DATA_DIR, PORT: "0" });
  expect(await second.ended).toBe(1);
  expect(lineOf(second)).toBe(
    `extraction-service: another service runs on ${DATA_DIR}; stop it, choose another DATA_DIR, or share a server by DATABASE_URL`,
  );
  expect((await first.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(200);

  expect(await first.end("SIGTERM")).toBe(0);
  expect(first.output()).not.toContain('"level":"error"');
  const third = tracked(await spawnService({ DATA_DIR }));
  expect((await third.call("GET", "/api/v1/account", { key: apiKey })).json.email).toBe(email);

  await third.end("SIGKILL");
  const fourth = tracked(await spawnService({ DATA_DIR }));
  expect((await fourth.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(200);
  expect(await fourth.end("SIGINT")).toBe(0);
}, 120_000);

test("a signal that comes while it starts is obeyed, and the next start is clean", async () => {
  const DATA_DIR = await folder();
  const early = spawnCli(["serve"], { DATA_DIR, PORT: "0" });
  await until("it has begun", () => existsSync(`${DATA_DIR}/postgres/data`));
  expect(await early.end("SIGTERM")).toBe(0);
  const next = tracked(await spawnService({ DATA_DIR }));
  expect((await next.call("GET", "/ready")).status).toBe(200);
}, 120_000);

test("migrations are applied once by three simultaneous starts on an empty database, which then serve together", async () => {
  const database = await createDatabase({ migrated: false });
  cleanUps.push(() => database.drop());
  const DATA_DIR = await folder();
  const env = { ...settingsFor(database, DATA_DIR), DATA_DIR };
  const [one, two, three] = (await Promise.all([1, 2, 3].map(() => spawnService(env)))).map(tracked);
  const names = await database.query<{ name: string }>("SELECT name FROM kysely_migration");
  expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
  const { apiKey } = await one!.verified();
  const ask = (service: typeof one, key: string) => service!.call("GET", "/api/v1/account", { key });
  expect((await ask(two, apiKey)).status).toBe(200);
  const { json } = await three!.call("POST", "/api/v1/account/rotate-key", { key: apiKey });
  for (const service of [one, two, three]) expect((await ask(service, apiKey)).status).toBe(401);
  for (const service of [one, two, three]) expect((await ask(service, json.api_key)).status).toBe(200);

  const stranger = spawnCli(["serve"], { ...env, SECRET_KEY: "another key of at least 32 characters" });
  expect(await stranger.ended).toBe(1);
  expect(lineOf(stranger)).toMatch(/^extraction-service: SECRET_KEY is not the one this database was made with/);
}, 120_000);

test("a web process takes requests and a worker does the work", async () => {
  const database = await createDatabase();
  cleanUps.push(() => database.drop());
  const DATA_DIR = await folder();
  const env = { ...settingsFor(database, DATA_DIR), DATA_DIR };
  const web = tracked(await spawnService({ ...env, ROLE: "web" }));
  const { email } = await web.signUp();
  expect(await web.mails(email)).toEqual([]);
  tracked(spawnCli(["worker"], env));
  const { token } = await web.mail(email);
  expect((await web.call("POST", "/verify", { json: { token } })).status).toBe(200);
}, 120_000);

test("SIGTERM to `npm start` ends the service with it, not only npm", async () => {
  const database = await createDatabase();
  cleanUps.push(() => database.drop());
  const DATA_DIR = await folder();
  const npm = spawn("npm", ["start"], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settingsFor(database, DATA_DIR) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  npm.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = once(npm, "close");
  const baseUrl = await until("it tells its address", () => /(https?:\S+)\/register/.exec(output)?.[1]);
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  npm.kill("SIGTERM");
  await ended;
  await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
}, 60_000);

const unreachable = { DATABASE_URL: "postgres://u:hidden@127.0.0.1:1/d", SECRET_KEY: "k".repeat(32) };

test.for<[Record<string, string>, RegExp]>([
  [{ PORT: "abc" }, /^extraction-service: PORT must be a whole number from 0 to 65535$/],
  [{ DATA_DIR: "/dev/null/data" }, /^extraction-service: DATA_DIR cannot be used: .+$/],
  [unreachable, /^extraction-service: the database does not let us in: .*ECONNREFUSED.*$/],
  [{ ROLE: "web" }, /^extraction-service: ROLE web needs DATABASE_URL.+$/],
])("Bad configuration %o: one clear line, exit 1", async ([env, line]) => {
  const spawned = spawnCli(["serve"], env);
  expect(await spawned.ended).toBe(1);
  expect(lineOf(spawned)).toMatch(line);
  expect(lineOf(spawned)).not.toContain("hidden");
});

test("a port that is taken: one clear line, exit 1", async () => {
  const database = await createDatabase();
  cleanUps.push(() => database.drop());
  const DATA_DIR = await folder();
  const env = { ...settingsFor(database, DATA_DIR), DATA_DIR };
  const first = tracked(await spawnService(env));
  const { port } = new URL(first.baseUrl);
  const second = spawnCli(["serve"], { ...env, PORT: port });
  expect(await second.ended).toBe(1);
  expect(lineOf(second)).toBe(`extraction-service: port ${port} is taken; set PORT to another`);
}, 60_000);

test("kill -9 during registrations and rotations: nothing acknowledged is lost, every restart is clean", async () => {
  const { wrong, registered, restartMs } = await killRounds(3);
  expect(wrong).toEqual([]);
  expect(registered).toBeGreaterThan(0);
  expect(restartMs).toHaveLength(3);
}, 180_000);
