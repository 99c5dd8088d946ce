// What the way through the whole service costs, against the bare parts it is made of, in one run on one machine:
//   (a) tiny texts, against a route that only answers       (b) a PDF over HTTP, against its engine alone and pdftotext
//   (c) tiny texts while a long PDF is read                  (d) memory while 20 documents of 50 MB arrive at once
//   npm run bench:extract [-- SECONDS]        pdftotext is in Debian's poppler-utils; without it its line is left out
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { LiteParse } from "@llamaindex/liteparse";
import fastify from "fastify";
import { Pool } from "undici";
import { openRig, quantile, rounded } from "./webhooks-rig.ts";

const PAGES = 120;
const LONG_PAGES = 300;
const UPLOADS = 20;
const UPLOAD_BYTES = 50_000_000;
const AT_ONCE = 4;
const TINY = Buffer.from(JSON.stringify({ text: "Total: 9.00" }));

/** A process of its own, as the service is. */
async function serveBare(): Promise<void> {
  const server = fastify();
  server.post("/", async (request) => ({ length: (request.body as { text: string }).text.length }));
  await server.listen({ port: 0 });
  console.log((server.server.address() as AddressInfo).port);
}

async function bench(ms: number): Promise<void> {
  const rig = await openRig({});
  const service = await rig.start("all");
  const { apiKey } = await rig.caller().verified();
  const { origin } = new URL(rig.caller().baseUrl);
  const headers = { authorization: `Bearer ${apiKey}` };
  const pool = new Pool(origin, { connections: 64, headersTimeout: 0, bodyTimeout: 0 });
  const tiny = { path: "/api/v1/extract", headers: { ...headers, "content-type": "application/json" } };
  const send = (bytes: Buffer | Readable) =>
    post(pool, { path: "/api/v1/extract", headers: { ...headers, "content-type": "application/octet-stream" } }, bytes);

  const bare = spawn(process.execPath, [import.meta.filename, "bare"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(bare.stdout, "data");
  const barePool = new Pool(`http://127.0.0.1:${Number(String(line))}`);
  const onBare = { path: "/", headers: { "content-type": "application/json" } };
  await hammer(() => post(pool, tiny, TINY), 1000);
  await hammer(() => post(barePool, onBare, TINY), 1000);
  const through = await hammer(() => post(pool, tiny, TINY), ms);
  const straight = await hammer(() => post(barePool, onBare, TINY), ms);
  bare.kill();

  const pdf = makePdf(PAGES);
  await send(pdf);
  const times = {
    service: await best(() => send(pdf)),
    liteparse: await best(() => new LiteParse({ ocrEnabled: false, quiet: true }).parse(pdf)),
    pdftotext: await timePdftotext(pdf),
  };

  let reading = true;
  const long = send(makePdf(LONG_PAGES)).finally(() => {
    reading = false;
  });
  const beside = await hammer(
    () => post(pool, tiny, TINY),
    ms,
    () => reading,
  );
  await long;

  const before = residentMb(service.pid!);
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, residentMb(service.pid!));
  }, 50);
  const statuses = await Promise.all(Array.from({ length: UPLOADS }, () => send(upload())));
  clearInterval(looking);

  console.table([
    { what: "(a) tiny text, all of the service", value: `${rounded(through.perSecond)}/s`, p99_ms: rounded(through.p99) },
    { what: "    a bare route", value: `${rounded(straight.perSecond)}/s`, p99_ms: rounded(straight.p99), ratio: rounded(straight.perSecond / through.perSecond) },
    { what: `(b) ${PAGES} pages of PDF over HTTP`, value: `${rounded(times.service)} ms` },
    { what: "    liteparse alone", value: `${rounded(times.liteparse)} ms`, ratio: rounded(times.service / times.liteparse) },
    ...(times.pdftotext ? [{ what: "    pdftotext", value: `${rounded(times.pdftotext)} ms`, ratio: rounded(times.service / times.pdftotext) }] : []),
    { what: `(c) tiny text while ${LONG_PAGES} pages are read`, value: `${rounded(beside.perSecond)}/s`, p99_ms: rounded(beside.p99), ratio: rounded(beside.p99 / through.p99) },
    { what: `(d) memory, ${UPLOADS} uploads of 50 MB at once`, value: `${most} MB of ${before} MB before`, ratio: rounded(most / before) },
  ]); // biome-ignore format: a table
  console.log({ answers_of_the_uploads: [...new Set(statuses)] });
  await Promise.all([pool.close(), barePool.close()]);
  await rig.close();
}

async function post(pool: Pool, to: { path: string; headers: Record<string, string> }, body: Buffer | Readable) {
  const answer = await pool.request({ ...to, method: "POST", body });
  await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
  return answer.statusCode;
}

async function hammer(act: () => Promise<number>, ms: number, goOn = () => true) {
  const took: number[] = [];
  const began = performance.now();
  const one = async () => {
    while (performance.now() - began < ms && goOn()) {
      const start = performance.now();
      const status = await act();
      if (status !== 200) throw new Error(`answered ${status}`);
      took.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return { perSecond: (took.length / (performance.now() - began)) * 1000, p99: quantile(took, 0.99) };
}

async function best(act: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 3; n++) {
    const start = performance.now();
    await act();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

async function timePdftotext(pdf: Buffer): Promise<number | null> {
  const folder = await mkdtemp(join(tmpdir(), "extract-bench-"));
  const file = join(folder, "a.pdf");
  await writeFile(file, pdf);
  try {
    return await best(async () => execFileSync("pdftotext", [file, "-"], { maxBuffer: 2 ** 28, stdio: "pipe" }));
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const residentMb = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024);

/** Of a kind that is not read, so that only its way into storage costs anything. */
function upload(): Readable {
  const chunk = Buffer.alloc(64 * 1024, "\x7fELF\x02\x01\x01\x00");
  let left = UPLOAD_BYTES;
  return new Readable({
    read() {
      const size = Math.min(left, chunk.length);
      left -= size;
      this.push(size > 0 ? chunk.subarray(0, size) : null);
    },
  });
}

/** Pages of prose with a heading, as a word processor would set them. */
function makePdf(pages: number): Buffer {
  const line = "The quick brown fox jumps over the lazy dog while the rain falls on the hills";
  const objects: string[] = [];
  const kids = Array.from({ length: pages }, (_, n) => `${4 + n * 2} 0 R`).join(" ");
  objects.push("<</Type/Catalog/Pages 2 0 R>>", `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`);
  objects.push("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
  for (let n = 0; n < pages; n++) {
    const lines = Array.from({ length: 44 }, (_, row) => `1 0 0 1 72 ${700 - row * 14} Tm (${line} ${n}.${row}) Tj`);
    const content = `BT /F1 18 Tf 1 0 0 1 72 730 Tm (Chapter ${n + 1}) Tj /F1 11 Tf ${lines.join(" ")} ET`;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${5 + n * 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
      `<</Length ${content.length}>> stream\n${content}\nendstream`,
    );
  }
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, n) => {
    const offset = body.length;
    body += `${n + 1} 0 obj ${object} endobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer <</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n${body.length}\n%%EOF`,
    "latin1",
  );
}

if (process.argv[2] === "bare") await serveBare();
else await bench(Number(process.argv[2] ?? 5) * 1000);
