// Settles 0 or O, 1 or l, 5 or S: one digit in a word of letters, or one letter in a number, gives way to its rival where
// the model thought that nearly as likely.
import type { Character } from "./read.ts";

const NEARLY = 0.15; // of the confidence of what was read; from here down codes like "2X4" begin to suffer
const MAJORITY = 3;

export function settle(word: Character[]): Character[] {
  const digits = word.filter(({ text }) => /^[0-9]$/.test(text));
  const letters = word.filter(({ text }) => /^[A-Za-z]$/.test(text));
  const odd =
    digits.length === 1 && letters.length >= MAJORITY
      ? digits[0]
      : letters.length === 1 && digits.length >= MAJORITY
        ? letters[0]
        : undefined;
  if (!odd?.rival || odd.rival.confidence < NEARLY * odd.confidence) return word;
  const { text, confidence } = odd.rival;
  return word.map((character) => (character === odd ? { ...odd, text, confidence } : character));
}
