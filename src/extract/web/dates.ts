// Dates as pages write them, to ISO 8601. Only what is certain: a date whose day and month could be swapped is not read.

const monthNames: string[][] = [
  ["january", "januar", "janvier", "enero", "gennaio", "janeiro", "январ", "stycz", "januari", "jan"],
  [
    "february",
    "februar",
    "février",
    "fevrier",
    "febrero",
    "febbraio",
    "fevereiro",
    "феврал",
    "luty",
    "lutego",
    "februari",
    "feb",
  ],
  ["march", "märz", "maerz", "mars", "marzo", "março", "marco", "март", "marz", "marca", "maart", "mar"],
  ["april", "avril", "abril", "aprile", "апрел", "kwie", "apr"],
  ["may", "mai", "mayo", "maggio", "maio", "мая", "май", "maj", "mei"],
  ["june", "juni", "juin", "junio", "giugno", "junho", "июн", "czerw", "jun"],
  ["july", "juli", "juillet", "julio", "luglio", "julho", "июл", "lip", "jul"],
  ["august", "août", "aout", "agosto", "август", "sierp", "augustus", "aug"],
  ["september", "septembre", "septiembre", "settembre", "setembro", "сентябр", "wrze", "sept", "sep"],
  ["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "октябр", "paźdz", "oct", "okt"],
  ["november", "novembre", "noviembre", "novembro", "ноябр", "listop", "nov"],
  ["december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro", "декабр", "grud", "dec", "dez"],
];

const monthOf = (word: string): number =>
  1 + monthNames.findIndex((names) => names.some((name) => (name.length > 3 ? word.startsWith(name) : word === name)));

const two = (value: string | number): string => String(value).padStart(2, "0");

const isDay = (year: number, month: number, day: number): boolean =>
  year >= 1000 &&
  year <= 2999 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

const clock =
  /[T\s,]+(?:at\s+|às\s+|um\s+|à\s+)?(\d{1,2})[:h](\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?/i;

/** "2019-11-20T06:02:00-05:00", "2019-11-20", or null. */
export function isoDate(source: string | null | undefined): string | null {
  const text = source?.trim().slice(0, 120) ?? "";
  const found =
    /^(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(text) ?? /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text);
  if (found)
    return withTime(Number(found[1]), Number(found[2]), Number(found[3]), text.slice(found.index + found[0].length));
  const eastern = /(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})/.exec(text);
  if (eastern) return withTime(Number(eastern[1]), Number(eastern[2]), Number(eastern[3]), "");
  const named = /(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/u.exec(text);
  if (named && monthOf(named[1]!.toLowerCase()) > 0)
    return withTime(
      Number(named[3]),
      monthOf(named[1]!.toLowerCase()),
      Number(named[2]),
      text.slice(named.index + named[0].length),
    );
  const dayFirst = /(\d{1,2})\.?(?:st|nd|rd|th)?[\s-]+(?:de\s+)?(\p{L}{3,12})\.?,?[\s-]+(?:de\s+)?(\d{4})/u.exec(text);
  if (dayFirst && monthOf(dayFirst[2]!.toLowerCase()) > 0)
    return withTime(
      Number(dayFirst[3]),
      monthOf(dayFirst[2]!.toLowerCase()),
      Number(dayFirst[1]),
      text.slice(dayFirst.index + dayFirst[0].length),
    );
  const numeric = /(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/.exec(text);
  if (!numeric) return null;
  const [a, b] = [Number(numeric[1]), Number(numeric[3])];
  // Points are written day first everywhere; with a slash only a number above twelve tells.
  if (numeric[2] === "." || a > 12 || a === b) return withTime(Number(numeric[4]), b, a, "");
  return b > 12 ? withTime(Number(numeric[4]), a, b, "") : null;
}

function withTime(year: number, month: number, day: number, rest: string): string | null {
  if (!isDay(year, month, day)) return null;
  const date = `${year}-${two(month)}-${two(day)}`;
  const time = clock.exec(rest.startsWith("T") || /^\s/.test(rest) || rest.startsWith(",") ? rest : "");
  if (!time || time.index > 3) return date;
  let hour = Number(time[1]);
  if (/^p/i.test(time[4] ?? "") && hour < 12) hour += 12;
  if (/^a/i.test(time[4] ?? "") && hour === 12) hour = 0;
  if (hour > 23 || Number(time[2]) > 59) return date;
  const zone = time[5] === undefined ? "" : /^[+-]/.test(time[5]) ? `${time[5].slice(0, 3)}:${time[5].slice(-2)}` : "Z";
  return `${date}T${two(hour)}:${time[2]}:${time[3] ?? "00"}${zone}`;
}
