// How long a PDF takes: the whole way from bytes to blocks against bare liteparse and pdftotext, and whether it stays linear.
// usage: node bench/pdf.ts [FILE.pdf …]   without files it makes its own document
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPdf } from "../src/extract/readers/pdf.ts";
import { makePdf, type PdfPage, type PdfText } from "../test/extract/make-pdf.ts";

const ROUNDS = 5;
const WORDS =
  "the keeper of the lighthouse wrote down every ship that passed the cape and the hour of its passing so that the harbour could be told in time when a pilot was needed on board".split(
    " ",
  );

/** Pages of a report: running head, heading, prose, a ruled table. */
function makePage(number: number): PdfPage {
  const texts: PdfText[] = [
    { x: 60, y: 40, text: "Log of the Cape Light", size: 8 },
    { x: 290, y: 780, text: String(number), size: 8 },
    { x: 60, y: 80, text: `${number} Watch of the night`, size: 16, font: "Helvetica-Bold" },
  ];
  const lines: PdfPage["lines"] = [];
  for (let row = 0; row < 34; row++) {
    const words = Array.from({ length: 12 }, (_, i) => WORDS[(row * 12 + i + number) % WORDS.length]);
    texts.push({ x: 60, y: 110 + row * 14, text: words.join(" "), size: 10, font: "Times-Roman" });
  }
  for (let row = 0; row <= 8; row++) {
    lines.push([60, 600 + row * 18, 540, 600 + row * 18]);
    for (let column = 0; column < 4 && row < 8; column++)
      texts.push({
        x: 66 + column * 120,
        y: 613 + row * 18,
        text: row ? String(row * 31 + column * 7) : `Head ${column}`,
        size: 9,
      });
  }
  for (let column = 0; column <= 4; column++) lines.push([60 + column * 120, 600, 60 + column * 120, 744]);
  return { texts, lines };
}

const makeReport = (pages: number): Uint8Array => makePdf(Array.from({ length: pages }, (_, i) => makePage(i + 1)));

async function readWhole(bytes: Uint8Array): Promise<number> {
  const document = await readPdf(
    { bytes, kind: "pdf", name: null, url: null, charset: null },
    {
      options: { pages: null, ocr: "never", languages: ["eng"], main_content: true, password: null },
      limits: { maxPages: 1000, maxExpandedBytes: 1e9 },
      warn: () => {},
      progress: () => {},
    },
  );
  return document.pages.length;
}

/** Milliseconds of the processor, not of the clock: others may be using the machine. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The best of several rounds. */
async function best(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < rounds; i++) {
    const start = cpuMs();
    await work();
    least = Math.min(least, cpuMs() - start);
  }
  return least;
}

async function bareLiteparse(): Promise<((bytes: Uint8Array) => Promise<unknown>) | null> {
  try {
    const { LiteParse } = await import("@llamaindex/liteparse");
    const parser = new LiteParse({ ocrEnabled: false, quiet: true });
    return (bytes) => parser.parse(bytes);
  } catch {
    return null;
  }
}

function pdftotext(path: string): number | null {
  try {
    const start = performance.now();
    execFileSync("pdftotext", [path, "/dev/null"], { stdio: "ignore" });
    return performance.now() - start;
  } catch {
    return null;
  }
}

const folder = mkdtempSync(join(tmpdir(), "bench-pdf-"));
const liteparse = await bareLiteparse();
const files = process.argv.slice(2);
const documents = files.length
  ? files.map((path) => ({ name: path, path, bytes: Uint8Array.from(readFileSync(path)) }))
  : [{ name: "report, 120 pages", path: join(folder, "report.pdf"), bytes: makeReport(120) }];
const rows: Record<string, Record<string, string | number>> = {};
for (const { name, path, bytes } of documents) {
  if (!files.length) writeFileSync(path, bytes);
  const pages = await readWhole(bytes);
  const whole = await best(() => readWhole(bytes));
  const bare = liteparse ? await best(() => liteparse(bytes)) : null;
  const plain = pdftotext(path);
  rows[name] = {
    pages,
    "ms whole": Math.round(whole),
    "ms a page": Number((whole / pages).toFixed(2)),
    "ms bare liteparse": bare === null ? "not installed" : Math.round(bare),
    "whole / liteparse": bare === null ? "" : Number((whole / bare).toFixed(2)),
    "ms pdftotext (clock)": plain === null ? "not installed" : Math.round(plain),
  };
}
console.table(rows);

if (!files.length) {
  const growth: Record<string, Record<string, number>> = {};
  for (const pages of [50, 100, 250, 500]) {
    const bytes = makeReport(pages);
    const ms = await best(() => readWhole(bytes), 3);
    growth[pages] = {
      ms: Math.round(ms),
      "ms a page": Number((ms / pages).toFixed(2)),
      "MB resident": Math.round(process.memoryUsage().rss / 2 ** 20),
    };
  }
  console.table(growth);
}
rmSync(folder, { recursive: true });
