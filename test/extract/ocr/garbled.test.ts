import { expect, test } from "vitest";
import { isGarbled } from "../../../src/extract/ocr/garbled.ts";

const PROSE =
  "The tenant pays the rent on the third working day of each month; the landlord keeps the deposit of 1,250.00 until the end.";
const shift = (text: string, by: number) =>
  [...text].map((c) => (c === " " ? c : String.fromCharCode(c.charCodeAt(0) + by))).join("");

test.each([
  ["English prose", PROSE],
  [
    "German prose",
    "Der Mieter zahlt die Miete spätestens am dritten Werktag eines jeden Monats; Änderungen bedürfen der Schriftform.",
  ],
  ["Chinese, without spaces", "承租人应当在每个月的第三个工作日之前支付租金，出租人保留押金直到合同结束为止。"],
  ["Arabic", "يدفع المستأجر الإيجار في اليوم الثالث من كل شهر ويحتفظ المؤجر بالوديعة حتى نهاية العقد"],
  ["a table of figures", "2021 1,204.50 12.4% -3.1 2022 1,310.00 8.7% 4.4 2023 €990.10 (24.4%) 7/12 01.02.2024 #4711"],
  [
    "a table of contents",
    "1 Introduction ........ 3\n2 Methods .......... 7\n3 Results ........ 12\n4 Discussion ....... 20",
  ],
  [
    "abbreviations",
    "QTY DESC UOM RM SST TBD HDMI-CBL 2M BLK 3.00 PCS DLVRY NO. INV-000123 REF: PO/2024/77 ATTN: MR TAN",
  ],
  ["nothing to judge", "7"],
])("%s is trusted", (_, text) => {
  expect(isGarbled(text)).toBe(false);
});

test.each([
  ["glyph codes shifted down", shift(PROSE, -29)],
  ["letters shifted up", shift(PROSE, 3)],
  ["private use area", shift(PROSE, 0xf000)],
  ["replacement characters", PROSE.replace(/[aeiou]/g, "\uFFFD")],
  ["control characters", PROSE.replace(/[aeiou]/g, "\u0003")],
  ["glyph numbers", "(cid:12)(cid:7) (cid:44)(cid:3)(cid:18)(cid:20)"],
  ["symbols instead of letters", "!\"#$ %&'( )*+, -./: ;<=> ?@[\\ ]^_` {|}~ #$%& '()* +,-. !\"#$ %&'( )*+, -./:"],
])("%s is garbled", (_, text) => {
  expect(isGarbled(text)).toBe(true);
});

test("a megabyte without a space is judged in linear time", () => {
  expect(isGarbled("a-".repeat(500_000))).toBe(false);
  expect(isGarbled("(".repeat(1_000_000))).toBe(false);
});
