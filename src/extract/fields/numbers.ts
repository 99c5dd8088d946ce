// Numbers, amounts of money and percentages in a text, with either decimal sign.

export interface FoundNumber {
  start: number;
  end: number;
  value: number;
  /** Digits after the decimal sign. */
  decimals: number;
  /** ISO 4217, where a sign or code stands at the number. */
  currency: string | null;
  /** Where that sign or code stands. */
  currencyAt: [start: number, end: number] | null;
  percent: boolean;
  /** Digits as written, without signs: tells an amount from an id. */
  digits: number;
  /** Whether thousands are grouped. */
  grouped: boolean;
  /** A letter runs into it from the left or right: part of a code rather than a number. */
  glued: boolean;
}

export type DecimalSign = "." | ",";

/** Signs that name one currency first, then the ones several share with their most common meaning. */
const signs: [string, string][] = [
  ["US$", "USD"], ["S$", "SGD"], ["A$", "AUD"], ["AU$", "AUD"], ["C$", "CAD"], ["CA$", "CAD"], ["NZ$", "NZD"], ["HK$", "HKD"], ["R$", "BRL"], ["NT$", "TWD"],
  ["RM", "MYR"], ["Rp", "IDR"], ["Rs", "INR"], ["zł", "PLN"], ["Kč", "CZK"], ["Ft", "HUF"], ["kr", "SEK"], ["Fr", "CHF"], ["lei", "RON"],
  ["€", "EUR"], ["£", "GBP"], ["¥", "JPY"], ["₹", "INR"], ["₽", "RUB"], ["₺", "TRY"], ["₩", "KRW"], ["฿", "THB"], ["₫", "VND"], ["₱", "PHP"], ["₪", "ILS"], ["₴", "UAH"], ["₦", "NGN"], ["円", "JPY"], ["元", "CNY"], ["$", "USD"],
]; // biome-ignore format: a table
const codes =
  "USD EUR GBP CHF JPY CNY RMB AUD CAD NZD SGD HKD MYR IDR THB PHP VND INR PKR BDT KRW TWD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY RUB UAH ILS AED SAR QAR KWD EGP ZAR NGN KES BRL MXN ARS CLP COP PEN EURO EUROS".split(
    " ",
  );
const aliases: Record<string, string> = { EURO: "EUR", EUROS: "EUR", RMB: "CNY" };

export function currencyCode(sign: string): string | null {
  const upper = sign.toUpperCase();
  if (codes.includes(upper)) return aliases[upper] ?? upper;
  return signs.find(([text]) => text === sign || text.toUpperCase() === upper)?.[1] ?? null;
}

const quoted = (text: string): string => text.replace(/[$.]/g, "\\$&");
const money = `(?:${[...codes, ...signs.map(([sign]) => quoted(sign))].join("|")})`;
const before = new RegExp(`(?<![\\p{L}])(${money})\\.? ?:? ?[-–]?\\(?$`, "iu");
const after = new RegExp(`^ ?(${money})(?![\\p{L}])`, "iu");
/** How far beside a number a currency may stand. */
const REACH = 8;

// Grouped with one sign, or plain; then decimals. Apostrophes and thin spaces group too (1'234.56).
const plain = String.raw`\d{1,3}(?:[.,](?=\d{3})\d{3})+|\d{1,3}(?:['’\u00a0\u202f]\d{3})+(?!\d)|\d{1,15}`;
const spaced = String.raw`\d{1,3}(?: \d{3})+(?=,\d{1,2}(?!\d))`;
const tail = String.raw`(?:[.,]\d{1,6})?(?!\d)`;
// OCR sees a gap beside the point: "39. 80"
const looseTail = String.raw`(?:[.,]\d{1,6}|[.,] \d{2}(?![\d.,])| [.,]\d{2}(?![\d.,]))?(?!\d)`;
const looseExpression = new RegExp(`(?<!\\d)(?:${plain})${looseTail}`, "g");
const expressions: Record<DecimalSign, RegExp> = {
  ".": new RegExp(`(?<!\\d)(?:${plain})${tail}`, "g"),
  // Where the comma parts decimals an ordinary space may group: 1 234,56. With a point it would join two columns.
  ",": new RegExp(`(?<!\\d)(?:${spaced}|${plain})${tail}`, "g"),
};

