import { describe, expect, it } from "vitest";
import { countDecimalSigns, currencyCode, findNumbers } from "../../../src/extract/fields/numbers.ts";

describe("findNumbers", () => {
  it.each([
    ["1,234.56", ".", 1234.56],
    ["1.234,56", ",", 1234.56],
    ["1.234,56", ".", 1234.56],
    ["1,234", ".", 1234],
    ["1.234", ",", 1234],
    ["12.5", ".", 12.5],
    ["1 234,56", ",", 1234.56],
    ["1'234.50", ".", 1234.5],
    ["1,234,567.89", ".", 1234567.89],
    ["-5.00", ".", -5],
    ["5.00-", ".", -5],
    ["(5.00)", ".", -5],
    ["-RM5.00", ".", -5],
    ["0,42", ",", 0.42],
  ] as const)("%s with %s", (text, decimal, value) => {
    expect(findNumbers(text, decimal).map((number) => number.value)).toEqual([value]);
  });

  it.each([
    ["RM 9.00", "MYR"],
    ["9,00 €", "EUR"],
    ["$8.20", "USD"],
    ["S$8.20", "SGD"],
    ["CHF 10.50", "CHF"],
    ["10.50EUR", "EUR"],
    ["£1,000.00", "GBP"],
    ["100 zł", "PLN"],
  ])("%s is %s", (text, currency) => {
    const [number] = findNumbers(text, text.includes(",00") ? "," : ".");
    expect(number?.currency).toBe(currency);
    expect(text.slice(...number!.currencyAt!).trim()).toBe(text.replace(/[\d.,\s]/g, ""));
  });

  it("does not join the columns of a line", () => {
    expect(findNumbers("1 180.91 180.91", ".").map((number) => number.value)).toEqual([1, 180.91, 180.91]);
  });

  it("reads what OCR does to a number, and only on pages read by it", () => {
    expect(findNumbers("39. 80", ".", true).map((number) => number.value)).toEqual([39.8]);
    expect(findNumbers("39. 80", ".").map((number) => number.value)).toEqual([39, 80]);
    expect(findNumbers("Summe l.868,30", ",", true)[0]).toMatchObject({ value: 1868.3, start: 6, end: 14 });
  });

  it("tells percentages and codes", () => {
    expect(findNumbers("19 %", ".")[0]).toMatchObject({ value: 19, percent: true });
    expect(findNumbers("A4711", ".")[0]?.glued).toBe(true);
    expect(findNumbers("80.91SR", ".")[0]?.glued).toBe(false);
  });
});

it("counts the decimal signs of a document", () => {
  expect(countDecimalSigns("1.234,56 7,80 9.99")).toEqual({ point: 1, comma: 2 });
});

it("knows currencies by sign and code", () => {
  expect(["€", "usd", "RM", "Euro", "xyz"].map(currencyCode)).toEqual(["EUR", "USD", "MYR", "EUR", null]);
});
