// Tells a text layer that says nothing (broken encodings, glyph numbers, shifted letters) from one that can be trusted.

const MIN_CHARACTERS = 24; // fewer tell nothing: a page number, a stamp
const MAX_LOST_SHARE = 0.1; // characters that are no text in any script
const MIN_WORDS = 8;
const MIN_PLAIN_SHARE = 0.5; // of the words of a healthy page of codes and abbreviations at least this many are plain
const MAX_WORD = 60; // longer ones are addresses or soup; their start tells which
const MIN_LETTERS = 80;
const MIN_VOWEL_SHARE = 0.2; // of Latin letters; languages have .35 to .48, abbreviations and codes pull it down to .28

const LOST = /[\p{Co}\p{Cn}\p{Cs}\uFFFD\p{Cc}]/gu;
const GLYPH_NUMBERS = /\(cid:\d+\)|\/g\d+\b|\/G[0-9A-F]{2}\b/g;
const LATIN = /\p{Script=Latin}/gu;
const VOWELS = /[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿœāēīōūăąęėěıőűůỳ]/giu;

/** A word of letters, an amount, a date, a code, an address, with the punctuation that may stand around or inside it. */
const PLAIN_WORD =
  /^["'“”‘’«»„([{<¿¡*#@~§•–—-]*(?:[\p{L}\p{M}]+(?:['’.\-–/&+@_·][\p{L}\p{M}\p{N}]+)*|[\p{Sc}+\-−±~<>≤≥=#]*\p{N}[\p{N}\p{L}.,:/\-–%°'’*x×]*[\p{Sc}%‰°]?|[\p{L}\p{N}]+(?:[-./_:]+[\p{L}\p{N}]+)*)["'“”‘’«»)\]}>.,;:!?…%*†‡°®™–—-]*$/u;

export function isGarbled(text: string): boolean {
  const packed = text.replace(/\s+/g, "");
  if (packed.length < MIN_CHARACTERS) return false;
  const lost = count(packed, LOST) + (packed.match(GLYPH_NUMBERS)?.join("").length ?? 0);
  if (lost / packed.length > MAX_LOST_SHARE) return true;

  const latin = count(packed, LATIN);
  // Scripts without spaces between words are judged by lost characters alone.
  const other = count(packed, /[\p{L}\p{M}]/gu) - latin;
  if (other > latin) return false;

  const words = text.split(/\s+/).filter((word) => /[^\p{P}\p{S}]/u.test(word) || word.length > 3);
  const rules = /^([^\p{L}\p{N}])\1+$/u; // dotted leaders, rows of dashes
  const judged = words.filter((word) => !rules.test(word));
  if (judged.length >= MIN_WORDS) {
    const plain = judged.filter((word) => PLAIN_WORD.test(word.slice(0, MAX_WORD))).length;
    if (plain / judged.length < MIN_PLAIN_SHARE) return true;
  }
  return latin >= MIN_LETTERS && count(packed, VOWELS) / latin < MIN_VOWEL_SHARE;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
