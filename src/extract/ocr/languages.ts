// Which languages each model of PP-OCR reads. Apart from models.ts, so that a request can be checked without the engine.
import { Fault } from "../../errors.ts";

/** ISO 639-2 codes as tesseract spells them. Only languages whose every letter the model knows are named. */
const scripts = {
  // The Chinese model reads English receipts better than the English one (words right .84 against .82) in a third of
  // the time; it is only kept from seeing Chinese in smudges.
  english: {
    file: "ch_PP-OCRv4_rec_infer.onnx",
    alphabet: "ch_dict.txt",
    letters: /[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Greek}\p{Script=Cyrillic}\p{No}\p{So}]/u,
    languages: ["eng", "ind", "msa", "swa"],
  },
  chinese: { file: "ch_PP-OCRv4_rec_infer.onnx", alphabet: "ch_dict.txt", letters: /./u, languages: ["chi_sim"] },
  latin: {
    file: "latin_PP-OCRv3_rec_infer.onnx",
    alphabet: "latin_dict.txt",
    letters: /./u,
    languages: ["cat", "dan", "deu", "fin", "fra", "glg", "hrv", "ita", "nld", "nor", "por", "slv", "spa", "swe"],
  },
  japanese: { file: "japan_PP-OCRv3_rec_infer.onnx", alphabet: "japan_dict.txt", letters: /./u, languages: ["jpn"] },
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

/** Throws a Fault for languages that no model reads, or no single one. */
export function checkLanguages(wanted: string[]): void {
  scriptFor(wanted);
}

/** Files of the model that reads these languages, and which of its characters they have. */
export const modelFor = (wanted: string[]): { file: string; alphabet: string; letters: RegExp } =>
  scripts[scriptFor(wanted)];
