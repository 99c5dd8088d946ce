// Dates and times in a text, in the common orders and languages. A date is given with its day, month and year only.

export interface FoundDate {
  start: number;
  end: number;
  /** YYYY-MM-DD */
  value: string;
  /** The other reading of 03/04/2024, where both are dates. */
  other: string | null;
  /** How plainly it is a date: a month's name or four digits of year say more than 1.2.18. */
  quality: number;
}

export type DayOrder = "day-first" | "month-first";

const monthNames: string[][] = [
  "january jan januar janner jaenner janvier janv enero ene gennaio gen janeiro januari styczen stycznia sty ocak oca leden ledna tammikuu tammikuuta ianuarie январь января янв".split(" "),
  "february feb februar feber fevrier fevr fev febrero febbraio fevereiro februari luty lutego lut subat sub unor unora helmikuu helmikuuta februarie февраль февраля фев".split(" "),
  "march mar marz maerz mrz mars marzo março marco maart mrt marts marzec marca mart brezen brezna maaliskuu maaliskuuta mac martie март марта мар".split(" "),
  "april apr avril avr abril abr aprile kwiecien kwietnia kwi nisan nis duben dubna huhtikuu huhtikuuta aprilie апрель апреля апр".split(" "),
  "may mai mayo maggio mag maio mei maj maja mayis kveten kvetna toukokuu toukokuuta май мая".split(" "),
  "june jun juni juin junio giugno giu junho czerwiec czerwca cze haziran haz cerven cervna kesakuu kesakuuta iunie июнь июня июн".split(" "),
  "july jul juli juillet juil julio luglio lug julho lipiec lipca lip temmuz tem cervenec cervence heinakuu heinakuuta julai iulie июль июля июл".split(" "),
  "august aug aout agosto ago augustus augusti sierpien sierpnia sie agustos agu srpen srpna elokuu elokuuta ogos agustus ogo август августа авг".split(" "),
  "september sep sept septembre septiembre set settembre setembro wrzesien wrzesnia wrz eylul eyl zari syyskuu syyskuuta septembrie сентябрь сентября сен".split(" "),
  "october oct oktober okt octobre octubre ottobre ott outubro out pazdziernik pazdziernika paz ekim eki rijen rijna lokakuu lokakuuta oktobre octombrie октябрь октября окт".split(" "),
  "november nov novembre noviembre novembro listopad listopada lis kasim kas listopadu marraskuu marraskuuta noiembrie ноябрь ноября ноя".split(" "),
  "december dec dezember dez decembre diciembre dic dicembre dezembro grudzien grudnia gru desember des aralik ara prosinec prosince joulukuu joulukuuta disember dis decembrie декабрь декабря дек".split(" "),
]; // biome-ignore format: one line a month

const months = new Map<string, number>();
monthNames.forEach((names, i) => {
  for (const name of names) if (!months.has(name)) months.set(name, i + 1);
});

/** OCR reads "0CT" and "JU1"; no month has a digit in its name. */
const unconfused = (word: string): string => (/\d/.test(word) ? word.replaceAll("0", "o").replaceAll("1", "l") : word);

export function monthNumber(word: string): number | undefined {
  return months.get(unconfused(word).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase());
}

const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Documents are from this range; a two-digit year is of this century up to PIVOT, else of the last. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2099;
const PIVOT = 50;

