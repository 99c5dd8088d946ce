import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../until.ts";
import { type Stage, setStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { JOBS_PER_ACCOUNT: "3" } });
});
afterAll(() => stage.stop());

const ended = async (who: Stage, ids: string[]) => {
  for (const id of ids) await who.cancel(id);
};

describe("progress", () => {
  test("queued, then processing with progress by stage and page, then ended; a terminal state never changes", async () => {
    const hang = await stage.send("hang");
    const { json } = await until("progress is visible", async () => {
      const answer = await stage.get(`/extractions/${hang}`);
      return answer.json.progress?.stage === "ocr" && answer;
    });
    expect(json).toMatchObject({
      id: hang,
      object: "extraction",
      status: "processing",
      progress: { stage: "ocr", pages_done: 3, pages_total: 7 },
      completed_at: null,
      expires_at: null,
    });
    expect((await stage.cancel(hang)).json).toMatchObject({ id: hang, status: "canceled" });
    const again = await stage.cancel(hang);
    expect([again.status, again.json.code]).toEqual([409, "extraction_ended"]);
    expect((await stage.get(`/extractions/${hang}`)).json.status).toBe("canceled");
  });
});

describe("cancel", () => {
  test("while it runs: its child is killed and the place goes to the next", async () => {
    const running = [await stage.send("hang"), await stage.send("hang")];
    for (const id of running) await stage.reaches(id, "processing");
    const next = await stage.send("behind them");
    expect((await stage.get(`/extractions/${next}`)).json.status).toBe("queued");
    await stage.cancel(running[0]!);
    await stage.reaches(next, "completed");
    await ended(stage, running.slice(1));
  });

  test("while it is queued, and while it waits behind others of its account", async () => {
    const hangs = await Promise.all(Array.from({ length: 3 }, () => stage.send("hang")));
    const waiting = [await stage.send("one"), await stage.send("two")];
    for (const id of [waiting[0]!, hangs[2]!]) expect((await stage.cancel(id)).json.status).toBe("canceled");
    await ended(stage, hangs.slice(0, 2));
    await stage.reaches(waiting[1]!, "completed");
    const [load] = await stage.database.query("SELECT active, waiting FROM account_loads WHERE account_id = $1", [
      stage.account.id,
    ]);
    expect(load).toEqual({ active: 0, waiting: 0 });
  });

  test("nobody else's", async () => {
    const id = await stage.send("text");
    const stranger = await stage.another();
    for (const answer of [
      await stranger.cancel(id),
      await stranger.erase(id),
      await stranger.get(`/extractions/${id}`),
    ])
      expect([answer.status, answer.json.code]).toEqual([404, "not_found"]);
  });
});

test("one account's 50 do not hold up another's one", async () => {
  const many = await Promise.all(Array.from({ length: 50 }, () => stage.send("hang")));
  const other = await stage.another();
  const id = await other.send("mine");
  stage.clock.advance(10);
  // Three of the fifty may go first; each that ends makes room for the other account's before a fourth.
  const started: string[] = [];
  await until("the other account's one has its turn", async () => {
    const { json } = await other.get(`/extractions/${id}`);
    if (json.status !== "queued") return true;
    const list = await stage.get("/extractions?status=processing&limit=100");
    for (const { id } of list.json.data) {
      if (!started.includes(id)) started.push(id);
      await stage.cancel(id);
    }
    return false;
  });
  expect(started.length).toBeLessThanOrEqual(5);
  await ended(stage, many);
}, 60_000);

test("a sync request is answered 202 with Location and Retry-After when its wait is over, and goes on", async () => {
  const answer = await stage.extract({ json: { text: "hang" }, headers: { prefer: "wait=1" } });
  expect(answer.status).toBe(202);
  expect(answer.headers.get("location")).toBe(`/api/v1/extractions/${answer.json.id}`);
  expect(answer.headers.get("x-extract-request-id")).toBe(answer.json.id);
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(answer.json).toMatchObject({ object: "extraction", status: "processing" });
  expect(answer.json).not.toHaveProperty("document");
  await stage.cancel(answer.json.id);
});

test("a client that goes away mid-wait loses nothing", async () => {
  const blocker = [await stage.send("hang"), await stage.send("hang")];
  const client = new AbortController();
  const gone = fetch(`${stage.baseUrl}/api/v1/extract`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.account.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ text: "of the one who went away" }),
    signal: client.signal,
  }).catch((error) => error.name);
  const id = await until("it is queued", async () => {
    const { json } = await stage.get("/extractions?status=queued");
    return json.data[0]?.id;
  });
  client.abort();
  expect(await gone).toBe("AbortError");
  await ended(stage, blocker);
  const { json } = await stage.reaches(id, "completed");
  expect(json.document.text).toBe("of the one who went away");
});

test("GET ?wait= answers when it ends, or when the time is over; it asks the database no more than a few times", async () => {
  const id = await stage.send("hang");
  await stage.reaches(id, "processing");
  const early = await stage.get(`/extractions/${id}?wait=1`);
  expect(early.json.status).toBe("processing");
  const waits = stage.get(`/extractions/${id}?wait=60`);
  await stage.cancel(id);
  expect((await waits).json.status).toBe("canceled");
});

