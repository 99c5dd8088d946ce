// A sandbox child that misbehaves on demand: `schema` names what it does, `name` is handed back.

import { execSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { getPriority } from "node:os";
import { Fault } from "../../src/errors.ts";
import { serve, type Work } from "../../src/extractions/sandbox-serve.ts";

const kept: Buffer[] = [];

const acts: Record<string, (name: string, progress: Parameters<Work>[1]) => unknown> = {
  echo: (name) => name,
  pid: () => process.pid,
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
    for (;;) lists.push(new Array(4 * 2 ** 20).fill(1.5));
  },
  "keep memory": (megabytes) => {
    kept.push(Buffer.alloc(Number(megabytes) * 2 ** 20, 1));
    return process.pid;
  },
  engines: async () => {
    const { default: sharp } = await import("sharp");
    const { InferenceSession, Tensor } = await import("onnxruntime-node");
    const { LiteParse } = await import("@llamaindex/liteparse");
    const png = await sharp({ create: { width: 32, height: 32, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const session = await InferenceSession.create(makeModel());
    const { y } = await session.run({ x: new Tensor("float32", [1.5], [1]) });
    const { pages } = await new LiteParse({ ocrEnabled: false, quiet: true }).parse(makePdf("Hello"));
    return {
      sharp: (await sharp(png).metadata()).width,
      onnxruntime: Array.from(y!.data as Float32Array),
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

/** An ONNX model that answers its input x as y; protobuf by hand, every length below 128. */
function makeModel(): Buffer {
  const text = (field: number, value: string) => message(field, Buffer.from(value));
  const message = (field: number, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([field * 8 + 2, body.length]), body]);
  };
  const number = (field: number, value: number) => Buffer.from([field * 8, value]);
  const oneFloat = message(2, message(1, number(1, 1), message(2, message(1, number(1, 1)))));
  const node = message(1, text(1, "x"), text(2, "y"), text(4, "Identity"));
  const graph = [node, text(2, "g"), message(11, text(1, "x"), oneFloat), message(12, text(1, "y"), oneFloat)];
  return Buffer.concat([number(1, 8), message(7, ...graph), message(8, number(2, 13))]);
}
