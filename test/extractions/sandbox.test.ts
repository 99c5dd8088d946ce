import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Progress, RunSettings, Sandbox, SandboxSettings } from "../../src/extractions/sandbox.ts";
import { MEGABYTE, makeJob, openSandbox } from "./sandbox-setup.ts";

const LONG_MS = 25_000; // never reached in a test that passes
const here = import.meta.dirname;
let folder: string;
const open: Sandbox[] = [];
/** For jobs that leave their child as it was. */
let shared: Sandbox;
const calm = (act: string, name?: string, run?: Partial<RunSettings>) => runIn(shared, act, name, run);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  shared = openSandbox({ readable: [folder] });
});

afterAll(async () => {
  await shared.close();
  await rm(folder, { recursive: true, force: true });
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

function start(settings: Partial<SandboxSettings> = {}) {
  const sandbox = openSandbox(settings);
  open.push(sandbox);
  return (act: string, name?: string, run?: Partial<RunSettings>) => runIn(sandbox, act, name, run);
}

async function runIn(sandbox: Sandbox, act: string, name = "", run: Partial<RunSettings> = {}): Promise<unknown> {
  const { json } = await sandbox.run(makeJob(act, name), { deadlineMs: LONG_MS, ...run });
  return JSON.parse(json.toString());
}

describe("a job", () => {
  test("comes back with its result, one child after the other taking what waits", async () => {
    const run = start({ size: 2 });
    const names = Array.from({ length: 20 }, (_, index) => `job ${index}`);
    expect(await Promise.all(names.map((name) => run("echo", name)))).toEqual(names);
  });

  test("runs beside another one", async () => {
    const run = start({ size: 2 });
    const stuck = run("hang", "", { signal: AbortSignal.timeout(LONG_MS) });
    stuck.catch(() => {});
    expect(await run("echo", "not held up")).toBe("not held up");
    expect(await run("echo", "nor is the next")).toBe("nor is the next");
  });

  test("that throws a Fault rejects with the same one", async () => {
    await expect(calm("fault")).rejects.toMatchObject({
      name: "Fault",
      code: "invalid_schema",
      detail: "type must be a string",
      errors: [{ pointer: "/properties/a/type", message: "must be a string" }],
    });
  });

  test("that throws anything else is extraction_crashed, says nothing of the cause, and keeps its child", async () => {
    const pid = await calm("pid");
    await expect(calm("throw")).rejects.toMatchObject({
      code: "extraction_crashed",
      detail: undefined,
      cause: expect.stringContaining("cannot read properties"),
    });
    expect(await calm("pid")).toBe(pid);
  });

  test("that nests too deep for the stack is document_too_complex", async () => {
    await expect(calm("recurse")).rejects.toMatchObject({ code: "document_too_complex" });
  });

  test("may have a large result", async () => {
    expect(await calm("large result", "30")).toBe("x".repeat(30 * MEGABYTE));
  });

  test("reports progress, but not ten thousand times", async () => {
    const seen: Progress[] = [];
    await calm("progress", "", { onProgress: (progress) => seen.push(progress) });
    expect(seen[0]).toEqual({ stage: "ocr", done: 0, total: 10_000 });
    expect(seen.length).toBeLessThan(100);
  });
});

describe("a job that goes wrong costs its own child only:", () => {
  test.each([
    ["process.abort()", "abort", "extraction_crashed"],
    ["a segmentation fault", "segfault", "extraction_crashed"],
    ["an exit with code 0", "exit", "extraction_crashed"],
    ["an error nobody catches", "throw later", "extraction_crashed"],
    ["memory outside of the heap", "fill native memory", "extraction_out_of_memory"],
  ])("%s", async (_what, act, code) => {
    const run = start({ size: 2, memoryBytes: 256 * MEGABYTE });
    const neighbours = Promise.all(Array.from({ length: 5 }, (_, index) => run("echo", `${index}`)));
    await expect(run(act)).rejects.toMatchObject({ name: "Fault", code });
    expect(await neighbours).toEqual(["0", "1", "2", "3", "4"]);
    expect(await Promise.all([run("echo", "a"), run("echo", "b")])).toEqual(["a", "b"]);
  });

  test("memory inside of the heap, which V8 notices before the cap is reached", async () => {
    const ends: object[] = [];
    const log = { debug() {}, error() {}, warn: (facts: object) => void ends.push(facts) };
    const run = start({ memoryBytes: 512 * MEGABYTE, log });
    await expect(run("fill the heap")).rejects.toMatchObject({ code: "extraction_out_of_memory" });
    expect(ends).toEqual([expect.objectContaining({ signal: "SIGABRT", output: expect.stringContaining("heap") })]);
    expect(await run("echo", "next")).toBe("next");
  });

  test.each(["hang", "spin"])("%s until the deadline", async (act) => {
    const run = start();
    const pid = Number(await run("pid"));
    await expect(run(act, "", { deadlineMs: 50 })).rejects.toMatchObject({ code: "extraction_timeout" });
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await run("pid")).not.toBe(pid);
  });

  test("canceled while it runs", async () => {
    const run = start();
    const pid = Number(await run("pid"));
    const cancel = new AbortController();
    const spinning = run("progress, then spin", "", { signal: cancel.signal, onProgress: () => cancel.abort() });
    await expect(spinning).rejects.toMatchObject({ code: "extraction_canceled" });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("canceled while it waits: the job before it is not touched", async () => {
    const run = start();
    const cancel = new AbortController();
    const first = run("large result", "1");
    const second = run("echo", "", { signal: cancel.signal });
    cancel.abort();
    await expect(second).rejects.toMatchObject({ code: "extraction_canceled" });
    expect(await first).toHaveLength(MEGABYTE);
  });

  test("canceled before it began", async () => {
    await expect(calm("echo", "", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "extraction_canceled",
    });
  });

  test("a child that dies between two jobs is nobody's crash", async () => {
    const run = start();
    const pid = Number(await run("pid"));
    process.kill(pid, "SIGKILL");
    expect(await run("echo", "taken by another child")).toBe("taken by another child");
  });
});

describe("children", () => {
  test("are reused, and replaced one by one after so many jobs", async () => {
    const run = start({ recycleAfter: 3 });
    // The fourth one too: the old child works on until the new one is ready.
    const pids = (await Promise.all([run("pid"), run("pid"), run("pid"), run("pid")])) as number[];
    expect(new Set(pids).size).toBe(1);
    await expect.poll(() => run("pid"), { timeout: 10_000 }).not.toBe(pids[0]);
    await expect.poll(() => isAlive(pids[0]!)).toBe(false);
  });

  test("that keep much memory after a job are replaced", async () => {
    const run = start({ memoryBytes: 512 * MEGABYTE });
    const modest = await run("keep memory", "1");
    expect(await run("pid")).toBe(modest);
    const [swollen, next] = await Promise.all([run("keep memory", "300"), run("pid")]);
    expect(swollen).toBe(modest);
    expect(next).not.toBe(swollen);
  });

  test("see nothing of the environment", async () => {
    process.env.SANDBOX_TEST_SECRET = "hidden";
    const names = Object.keys((await calm("env")) as object);
    delete process.env.SANDBOX_TEST_SECRET;
    const ours = ["LANG", "TZ", "MALLOC_ARENA_MAX", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"];
    const madeByShell = ["PWD", "OLDPWD", "SHLVL", "_", "__CF_USER_TEXT_ENCODING"];
    expect(names.filter((name) => ![...ours, ...madeByShell].includes(name))).toEqual([]);
  });

  test("stand behind the service in the queue for the processor", async () => {
    expect(await calm("priority")).toBe(10);
  });

  test("read inputs and the program, nothing else", async () => {
    const [inputs, outside] = [join(folder, "inputs"), join(folder, "outside")];
    await writeFile(inputs, "input");
    await writeFile(outside, "secret");
    const later = join(folder, "later");
    const run = start({ readable: [inputs, later] });
    expect(await run("read", inputs)).toBe("input");
    await mkdir(later);
    await writeFile(join(later, "input"), "in a folder that was made after the child");
    expect(await run("read", join(later, "input"))).toBe("in a folder that was made after the child");
    expect(await run("read", join(here, "../../package.json"))).toContain("extraction-service");
    await expect(run("read", outside)).rejects.toMatchObject({ cause: expect.stringContaining("ERR_ACCESS_DENIED") });
    await expect(run("read", "/etc/passwd")).rejects.toMatchObject({
      cause: expect.stringContaining("ERR_ACCESS_DENIED"),
    });
  });

  test("can neither write files, start processes nor open sockets", async () => {
    const server = createServer((socket) => socket.destroy());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const denied = { code: "extraction_crashed", cause: expect.stringContaining("ERR_ACCESS_DENIED") };
    await expect(calm("write", join(folder, "written"))).rejects.toMatchObject(denied);
    await expect(calm("spawn")).rejects.toMatchObject(denied);
    await expect(calm("connect", String((server.address() as AddressInfo).port))).rejects.toMatchObject(denied);
    server.close();
  });

  test("run the native engines all the same", async () => {
    expect(await calm("engines")).toEqual({
      sharp: 32,
      onnxruntime: [1.5],
      liteparse: ["Hello"],
    });
  });

  test("may print without end; the log gets the last few kilobytes", async () => {
    const lines: string[] = [];
    const log = {
      debug: (facts: object) => void ("output" in facts && lines.push(String(facts.output))),
      warn() {},
      error() {},
    };
    const run = start({ log });
    const pid = await run("print", "0123456789");
    const readOn = async () => ({ pid: await run("pid"), ended: lines.join("").endsWith("last words") });
    await expect.poll(readOn).toEqual({ pid, ended: true });
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(8192);
  });

  test("that never become ready turn jobs away instead of keeping them", async () => {
    const failures: object[] = [];
    const log = { debug() {}, warn() {}, error: (facts: object) => void failures.push(facts) };
    const run = start({ childModule: join(here, "sandbox-broken.ts"), log });
    await expect(run("echo")).rejects.toMatchObject({ code: "not_ready" });
    expect(failures[0]).toMatchObject({ code: 1, output: "a library is missing" });
  });
});

describe("the real child", () => {
  test("reads the file and writes the members of the public result, source whole", async () => {
    const path = join(folder, "0199a3c2");
    await writeFile(path, "A line of text, then ü.\n");
    const sandbox = openSandbox({ childModule: undefined, readable: [folder] });
    open.push(sandbox);
    const job = { ...makeJob("", "note.txt", path), schema: null, size: 25, sha256: "ab12" };
    const given = { code: "webhook_url_unused", message: "No event is sent." };
    const result = await sandbox.run({ ...job, warnings: [given] }, { deadlineMs: LONG_MS });
    const warnings = ["webhook_url_unused"];
    expect(result).toMatchObject({ kind: "text", mimeType: "text/plain", pages: 1, warnings });
    const whole = JSON.parse(`{"id":"x",${result.json}}`);
    expect(Object.keys(whole)).toEqual([
      "id",
      ...["source", "document", "data", "evidence", "warnings", "usage", "engine"],
    ]);
    expect(whole.source).toEqual({
      kind: "text",
      mime_type: "text/plain",
      name: "note.txt",
      size: 25,
      sha256: "ab12",
      url: null,
    });
    expect(whole.warnings).toEqual([given]);
    expect(whole.document.text.trim()).toBe("A line of text, then ü.");
  });

  test("says gone where the input was deleted meanwhile", async () => {
    const sandbox = openSandbox({ childModule: undefined, readable: [folder] });
    open.push(sandbox);
    const job = { ...makeJob("", "note.txt", join(folder, "missing")), schema: null };
    await expect(sandbox.run(job, { deadlineMs: LONG_MS })).rejects.toMatchObject({ code: "gone" });
  });
});

describe("idle", () => {
  test("counts the jobs that would run at once", async () => {
    const sandbox = openSandbox({ size: 2 });
    open.push(sandbox);
    expect(sandbox.idle).toBe(2);
    const jobs = ["a", "b", "c"].map((name) => sandbox.run(makeJob("echo", name), { deadlineMs: LONG_MS }));
    expect(sandbox.idle).toBe(0);
    await Promise.all(jobs);
    expect(sandbox.idle).toBe(2);
  });
});

describe("the end", () => {
  test("close ends running and waiting jobs with not_ready and leaves no process", async () => {
    const sandbox = openSandbox();
    const pid = Number((await sandbox.run(makeJob("pid"), { deadlineMs: LONG_MS })).json.toString());
    const running = sandbox.run(makeJob("spin"), { deadlineMs: LONG_MS });
    const waiting = sandbox.run(makeJob("echo"), { deadlineMs: LONG_MS });
    const ends = Promise.allSettled([running, waiting]);
    await Promise.all([sandbox.close(), sandbox.close()]);
    for (const end of await ends) expect(end).toMatchObject({ reason: { code: "not_ready" } });
    expect(isAlive(pid)).toBe(false);
    await sandbox.close();
    await expect(sandbox.run(makeJob("echo"), { deadlineMs: LONG_MS })).rejects.toMatchObject({ code: "not_ready" });
  });

  test("an idle child does not keep the service alive, and goes with it", async () => {
    const service = startService("idle");
    const exited = once(service, "exit");
    const pid = await readPid(service);
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });

  test("a service that has nothing else to do still sees its close through", async () => {
    const service = startService("close");
    const exited = once(service, "exit");
    expect(isAlive(await readPid(service))).toBe(false);
    expect(await exited).toEqual([0, null]);
  });

  test("a child stuck in a loop does not outlive a service that is killed", async () => {
    const service = startService("spin");
    const pid = await readPid(service);
    expect(isAlive(pid)).toBe(true);
    service.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });
});

function startService(mode: string): ChildProcess {
  return spawn(process.execPath, [join(here, "sandbox-service.ts"), mode], { stdio: ["ignore", "pipe", "inherit"] });
}

async function readPid(service: ChildProcess): Promise<number> {
  const [line] = await once(service.stdout!, "data");
  return Number(String(line).trim());
}

/** A zombie is dead; not every container has a first process that buries orphans. */
function isAlive(pid: number): boolean {
  try {
    if (process.platform === "linux") return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}
