// Symbol and Wingdings put signs where other fonts have letters, in the private use area F000 to F0FF. The common ones by Unicode.

const greek: Record<string, string> = {};
for (const [from, letters] of [
  [0x41, "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"],
  [0x61, "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"],
] as const)
  [...letters].forEach((letter, n) => {
    greek[String.fromCharCode(from + n)] = letter;
  });

const symbol: Record<number, string> = {
  163: "≤", 165: "∞", 171: "↔", 172: "←", 173: "↑", 174: "→", 175: "↓", 176: "°", 177: "±", 179: "≥", 180: "×",
  182: "∂", 183: "•", 184: "÷", 185: "≠", 186: "≡", 187: "≈", 199: "∩", 200: "∪", 206: "∈", 209: "∇", 214: "√",
  210: "®", 211: "©", 212: "™", 229: "∑", 242: "∫", 45: "−", 34: "∀", 36: "∃",
}; // biome-ignore format: a table

const wingdings: Record<number, string> = {
  74: "☺", 76: "☹", 108: "●", 109: "❍", 110: "■", 111: "☐", 113: "❑", 114: "❒", 117: "◆", 118: "❖", 119: "◆", 120: "☒",
  159: "•", 160: "▪", 161: "○", 167: "▪", 168: "☐", 216: "➢", 223: "←", 224: "→", 225: "↑", 226: "↓", 232: "➔", 240: "⇨",
  251: "✗", 252: "✓", 253: "☒", 254: "☑",
}; // biome-ignore format: a table

const wingdings2: Record<number, string> = { 79: "✗", 80: "✓", 81: "☒", 82: "☑", 83: "☒", 163: "☐", 151: "●" };

/** One sign; code with or without the F000. */
export function symbolSign(font: string, code: number): string {
  const low = code & 0xff;
  if (/wingdings 2/i.test(font)) return wingdings2[low] ?? "•";
  if (/wingdings|webdings/i.test(font)) return wingdings[low] ?? "•";
  if (/symbol/i.test(font)) return symbol[low] ?? greek[String.fromCharCode(low)] ?? String.fromCharCode(low);
  return code >= 0xf000 && code <= 0xf0ff ? (wingdings[low] ?? "•") : String.fromCodePoint(code);
}

export function plainSymbols(text: string, font: string): string {
  return text.replace(/[\uf000-\uf0ff]/g, (sign) => symbolSign(font, sign.charCodeAt(0)));
}
