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
  engines: async (model) => {
    const { default: sharp } = await import("sharp");
    const { InferenceSession, Tensor } = await import("onnxruntime-node");
    const { LiteParse } = await import("@llamaindex/liteparse");
    const png = await sharp({ create: { width: 32, height: 32, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const session = await InferenceSession.create(model);
    const input = new Tensor("float32", new Float32Array(3 * 64 * 64), [1, 3, 64, 64]);
    const output = await session.run({ [session.inputNames[0]!]: input });
    const { pages } = await new LiteParse({ ocrEnabled: false, quiet: true }).parse(makePdf("Hello"));
    return {
      sharp: (await sharp(png).metadata()).width,
      onnxruntime: output[session.outputNames[0]!]!.dims,
      liteparse: pages.map((page) => page.text.trim()),
    };
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

/** One page, one line, no cross-reference table: readers repair that. */
function makePdf(text: string): Buffer {
  const content = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
  return Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj
4 0 obj <</Length ${content.length}>> stream
${content}
endstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
trailer <</Root 1 0 R>>
%%EOF`);
}
