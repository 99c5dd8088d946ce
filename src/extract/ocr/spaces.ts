// Puts back the spaces the recogniser leaves out between words.
import type { Character, ReadLine } from "./read.ts";

export function addSpaces(line: ReadLine): Character[] {
  return line.characters;
}
