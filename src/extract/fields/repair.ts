// Letters and digits that OCR takes for each other, put right in a value: "4330O" is 43300, "Peta1ing" is Petaling.
// Only on pages read by OCR, and only in the value: the evidence keeps the text as it stands in the document.

/** Words in which a confused letter at the edge is plain to see. */
const known = new Set(
  "co no lot level jalan jln road floor block unit street house hotel mall plaza city hall hill oil school office store total sales sdn bhd sons food gold solutions co-op international".split(
    " ",
  ),
);

const toLetter = (digit: string, upper: boolean): string => (digit === "0" ? (upper ? "O" : "o") : upper ? "I" : "l");

export function repairText(text: string): string {
  return withoutSpecks(text).replace(/[\p{L}\p{N}|]+/gu, (word) => {
    if (/^N0\d*$/i.test(word)) return `${word[0]}${word[0] === "N" ? "O" : "o"}${word.slice(2)}`;
    const digits = (word.match(/\d/g) ?? []).length;
    const letters = word.length - digits;
    if (digits >= 2 && letters > 0 && digits >= letters) return repairNumber(word);
    if (letters >= 2 || (letters === 1 && known.has(word.toLowerCase().replace("0", "o")))) return repairWord(word);
    return word;
  });
}

/** A lone sign of another script between Latin words is a stain or a stamp. */
function withoutSpecks(text: string): string {
  const latin = (text.match(/\p{Script=Latin}/gu) ?? []).length;
  if (latin < 6) return text;
  return text
    .replace(/(^|[\s,])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}(?=$|[\s,])[\s,]*/gu, "$1")
    .trim();
}

function repairNumber(word: string): string {
  const chars = [...word];
  return chars
    .map((char, i) => {
      if (!/[OoIl|]/.test(char)) return char;
      const digit = char === "O" || char === "o" ? "0" : "1";
      const between =
        i > 0 && i < chars.length - 1 && /[\dOoIl|]/.test(chars[i - 1]!) && /[\dOoIl|]/.test(chars[i + 1]!);
      // A letter may end a house number (12I), but not one of five digits
      const edge =
        word.length >= 5 && (i === 0 || i === chars.length - 1) && word.replace(/\D/g, "").length >= word.length - 1;
      return between || edge ? digit : char;
    })
    .join("");
}

function repairWord(word: string): string {
  const upper = (word.match(/\p{Lu}/gu) ?? []).length > (word.match(/\p{Ll}/gu) ?? []).length;
  // "lpoh": no word starts with a small l and a consonant
  const lead = /^l[bcdfghkmnpqrstvwxz]\p{Ll}/u.test(word) ? `I${word.slice(1)}` : word;
  if (!/[0158]/.test(lead)) return lead;
  const inner = lead.replace(/(?<=\p{L})[01]+(?=\p{L}{2})|(?<=\p{L}{2})[01]+(?=\p{L})/gu, (run) =>
    [...run].map((digit) => toLetter(digit, upper)).join(""),
  );
  if (!/[0158]/.test(inner)) return inner;
  for (const i of ["l", "i"]) {
    const guess = inner.toLowerCase().replaceAll("0", "o").replaceAll("1", i).replaceAll("5", "s").replaceAll("8", "b");
    if (!known.has(guess)) continue;
    return inner
      .replace(/0/g, upper ? "O" : "o")
      .replace(/1/g, upper ? i.toUpperCase() : i)
      .replace(/5/g, upper || inner.startsWith("5") ? "S" : "s")
      .replace(/8/g, upper || inner.startsWith("8") ? "B" : "b");
  }
  return inner;
}
