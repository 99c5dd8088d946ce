// Documents a processor-second for each office and mail kind: the whole way from bytes to text, markdown, elements and tables, beside the bare
// library for the same file; and how many of the document's words each gives back.
// usage: node bench/kinds.ts [FOLDER]   where FOLDER has officeparser and markitdown-ts installed, to run them in the same minutes
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { read as readWorkbook, utils } from "@e965/xlsx";
import { unzipSync } from "fflate";
import PostalMime from "postal-mime";
import { SaxesParser } from "saxes";
import WordExtractor from "word-extractor";
import type { Kind } from "../src/extract/document.ts";
import { defaultLimits, defaultOptions, extract } from "../src/extract/extract.ts";
import { makers, truthWords } from "./kinds-documents.ts";

const WARM_UPS = 3;
const MIN_CPU_MS = 700;
const MIN_ROUNDS = 3;

/** Seconds of the processor, not of the clock: others may be using the machine. */
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

type Run = (bytes: Uint8Array) => Promise<string>;

const ours =
  (kind: Kind): Run =>
  async (bytes) => {
    const request = {
      bytes,
      name: `a.${kind}`,
      contentType: null,
      url: null,
      options: defaultOptions,
      schema: null,
      limits: defaultLimits,
    };
    return (await extract(request)).document.text ?? "";
  };

/** What any reader on these two has to do at least. */
const unzipAndWalk: Run = async (bytes) => {
  let text = "";
  for (const [name, part] of Object.entries(unzipSync(bytes))) {
    if (!/(document|content|slide\d+|c\d+)\.x(ht)?ml$/.test(name)) continue;
    const parser = new SaxesParser();
    parser.on("text", (piece) => {
      text += ` ${piece}`;
    });
    parser.write(Buffer.from(part).toString()).close();
  }
  return text;
};

const sheetJs: Run = async (bytes) => {
  const book = readWorkbook(bytes, { type: "buffer" });
  return book.SheetNames.map((name) => `${name} ${utils.sheet_to_csv(book.Sheets[name]!, { FS: " " })}`).join("\n");
};

const { default: MsgReader } = createRequire(import.meta.url)("@kenjiuno/msgreader");

const bare: Partial<Record<Kind, [name: string, run: Run]>> = {
  docx: ["fflate + saxes", unzipAndWalk],
  pptx: ["fflate + saxes", unzipAndWalk],
  odt: ["fflate + saxes", unzipAndWalk],
  odp: ["fflate + saxes", unzipAndWalk],
  epub: ["fflate + saxes", unzipAndWalk],
  xlsx: ["SheetJS", sheetJs],
  xls: ["SheetJS", sheetJs],
  xlsb: ["SheetJS", sheetJs],
  ods: ["SheetJS", sheetJs],
  doc: ["word-extractor", async (bytes) => (await new WordExtractor().extract(Buffer.from(bytes))).getBody()],
  eml: ["postal-mime", async (bytes) => (await PostalMime.parse(bytes)).html ?? ""],
  msg: [
    "msgreader",
    async (bytes) => Buffer.from(new MsgReader(new Uint8Array(bytes).buffer).getFileData().html ?? "").toString(),
  ],
};

type Peer = (kind: Kind) => Run;

async function loadPeers(folder: string | undefined): Promise<[name: string, peer: Peer][]> {
  if (!folder) return [];
  const modules = join(resolve(folder), "node_modules");
  const load = (path: string) => import(pathToFileURL(join(modules, path)).href);
  const { OfficeParser } = await load("officeparser/dist/index.mjs");
  const { MarkItDown } = await load("markitdown-ts/dist/index.mjs");
  return [
    [
      "officeparser",
      () => async (bytes) => (await (await OfficeParser.parseOffice(Buffer.from(bytes))).to("text")).value,
    ],
    [
      "markitdown-ts",
      (kind) => async (bytes) =>
        (await new MarkItDown().convertBuffer(Buffer.from(bytes), { file_extension: `.${kind}` }))?.markdown ?? "",
    ],
  ];
}

const share = (text: string, wanted: string[]) => {
  const counts = new Map<string, number>();
  for (const word of text
    .replace(/<[^>]{0,200}>/g, " ")
    .replace(/[\\|]/g, " ")
    .split(/\s+/))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  let found = 0;
  for (const word of wanted) {
    const left = counts.get(word) ?? 0;
    if (left > 0) found++;
    counts.set(word, left - 1);
  }
  return found / wanted.length;
};

async function measure(run: Run, bytes: Uint8Array, wanted: string[]): Promise<string> {
  try {
    let text = "";
    for (let n = 0; n < WARM_UPS; n++) text = await run(bytes);
    const words = share(text, wanted);
    // A peer that gives back nothing did not read the kind.
    if (words < 0.05) return "–";
    let rounds = 0;
    const begun = cpuMs();
    while (cpuMs() - begun < MIN_CPU_MS || rounds < MIN_ROUNDS) {
      await run(bytes);
      rounds++;
    }
    return `${((rounds * 1000) / (cpuMs() - begun)).toFixed(1)}/s  ${(words * 100).toFixed(1)}%`;
  } catch {
    return "–";
  }
}

const peers = await loadPeers(process.argv[2]);
const table: Record<string, string>[] = [];
for (const [kind, make, truth] of makers) {
  const bytes = make();
  const wanted = truthWords(truth);
  const [name, run] = bare[kind] ?? ["", null];
  const row: Record<string, string> = {
    kind,
    KB: (bytes.length / 1024).toFixed(0),
    ours: await measure(ours(kind), bytes, wanted),
  };
  row["bare library"] = run ? `${await measure(run, bytes, wanted)}  ${name}` : "–";
  for (const [peerName, peer] of peers) row[peerName] = await measure(peer(kind), bytes, wanted);
  table.push(row);
}
console.table(table);
