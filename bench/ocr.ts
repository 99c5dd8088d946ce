// How well and how fast scans are read, beside Debian's tesseract where it is installed, both in one run, page by page in turn.
// usage: node bench/ocr.ts [DIR [COUNT]]   DIR holds img/NAME.jpg and box/NAME.csv (x1,y1,…,x4,y4,text a line); without it only
// the project's own pages are read: rasterised at 100 to 300 dpi, turned, skewed, noisy, compressed. Then the memory of one
// child that reads 5000 × 7000 pixels.
import { fork, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { recognise } from "../src/extract/ocr/ocr.ts";
import { type Damage, type Drawing, scan } from "../test/extract/ocr/scan.ts";

const SENTENCES = [
  "Rental agreement between Harbour Estates Ltd. (the landlord) and the tenant named below",
  "The rent of 1,250.00 EUR is due on the third working day of each month by bank transfer.",
  "A deposit of three months' rent is kept in a separate account until the lease ends.",
  "Heating and water are charged by consumption; the reading of 31/12/2024 was 48,213 kWh.",
  "Small repairs up to 75.00 EUR each, and 150.00 EUR a year in all, are paid by the tenant.",
  "Notice is given in writing, at the latest on the third working day of a month (see page 12).",
];
const PAGE: Drawing = {
  width: 595,
  height: 250,
  texts: Array.from({ length: 12 }, (_, i) => ({ x: 50, y: 50 + i * 15, size: 11, text: SENTENCES[i % 6]! })),
};
const PAGE_TEXT = PAGE.texts.map(({ text }) => text).join(" ");

const damages: [string, number, Damage][] = [
  ["100 dpi", 100, {}],
  ["150 dpi", 150, {}],
  ["200 dpi", 200, {}],
  ["300 dpi", 300, {}],
  ["200 dpi, turned by 90°", 200, { turn: 90 }],
  ["200 dpi, upside down", 200, { turn: 180 }],
  ["200 dpi, skewed by 2°", 200, { skewDegrees: 2 }],
  ["200 dpi, skewed by 6°", 200, { skewDegrees: 6 }],
  ["200 dpi, noise of 80 levels", 200, { noise: 80 }],
  ["200 dpi, JPEG quality 15", 200, { jpegQuality: 15 }],
  ["150 dpi, all of it", 150, { skewDegrees: -3, noise: 50, jpegQuality: 30 }],
];

const clean = (text: string) => text.normalize("NFKC").toUpperCase().replace(/\s+/g, " ").trim();

/** 1 - indel distance / both lengths. */
function similarity(a: string, b: string): number {
  let [previous, current] = [new Uint16Array(b.length + 1), new Uint16Array(b.length + 1)];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++)
      current[j + 1] = a[i] === b[j] ? previous[j]! + 1 : Math.max(previous[j + 1]!, current[j]!);
    [previous, current] = [current, previous];
  }
  return a.length + b.length === 0 ? 1 : (2 * previous[b.length]!) / (a.length + b.length);
}

function wordF1(gold: string, text: string): number {
  const left = new Map<string, number>();
  const [wanted, found] = [gold.split(" "), text.split(" ").filter(Boolean)];
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  const hits = found.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  }).length;
  return (2 * hits) / (wanted.length + found.length);
}

interface Score {
  characters: number;
  words: number;
  seconds: number;
}

async function judge(read: (image: Uint8Array) => Promise<string>, image: Uint8Array, gold: string): Promise<Score> {
  const begun = performance.now();
  const text = clean(await read(image));
  const seconds = (performance.now() - begun) / 1000;
  return { characters: similarity(clean(gold), text), words: wordF1(clean(gold), text), seconds };
}

const ours = async (image: Uint8Array) =>
  (await recognise(image, { languages: ["eng"] })).items.map((item) => item.text).join("\n");

function tesseract(image: Uint8Array): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn("tesseract", ["-", "-", "--psm", "4"], { env: { ...process.env, OMP_THREAD_LIMIT: "2" } });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  child.on("error", reject).on("close", () => resolve(text));
  child.stdin.on("error", () => {}).end(image);
  return promise;
}

const round = (value: number) => Number(value.toFixed(3));
const mean = (values: number[]) => round(values.reduce((sum, value) => sum + value, 0) / values.length);

async function compare(cases: AsyncIterable<[name: string, image: Uint8Array, gold: string]>, rows: boolean) {
  const peer = await tesseract(new Uint8Array()).then(
    () => true,
    () => false,
  );
  const all: { ours: Score; tesseract: Score | null }[] = [];
  const table: Record<string, unknown>[] = [];
  for await (const [name, image, gold] of cases) {
    const one = { ours: await judge(ours, image, gold), tesseract: peer ? await judge(tesseract, image, gold) : null };
    all.push(one);
    const row = (score: Score | null) => (score ? [score.characters, score.words, score.seconds].map(round) : []);
    const [a, b] = [row(one.ours), row(one.tesseract)];
    table.push({
      name,
      characters: a[0],
      words: a[1],
      seconds: a[2],
      t_characters: b[0],
      t_words: b[1],
      t_seconds: b[2],
    });
  }
  if (rows) console.table(table);
  const summary = (scores: Score[]) =>
    scores.length && {
      characters: mean(scores.map((score) => score.characters)),
      words: mean(scores.map((score) => score.words)),
      seconds_per_page: mean(scores.map((score) => score.seconds)),
    };
  console.log(JSON.stringify({ pages: all.length, ours: summary(all.map((one) => one.ours)) }));
  if (peer) console.log(JSON.stringify({ tesseract: summary(all.flatMap((one) => one.tesseract ?? [])) }));
}

async function* ownPages(): AsyncGenerator<[string, Uint8Array, string]> {
  for (const [name, dpi, damage] of damages) yield [name, await scan(PAGE, dpi, damage), PAGE_TEXT];
}

async function* folder(dir: string, count: number): AsyncGenerator<[string, Uint8Array, string]> {
  const names = (await readdir(join(dir, "img"))).filter((name) => name.endsWith(".jpg")).sort();
  const step = Math.max(1, Math.floor(names.length / count));
  for (const file of names.filter((_, i) => i % step === 0).slice(0, count)) {
    const name = file.slice(0, -4);
    const box = await readFile(join(dir, "box", `${name}.csv`), "utf8");
    const lines = box.split(/\r?\n/).filter(Boolean);
    const gold = lines.map((line) => line.split(",").slice(8).join(",")).join(" ");
    yield [name, await readFile(join(dir, "img", file)), gold];
  }
}

/** In a process of its own: the peak of everything it ever held. */
async function measureMemory(): Promise<void> {
  const tall: Drawing = { ...PAGE, width: 600, height: 840 };
  const image = await scan(tall, 600, { noise: 30, jpegQuality: 80 });
  const child = fork(import.meta.filename, ["--read"], { stdio: "inherit", serialization: "advanced" });
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on("message", (peak: number) => resolve(peak));
  child.send(image);
  console.log(JSON.stringify({ image: "5000 × 7000", peak_rss_mb: Math.round((await promise) / 1024) }));
}

if (process.argv[2] === "--read") {
  process.once("message", async (image: Uint8Array) => {
    await recognise(image, { languages: ["eng"] });
    process.send!(process.resourceUsage().maxRSS, () => process.disconnect());
  });
} else {
  console.log("own pages");
  await compare(ownPages(), true);
  const dir = process.argv[2];
  if (dir) {
    console.log(dir);
    await compare(folder(dir, Number(process.argv[3] ?? 12)), false);
  }
  await measureMemory();
}
