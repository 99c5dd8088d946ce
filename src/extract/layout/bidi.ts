// Words of a line from their places on the page (left to right) into the order they are read.

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/gu;
const HAS_RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const HAS_LETTER = /\p{L}/u;
const LETTER = /\p{L}/gu;

/** 1 right to left, -1 left to right, 0 neither: digits, signs. */
export function directionOf(text: string): number {
  if (!HAS_RTL.test(text)) return HAS_LETTER.test(text) ? -1 : 0;
  const rtl = text.match(RTL)?.length ?? 0;
  const letters = text.match(LETTER)?.length ?? 0;
  return rtl * 2 >= letters ? 1 : -1;
}

/** Whether most letters of the words are right to left. */
export function isRightToLeft(words: { text: string }[]): boolean {
  if (!words.some(({ text }) => HAS_RTL.test(text))) return false;
  let rtl = 0;
  let all = 0;
  for (const { text } of words) {
    rtl += text.match(RTL)?.length ?? 0;
    all += text.match(LETTER)?.length ?? 0;
  }
  return rtl * 2 > all;
}

/**
 * Visual order → logical order. In a right-to-left line the words are turned round, then each stretch of
 * left-to-right words is turned back; in a left-to-right line each stretch of right-to-left words is.
 */
export function toLogical<T extends { text: string }>(visual: T[], rightToLeft: boolean): T[] {
  if (!rightToLeft && !visual.some((word) => HAS_RTL.test(word.text))) return visual;
  if (rightToLeft) visual = visual.map(turnBrackets);
  const directions = visual.map((word) => directionOf(word.text));
  const order = rightToLeft ? [...visual].reverse() : [...visual];
  const turned = rightToLeft ? directions.reverse() : directions;
  const inner = rightToLeft ? -1 : 1;
  for (let i = 0; i < order.length; i++) {
    if (turned[i] !== inner) continue;
    let last = i;
    for (let k = i; k < order.length && turned[k] !== -inner; k++) if (turned[k] === inner) last = k;
    // a number right after Latin words belongs to them: "May 2019"
    const stretch = order.slice(i, last + 1).reverse();
    order.splice(i, stretch.length, ...stretch);
    i = last;
  }
  return order;
}

const MIRROR: Record<string, string> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" };

/** Brackets around a left-to-right word in a right-to-left line, named by their look. */
const turnBrackets = <T extends { text: string }>(word: T): T =>
  /^[)\]}].*[([{]$/u.test(word.text)
    ? { ...word, text: MIRROR[word.text[0]!] + word.text.slice(1, -1) + MIRROR[word.text.at(-1)!] }
    : word;