test("a canceled sync request is told so", async () => {
  const waits = stage.extract({ json: { text: "hang", metadata: { mark: "me" } } });
  const id = await until("it runs", async () => {
    const { json } = await stage.get("/extractions?status=processing");
    return json.data.find((each: { metadata: { mark?: string } }) => each.metadata.mark === "me")?.id;
  });
  await stage.cancel(id);
  const answer = await waits;
  expect([answer.status, answer.json.code]).toEqual([409, "extraction_canceled"]);
});

test("a document that crashes its reader fails with extraction_crashed and costs nobody else anything", async () => {
  const crash = await stage.extract({ json: { text: "crash" } });
  expect([crash.status, crash.json.code]).toEqual([422, "extraction_crashed"]);
  expect(crash.headers.get("content-type")).toContain("application/problem+json");
  const fine = await stage.extract({ json: { text: "fine" } });
  expect([fine.status, fine.json.document.text]).toEqual([200, "fine"]);
});

test("a failed extraction: the sync answer is the problem itself, GET has the envelope with error and no document", async () => {
  const answer = await stage.extract({ json: { text: "corrupt", metadata: { a: [1, "ü"] } } });
  expect(answer.status).toBe(422);
  const problem = answer.json;
  expect(problem).toEqual({
    type: `${stage.baseUrl}/docs/errors/corrupt_document`,
    title: "The document is damaged and could not be read",
    status: 422,
    detail: "The test says so.",
    code: "corrupt_document",
    request_id: answer.headers.get("x-extract-request-id"),
    retryable: false,
  });
  const got = await stage.get(`/extractions/${problem.request_id}`);
  expect(got.status).toBe(200);
  expect(got.json).toMatchObject({
    id: problem.request_id,
    status: "failed",
    error: problem,
    metadata: { a: [1, "ü"] },
  });
  expect(got.json).not.toHaveProperty("document");
  const rows = await stage.database.query("SELECT 1 FROM usage WHERE extraction_id = $1", [problem.request_id]);
  expect(rows).toHaveLength(0);
});

describe("delete", () => {
  const blobs = async () => (await readdir(join(stage.dataDir, "blobs"), { recursive: true })).join("\n");

  test("erases input and result at once; 410 afterwards, by every way", async () => {
    const { json } = await stage.extract({ json: { text: "to be erased", metadata: { secret: "of mine" } } });
    expect(await blobs()).toContain(json.id);
    const answer = await stage.erase(json.id);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(await blobs()).not.toContain(json.id);
    for (const again of [
      await stage.get(`/extractions/${json.id}`),
      await stage.erase(json.id),
      await stage.cancel(json.id),
    ])
      expect([again.status, again.json.code]).toEqual([410, "gone"]);
    const rows = await stage.database.query("SELECT 1 FROM results WHERE extraction_id = $1", [json.id]);
    expect(rows).toHaveLength(0);
    const [row] = await stage.database.query("SELECT row_to_json(e)::text AS all FROM extractions e WHERE id = $1", [
      json.id,
    ]);
    expect(row!.all).not.toContain("of mine");
    const list = await stage.get("/extractions?limit=100");
    expect(list.json.data.map(({ id }: { id: string }) => id)).not.toContain(json.id);
  });

  test("while it runs", async () => {
    const id = await stage.send("hang");
    await stage.reaches(id, "processing");
    expect((await stage.erase(id)).status).toBe(204);
    expect(await blobs()).not.toContain(id);
    expect((await stage.get(`/extractions/${id}`)).status).toBe(410);
    const next = await stage.extract({ json: { text: "next" } });
    expect(next.status).toBe(200);
  });
});

test("the list: newest first, by cursor, filtered by status", async () => {
  const who = await stage.another();
  const done: string[] = [];
  for (const text of ["a", "b", "corrupt", "c"]) {
    const { headers } = await who.extract({ json: { text } });
    done.push(headers.get("x-extract-request-id")!);
  }
  const ids = ({ json }: { json: { data: { id: string }[] } }) => json.data.map(({ id }) => id);
  const first = await who.get("/extractions?limit=3");
  expect(first.json).toMatchObject({ object: "list", has_more: true });
  expect(ids(first)).toEqual([done[3], done[2], done[1]]);
  const second = await who.get(`/extractions?limit=3&cursor=${first.json.next_cursor}`);
  expect(second.json).toMatchObject({ has_more: false, next_cursor: null });
  expect(ids(second)).toEqual([done[0]]);
  expect(ids(await who.get("/extractions?status=failed"))).toEqual([done[2]]);
  expect(first.json.data[0]).not.toHaveProperty("document");
  const bad = await who.get("/extractions?status=nonsense&limit=0");
  expect([bad.status, bad.json.code]).toEqual([422, "invalid_request"]);
});

test("an id that is none is 404", async () => {
  const answer = await stage.get("/extractions/what-is-this");
  expect([answer.status, answer.json.code]).toEqual([404, "not_found"]);
});

test("every completed extraction has one row in the ledger, with its pages", async () => {
  const { json } = await stage.extract({ json: { text: "one page" } });
  const rows = await stage.database.query("SELECT pages, account_id FROM usage WHERE extraction_id = $1", [json.id]);
  expect(rows).toEqual([{ pages: 1, account_id: stage.account.id }]);
});