/** Which sign parts the decimals in this document: counted over numbers that can only be read one way. */
export function countDecimalSigns(text: string): { point: number; comma: number } {
  const counts = { point: 0, comma: 0 };
  for (const match of text.matchAll(/\d([.,])\d{2}(?![\d.,/-])/g)) match[1] === "." ? counts.point++ : counts.comma++;
  return counts;
}

export function findNumbers(text: string, decimal: DecimalSign, loose = false): FoundNumber[] {
  const found: FoundNumber[] = [];
  for (const match of text.matchAll(loose ? looseExpression : expressions[decimal])) {
    const raw = match[0];
    let start = match.index;
    let end = start + raw.length;
    // "l.868,30": OCR took the one of the thousands for a letter
    const lost = loose ? /[lI|]([.,])$/.exec(text.slice(Math.max(0, start - 2), start)) : null;
    const broken = lost !== null && /^\d{3}[.,]\d{2}$/.test(raw) && raw[3] !== lost[1];
    if (broken) start -= 2;
    const parsed = parseNumber(broken ? `1${lost[1]}${raw}` : loose ? raw.replaceAll(" ", "") : raw, decimal);
    if (!parsed) continue;
    const ahead = text.slice(Math.max(0, start - REACH), start);
    const behind = text.slice(end, end + REACH);
    const left = before.exec(ahead);
    const right = after.exec(behind);
    const leftLetter = /\p{L}$/u.test(ahead) && !left;
    const rightLetter = /^\p{L}{3,}|^\p{L}\d/u.test(behind) && !right;
    let currencyAt: [number, number] | null = null;
    if (left) currencyAt = [start - ahead.length + left.index, start - ahead.length + left.index + left[1]!.length];
    else if (right) {
      const lead = right[0].length - right[1]!.length;
      currencyAt = [end + lead, end + lead + right[1]!.length];
    }
    const sign = currencyAt ? text.slice(currencyAt[0], currencyAt[1]) : null;
    let value = parsed.value;
    // Minus before the number or its currency, behind it, or brackets around it
    const minus =
      /(?:^|[\s:(=])([-–−] ?)(?:\p{Sc}|\p{L}{1,3})? ?$/u.exec(ahead) ?? (left ? /[-–−]$/.exec(ahead) : null);
    if (
      minus &&
      !/\d ?[-–−] ?$/.test(
        text.slice(Math.max(0, start - REACH - 2), start - ahead.length + minus.index + minus[0].length),
      )
    ) {
      value = -value;
      const lead = /[-–−]/.exec(minus[0])?.index ?? 0;
      start = start - ahead.length + minus.index + lead;
    } else if (/^[-–−](?![\d\p{L}])/u.test(behind) && parsed.decimals === 2) {
      value = -value;
      end += 1;
    } else if (
      /\($/.test(ahead.replace(/(?:\p{Sc}|\p{L}{1,3}) ?$/u, "")) &&
      /^\)/.test(behind) &&
      parsed.decimals === 2
    )
      value = -value;
    found.push({
      start, end, value: value === 0 ? 0 : value, decimals: parsed.decimals, digits: parsed.digits, grouped: parsed.grouped,
      currency: sign ? currencyCode(sign) : null, currencyAt, percent: /^ ?%/.test(behind), glued: leftLetter || rightLetter,
    }); // biome-ignore format: one line
  }
  return found;
}

function parseNumber(
  raw: string,
  decimal: DecimalSign,
): { value: number; decimals: number; digits: number; grouped: boolean } | null {
  const marks = [...raw.matchAll(/[.,]/g)].map((m) => ({ sign: m[0], at: m.index }));
  const last = marks.at(-1);
  let cut = -1;
  if (last) {
    const tail = raw.length - last.at - 1;
    const mixed = marks.some((mark) => mark.sign !== last.sign);
    const repeated = !mixed && marks.length > 1;
    if (mixed || tail !== 3) cut = last.at;
    else if (!repeated && last.sign === decimal && (last.at > 3 || raw.startsWith("0") || decimal === ","))
      cut = last.at;
    if (repeated && tail !== 3) return null; // 1.2.3 is not a number
  }
  const whole = (cut < 0 ? raw : raw.slice(0, cut)).replace(/\D/g, "");
  const part = cut < 0 ? "" : raw.slice(cut + 1);
  const value = Number(part ? `${whole}.${part}` : whole);
  if (!Number.isFinite(value)) return null;
  return {
    value,
    decimals: part.length,
    digits: whole.length + part.length,
    grouped: /\D/.test(cut < 0 ? raw : raw.slice(0, cut)),
  };
}
