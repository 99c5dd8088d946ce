import { describe, expect, it } from "vitest";
import { countDayOrder, findDates, findTimes } from "../../../src/extract/fields/dates.ts";

const first = (text: string, order: "day-first" | "month-first" = "day-first"): string | undefined =>
  findDates(text, order)[0]?.value;

describe("findDates", () => {
  it.each([
    ["2024-03-05", "2024-03-05"],
    ["2024/3/5", "2024-03-05"],
    ["2024.03.05", "2024-03-05"],
    ["20240305", "2024-03-05"],
    ["05/03/2024", "2024-03-05"],
    ["5-3-2024", "2024-03-05"],
    ["05.03.24", "2024-03-05"],
    ["25/12/18", "2018-12-25"],
    ["12/25/2018", "2018-12-25"],
    ["5 March 2024", "2024-03-05"],
    ["5th of March, 2024", "2024-03-05"],
    ["March 5, 2024", "2024-03-05"],
    ["Mar. 5th 2024", "2024-03-05"],
    ["05-MAR-24", "2024-03-05"],
    ["05MAR2024", "2024-03-05"],
    ["2024-Mar-05", "2024-03-05"],
    ["5. März 2024", "2024-03-05"],
    ["1er février 2024", "2024-02-01"],
    ["5 de marzo de 2024", "2024-03-05"],
    ["5 marzo 2024", "2024-03-05"],
    ["5 de março de 2024", "2024-03-05"],
    ["5 maart 2024", "2024-03-05"],
    ["5 mars 2024", "2024-03-05"],
    ["5 marca 2024", "2024-03-05"],
    ["5 Ogos 2024", "2024-08-05"],
    ["5 марта 2024", "2024-03-05"],
    ["2024年3月5日", "2024-03-05"],
    ["2024년 3월 5일", "2024-03-05"],
    ["29/02/2024", "2024-02-29"],
    ["DATE:25/12/201812:31:00", "2018-12-25"],
    ["(06/12/2016)", "2016-12-06"],
    ["14--03-18", "2018-03-14"],
    ["27 03/2018", "2018-03-27"],
  ])("%s", (text, iso) => {
    expect(first(text)).toBe(iso);
    expect(first(`Ref 77 ${text} end`)).toBe(iso);
  });

  it.each([
    "29/02/2023",
    "31/04/2024",
    "32/01/2024",
    "13/13/2024",
    "1.2.3.4",
    "10.000,00",
    "192.168.1.10",
    "5 apples 2024",
    "123/45/2024",
    "2024",
    "3/4",
  ])("%s is no date", (text) => {
    expect(findDates(text, "day-first")).toEqual([]);
  });

  it("gives both readings of a date that has two", () => {
    expect(findDates("03/04/2024", "day-first")[0]).toMatchObject({ value: "2024-04-03", other: "2024-03-04" });
    expect(findDates("03/04/2024", "month-first")[0]).toMatchObject({ value: "2024-03-04", other: "2024-04-03" });
    expect(findDates("03/25/2024", "day-first")[0]).toMatchObject({ value: "2024-03-25", other: null });
  });

  it("says where each stands", () => {
    const text = "from 01.02.2024 to 28 Feb 2024";
    expect(findDates(text, "day-first").map(({ start, end }) => text.slice(start, end))).toEqual([
      "01.02.2024",
      "28 Feb 2024",
    ]);
  });

  it("stays linear on a text of digits", () => {
    expect(findDates("1/".repeat(50_000), "day-first")).toEqual([]);
  });
});

it("counts which order a document writes", () => {
  expect(countDayOrder("25/12/2018, 01/02/2018, 14-1-2019")).toEqual({ dayFirst: 2, monthFirst: 0 });
  expect(countDayOrder("12/25/2018")).toEqual({ dayFirst: 0, monthFirst: 1 });
});

describe("findTimes", () => {
  it.each([
    ["12:31", "12:31:00"],
    ["9:05:07 PM", "21:05:07"],
    ["12:00 a.m.", "00:00:00"],
    ["7.07pm", "19:07:00"],
  ])("%s", (text, value) => {
    expect(findTimes(text)[0]?.value).toBe(value);
  });

  it.each(["12.30", "25:00", "1:2", "12:345"])("%s is no time", (text) => {
    expect(findTimes(text)).toEqual([]);
  });
});
