// How long documents and results are kept, what a full queue does, and documents behind an address.
import { readdir } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { eraseExpired } from "../../src/extractions/erase.ts";
import { until } from "../until.ts";
import { type Stage, setStage } from "./stage.ts";

const DAY_MS = 86_400_000;
let stage: Stage;
afterEach(() => stage.stop());

const inputs = async () => {
  const names = await readdir(join(stage.dataDir, "blobs"), { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes("-")).map((name) => name.split("/").pop());
};

test("input and result are kept 30 days, then erased: 410", async () => {
  stage = await setStage();
  const { json } = await stage.extract({ json: { text: "kept" } });
  expect(Date.parse(json.expires_at) - Date.parse(json.completed_at)).toBe(30 * DAY_MS);
  stage.clock.advance(30 * DAY_MS - 1);
  expect(await eraseExpired(stage.service.app)).toBe(0);
  expect((await stage.get(`/extractions/${json.id}`)).json.document.text).toBe("kept");
  stage.clock.advance(1);
  expect(await eraseExpired(stage.service.app)).toBe(1);
  const { status, json: problem } = await stage.get(`/extractions/${json.id}`);
  expect([status, problem.code]).toEqual([410, "gone"]);
  expect(await inputs()).toEqual([]);
});

test("RETENTION_DAYS=0: the input goes when the job ends, the result once it was fetched", async () => {
  stage = await setStage({ env: { RETENTION_DAYS: "0" } });
  const { json, status } = await stage.extract({ json: { text: "answered" } });
  expect([status, json.document.text]).toEqual([200, "answered"]);
  await until("the answered one is erased", async () => (await stage.get(`/extractions/${json.id}`)).status === 410);

  const id = await stage.send("polled");
  const first = await stage.get(`/extractions/${id}?wait=20`);
  expect(first.json.document.text).toBe("polled");
  await until("its input is gone", async () => (await inputs()).length === 0);
  await until("the fetched one is erased", async () => (await stage.get(`/extractions/${id}`)).status === 410);

  const canceled = await stage.send("hang");
  await stage.cancel(canceled);
  await until("its input is gone", async () => (await inputs()).length === 0);
});

test("a queue that is full is 503 overloaded with Retry-After, and takes work again later", async () => {
  stage = await setStage({ env: { MAX_QUEUED: "3", JOBS_AT_ONCE: "1", JOBS_PER_ACCOUNT: "1" } });
  const ids = [await stage.send("hang"), await stage.send("a"), await stage.send("b"), await stage.send("c")];
  const full = await until("it is full", async () => {
    const answer = await stage.extract({ json: { text: "d" }, headers: { prefer: "respond-async" } });
    if (answer.status === 202) ids.push(answer.json.id);
    return answer.status === 503 && answer;
  });
  expect(full.json).toMatchObject({ code: "overloaded", retryable: true });
  expect(full.headers.get("retry-after")).toBe("10");
  for (const id of ids.slice(1)) await stage.cancel(id);
  await until("it takes work again", async () => {
    const answer = await stage.extract({ json: { text: "d" }, headers: { prefer: "respond-async" } });
    return answer.status === 202;
  });
  await stage.cancel(ids[0]!);
});

async function host(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test("url: fetched, redirects followed, named after its address; what cannot be fetched is told", async () => {
  stage = await setStage({ env: { ALLOW_PRIVATE_NETWORKS: "true", MAX_FILE_BYTES: "1000" } });
  const files = await host((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/r%C3%A9sum%C3%A9.txt" }).end();
    else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (request.url === "/large") response.end("x".repeat(1001));
    else if (request.url === "/empty") response.end();
    else if (request.url === "/missing") response.writeHead(404).end();
    else if (request.url === "/broken")
      response.writeHead(200, { "content-length": "9" }).write("half", () => response.destroy());
    else response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end("fetched");
  });
  const ask = (path: string) => stage.extract({ json: { url: files.origin + path } });
  const { status, json } = await ask("/moved");
  expect([status, json.document.text]).toEqual([200, "fetched"]);
  expect(json.source).toMatchObject({ name: "résumé.txt", size: 7, url: `${files.origin}/moved` });
  const outcomes: Record<string, unknown[]> = {};
  for (const path of ["/loop", "/large", "/empty", "/missing", "/broken"]) {
    const answer = await ask(path);
    outcomes[path] = [answer.status, answer.json.code];
  }
  expect(outcomes).toEqual({
    "/loop": [422, "unfetchable_url"],
    "/large": [413, "file_too_large"],
    "/empty": [422, "empty_document"],
    "/missing": [422, "unfetchable_url"],
    "/broken": [422, "unfetchable_url"],
  });
  files.close();
});

test("url: private addresses are refused at the door", async () => {
  stage = await setStage();
  for (const url of [
    "http://127.0.0.1/",
    "http://169.254.169.254/latest",
    "http://[::1]/",
    "ftp://example.com/",
    "x",
  ]) {
    const { status, json } = await stage.extract({ json: { url } });
    expect([status, json.errors?.[0]?.pointer]).toEqual([422, "/url"]);
  }
});

test("one deleted while it is fetched leaves nothing behind", async () => {
  stage = await setStage({ env: { ALLOW_PRIVATE_NETWORKS: "true" } });
  let asked = false;
  const files = await host(() => {
    asked = true;
  });
  const { json } = await stage.extract({ json: { url: `${files.origin}/a` }, headers: { prefer: "respond-async" } });
  await until("it is being fetched", () => asked);
  expect((await stage.erase(json.id)).status).toBe(204);
  await until("its place is free", async () => (await stage.extract({ json: { text: "next" } })).status === 200);
  expect(await inputs()).toHaveLength(1);
  files.close();
});
