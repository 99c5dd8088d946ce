// A sandbox child that misbehaves on demand: `schema` names what it does, `name` is handed back.

import { execSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { getPriority } from "node:os";
import { Fault } from "../../src/errors.ts";
import { serve, type Work } from "../../src/extractions/sandbox-serve.ts";

const kept: Buffer[] = [];
let jobs = 0;

const acts: Record<string, (name: string, progress: Parameters<Work>[1]) => unknown> = {
  echo: (name) => name,
  pid: () => process.pid,
  jobs: () => jobs,
  env: () => process.env,
  priority: () => getPriority(),
  read: (path) => readFileSync(path, "utf8"),
  write: (path) => writeFileSync(path, "x"),
  spawn: () => String(execSync("id")),
  connect: (port) =>
    new Promise((resolve, reject) => {
      connect(Number(port), "127.0.0.1", () => resolve("connected")).on("error", reject);
    }),
  hang: () => new Promise(() => {}),
  spin: () => {
    for (;;);
  },
  abort: () => process.abort(),
  exit: () => process.exit(0),
  segfault: () => process.kill(process.pid, "SIGSEGV"),
  throw: () => {
    throw new TypeError("cannot read properties of undefined");
  },
  "throw later": () =>
    new Promise(() => {
      setImmediate(() => {
        throw new Error("nobody catches this");
      });
    }),
  recurse: function recurse(): number {
    return 1 + Number(acts.recurse!("", () => {}));
  },
  fault: () => {
    throw new Fault("invalid_schema", {
      detail: "type must be a string",
      errors: [{ pointer: "/properties/a/type", message: "must be a string" }],
    });
  },
  "fill native memory": () => {
    for (;;) kept.push(Buffer.alloc(32 * 2 ** 20, 1));
  },
  "fill the heap": () => {
    const lists: number[][] = [];
    for (;;) lists.push(Array.from({ length: 100_000 }, (_, index) => index * 1.5));
  },
  "keep memory": (megabytes) => {
    kept.push(Buffer.alloc(Number(megabytes) * 2 ** 20, 1));
    return process.pid;
  },
  "large result": (megabytes) => "x".repeat(Number(megabytes) * 2 ** 20),
  print: (text) => {
    process.stdout.write(`${text.repeat(100_000)} last words`);
    return process.pid;
  },
  progress: (_name, progress) => {
    for (let done = 0; done <= 10_000; done++) progress({ stage: "ocr", done, total: 10_000 });
  },
  "progress, then spin": (_name, progress) => {
    progress({ stage: "ocr", done: 1, total: 2 });
    for (;;);
  },
};

await serve(async () => async (job, progress) => {
  jobs += 1;
  const value = await acts[String(job.schema)]!(job.name ?? "", progress);
  return {
    json: Buffer.from(JSON.stringify(value ?? null)),
    kind: "text",
    mimeType: "text/plain",
    pages: 1,
    warnings: [],
  };
});
