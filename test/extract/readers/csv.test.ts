import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCsv, sniffDialect } from "../../../src/extract/readers/csv.ts";
import { read, rowsOf } from "../reading.ts";

const csv = (text: string) => read(text, { name: "a.csv" });

describe("dialects", () => {
  test.each([
    [
      "comma",
      'name,age\n"Doe, J",3\n',
      [
        ["name", "age"],
        ["Doe, J", "3"],
      ],
    ],
    [
      "semicolon with decimal commas",
      "a;b\n1,5;2,5\n3,5;4,5\n",
      [
        ["a", "b"],
        ["1,5", "2,5"],
        ["3,5", "4,5"],
      ],
    ],
    [
      "tab",
      "a\tb\nx y\tz\n",
      [
        ["a", "b"],
        ["x y", "z"],
      ],
    ],
    [
      "bar",
      "a|b|c\n1|2|3\n",
      [
        ["a", "b", "c"],
        ["1", "2", "3"],
      ],
    ],
    [
      "apostrophes",
      "'a;x';b\n'c;y';d\n",
      [
        ["a;x", "b"],
        ["c;y", "d"],
      ],
    ],
    [
      "Excel's own line",
      "sep=;\na;b\n1;2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
  ])("%s", async (_, text, rows) => {
    expect(rowsOf(await csv(text))).toEqual(rows);
  });

  test("quotes hold separators, breaks and doubled quotes; one that never closes is text", () => {
    const dialect = { separator: ",", quote: '"' as const };
    expect(parseCsv('a,"b ""c""\nd",e\n', dialect)).toEqual([["a", 'b "c"\nd', "e"]]);
    expect(parseCsv('a,"open\nb,c\n', dialect)).toEqual([
      ["a", '"open'],
      ["b", "c"],
    ]);
    expect(parseCsv("a,\n\nb,c", dialect)).toEqual([
      ["a", ""],
      ["b", "c"],
    ]);
  });

  test("the separator is told from quoted values that hold the others", () => {
    for (const separator of [",", ";", "\t"])
      expect(sniffDialect(`"a;b"${separator}"c,d"\n"e\tf"${separator}"g;h, i"\n`)).toEqual({ separator, quote: '"' });
  });

  test("whatever is written comes back", () => {
    const value = fc.string({ unit: fc.constantFrom(...'ab1,;"\n\t '.split("")), maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(",", ";", "\t"),
        (rows, separator) => {
          fc.pre(rows.every((row) => row.some((text) => text !== "")));
          const written = rows
            .map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator))
            .join("\n");
          expect(parseCsv(written, { separator, quote: '"' })).toEqual(rows);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("the header row", () => {
  test("is words over values", async () => {
    const { document } = await csv("city,people\nBern,130000\nBasel,170000\n");
    expect(document.tables![0]!.cells.map((cell) => cell.header)).toEqual([true, true, false, false, false, false]);
    expect(document.metadata).toEqual({ separator: ",", quote: '"', header: true, rows: 3, columns: 2 });
  });

  test("is not there when the first row is like the others", async () => {
    expect((await csv("1,2\n3,4\n")).document.metadata.header).toBe(false);
    expect((await csv("yes,no\nno,no\nyes,no\n")).document.metadata.header).toBe(false);
  });
});

test("rows of other widths are kept and said", async () => {
  const { document, warnings } = await csv("a,b,c\n1,2\n3,4,5\n");
  expect(document.tables![0]).toMatchObject({ rows: 3, columns: 3 });
  expect(warnings).toEqual([
    { code: "ragged_rows", message: "1 of 3 rows have another number of cells than the first." },
  ]);
});