function isoDate(year: number, month: number, day: number): string | null {
  const full = year < 100 ? (year <= PIVOT ? 2000 + year : 1900 + year) : year;
  if (full < FIRST_YEAR || full > LAST_YEAR || month < 1 || month > 12 || day < 1 || day > daysIn[month - 1]!)
    return null;
  if (month === 2 && day === 29 && (full % 4 !== 0 || (full % 100 === 0 && full % 400 !== 0))) return null;
  return `${full}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

// A year of four digits may run into a time where OCR lost the space: 25/12/201812:31
const numeric =
  /(?<![\d.,/-])(\d{1,2})( ?[/.\-–]{1,2} ?)(\d{1,2})( ?[/.\-–]{1,2} ?)(\d{4}(?=\d{1,2}:\d\d|\D|$)|\d{2}(?=\d{2}:\d\d|[^\d.,/]|[.,/](?!\d)|$))/g;
// OCR lost one of the two signs: 27 03/2018
const lostSign = /(?<![\d.,/-])(\d{2})(?: (\d{2})[/-]|[/-](\d{2}) )((?:19|20)\d\d)(?!\d)/g;
const yearFirst = /(?<!\d)((?:19|20)\d\d)([/.\-–])(\d{1,2})\2(\d{1,2})(?=\d{2}:\d\d|\D|$)/g;
const compact = /(?<![\d.,/-])(?:((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01]))(?![\d.,/-])/g;
const eastAsian = /(?<!\d)((?:19|20)\d\d) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/g;
const dayMonthYear =
  /(?<![\d.])(\d{1,2})(?:st|nd|rd|th|er|º|ª|°|\.)?(?:[ ,]| ?[-/.'’] ?)?(?:(?:of|de|del|den|d') ?)?([\p{L}01]{3,14})\.?(?: ?[-/.,'’] ?| )?(?:(?:of|de|del) )?['’]?(\d{4}|\d{2}(?=\d\d:\d\d)|\d{2}(?!\d))(?![/.]\d)/giu;
const monthDayYear =
  /(?<!\p{L})(\p{L}{3,14})\.?[ \-/]?(\d{1,2})(?:st|nd|rd|th)?(?: ?[,\-/.] ?| )['’]?(\d{4}|\d{2}(?=\d\d:\d\d))(?!\d)/giu;
const yearMonthDay = /(?<!\d)((?:19|20)\d\d)[ \-/.,](\p{L}{3,14})\.?[ \-/.](\d{1,2})(?!\d)/giu;

export function findDates(text: string, order: DayOrder): FoundDate[] {
  const found: FoundDate[] = [];
  const add = (match: RegExpExecArray, value: string | null, other: string | null, quality: number): void => {
    if (value) found.push({ start: match.index, end: match.index + match[0].length, value, other, quality });
  };
  const n = (part: string | undefined): number => Number(part);
  for (const m of matches(yearFirst, text)) add(m, isoDate(n(m[1]), n(m[3]), n(m[4])), null, 1);
  for (const m of matches(eastAsian, text)) add(m, isoDate(n(m[1]), n(m[2]), n(m[3])), null, 1);
  for (const m of matches(compact, text)) add(m, isoDate(n(m[1]), n(m[2]), n(m[3])), null, 0.5);
  for (const m of matches(dayMonthYear, text)) {
    const month = monthNumber(m[2]!);
    if (month) add(m, isoDate(n(m[3]), month, n(m[1])), null, m[3]!.length === 4 ? 1 : 0.9);
  }
  for (const m of matches(monthDayYear, text)) {
    const month = monthNumber(m[1]!);
    if (month) add(m, isoDate(n(m[3]), month, n(m[2])), null, 1);
  }
  for (const m of matches(yearMonthDay, text)) {
    const month = monthNumber(m[2]!);
    if (month) add(m, isoDate(n(m[1]), month, n(m[3])), null, 1);
  }
  for (const m of matches(lostSign, text)) add(m, isoDate(n(m[4]), n(m[2] ?? m[3]), n(m[1])), null, 0.5);
  for (const m of matches(numeric, text)) {
    if (m[2]!.trim()[0] !== m[4]!.trim()[0]) continue;
    const dayFirst = isoDate(n(m[5]), n(m[3]), n(m[1]));
    const monthFirst = isoDate(n(m[5]), n(m[1]), n(m[3]));
    const [value, other] = order === "day-first" ? [dayFirst, monthFirst] : [monthFirst, dayFirst];
    const quality = (m[5]!.length === 4 ? 0.95 : 0.7) - (m[2]!.includes(".") && m[5]!.length === 2 ? 0.2 : 0);
    if (!value && !other && m[5]!.length === 2)
      add(m, isoDate(n(m[1]), n(m[3]), n(m[5])), null, 0.5); // 18/03/25 as year first
    else add(m, value ?? other, value && other && value !== other ? other : null, quality);
  }
  return withoutOverlaps(found);
}

const isDate = (m: RegExpExecArray): boolean =>
  isoDate(Number(m[5]), Number(m[3]), Number(m[1])) !== null ||
  isoDate(Number(m[5]), Number(m[1]), Number(m[3])) !== null;

/** How this document writes 03/04/2024, told from its dates that can only be read one way; null when none tells. */
export function countDayOrder(text: string): { dayFirst: number; monthFirst: number } {
  const counts = { dayFirst: 0, monthFirst: 0 };
  for (const m of matches(numeric, text)) {
    if (m[2]!.trim()[0] !== m[4]!.trim()[0] || !isDate(m)) continue;
    const [a, b] = [Number(m[1]), Number(m[3])];
    if (a > 12 && b <= 12) counts.dayFirst++;
    else if (b > 12 && a <= 12) counts.monthFirst++;
  }
  return counts;
}

const clock = /(?<![\d:.,])([01]?\d|2[0-4])[:.]([0-5]\d)(?:[:.]([0-5]\d))? ?([ap]\.?m\b\.?)?(?![\d:])/gi;

export function findTimes(text: string): { start: number; end: number; value: string; quality: number }[] {
  const found: { start: number; end: number; value: string; quality: number }[] = [];
  for (const m of matches(clock, text)) {
    const colon = m[0].includes(":");
    if (!colon && !m[4]) continue; // 12.30 is an amount unless am or pm follows
    let hour = Number(m[1]);
    const half = m[4]?.[0]?.toLowerCase();
    if (half === "p" && hour < 12) hour += 12;
    if (half === "a" && hour === 12) hour = 0;
    if (hour > 23) continue;
    const value = `${String(hour).padStart(2, "0")}:${m[2]}:${m[3] ?? "00"}`;
    found.push({ start: m.index, end: m.index + m[0].trimEnd().length, value, quality: 1 });
  }
  return found;
}

function* matches(expression: RegExp, text: string): Generator<RegExpExecArray> {
  const own = new RegExp(expression);
  own.lastIndex = 0;
  for (let match = own.exec(text); match; match = own.exec(text)) {
    yield match;
    if (match[0].length === 0) own.lastIndex++;
  }
}

/** Of two that overlap the plainer stays, then the longer. */
function withoutOverlaps(found: FoundDate[]): FoundDate[] {
  const kept: FoundDate[] = [];
  for (const date of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (!last || date.start >= last.end) kept.push(date);
    else if (
      date.quality - last.quality > 0 ||
      (date.quality === last.quality && date.end - date.start > last.end - last.start)
    )
      kept[kept.length - 1] = date;
  }
  return kept;
}
