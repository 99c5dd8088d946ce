// Numbers as lists show them: 3, c, C, iii, III, and the like. One table from the names of OOXML, ODF and RTF to a writer.

const romanParts: [number, string][] = [
  [1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"],
  [50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"],
]; // biome-ignore format: a table

/** Past this a roman or letter number is no longer written out: a start value of 2^31 must not build a gigabyte of "m". */
const MAX_WRITTEN_OUT = 5000;

function roman(n: number): string {
  if (n < 1 || n > MAX_WRITTEN_OUT) return String(n);
  let rest = n;
  let text = "";
  for (const [value, letters] of romanParts) for (; rest >= value; rest -= value) text += letters;
  return text;
}

/** a … z, aa, bb, … as Word counts. */
function letters(n: number): string {
  if (n < 1 || n > MAX_WRITTEN_OUT) return String(n);
  return String.fromCharCode(97 + ((n - 1) % 26)).repeat(Math.ceil(n / 26));
}

const ordinalEnding = (n: number) =>
  n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");

const cjkDigits = "〇一二三四五六七八九";
function cjk(n: number): string {
  if (n < 1 || n > 99) return String(n);
  const tens = Math.floor(n / 10);
  return (tens > 1 ? cjkDigits[tens]! : "") + (tens > 0 ? "十" : "") + (n % 10 ? cjkDigits[n % 10]! : "");
}

const pick = (alphabet: string) => (n: number) => [...alphabet][n - 1] ?? String(n);

type Writer = (n: number) => string;
const writers: Record<string, Writer> = {
  decimal: String,
  decimalZero: (n) => String(n).padStart(2, "0"),
  lowerLetter: letters,
  upperLetter: (n) => letters(n).toUpperCase(),
  lowerRoman: roman,
  upperRoman: (n) => roman(n).toUpperCase(),
  ordinal: (n) => `${n}${ordinalEnding(n)}`,
  decimalEnclosedCircle: (n) => (n >= 1 && n <= 20 ? String.fromCharCode(0x245f + n) : String(n)),
  chineseCounting: cjk,
  chineseCountingThousand: cjk,
  ideographDigital: cjk,
  japaneseCounting: cjk,
  taiwaneseCountingThousand: cjk,
  hebrew1: pick("אבגדהוזחטיכלמנסעפצקרשת"),
  hebrew2: pick("אבגדהוזחטיכלמנסעפצקרשת"),
  arabicAlpha: pick("أبتثجحخدذرزسشصضطظعغفقكلمنهوي"),
  arabicAbjad: pick("أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"),
  russianLower: pick("абвгдежзиклмнопрстуфхцчшщыэюя"),
  russianUpper: pick("АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ"),
  none: () => "",
};

/** An unknown format counts in digits, as Word does. */
export const writeNumber = (n: number, format: string): string => (writers[format] ?? String)(n);

/** Bullets of the symbol fonts stand in the private use area, where no other font shows them. */
export function plainBullet(bullet: string): string {
  const first = bullet.trim().codePointAt(0);
  if (first === undefined || (first >= 0xe000 && first <= 0xf8ff) || first < 0x21) return "•";
  if (bullet.trim() === "o") return "◦";
  if (bullet.trim() === "§") return "▪";
  return bullet.trim();
}
