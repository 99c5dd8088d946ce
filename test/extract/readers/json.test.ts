import { expect, test } from "vitest";
import { outline, read, rowsOf } from "../reading.ts";

const json = (text: string) => read(text, { name: "a.json" });

test("values keep their names, containers become sections", async () => {
  const result = await json('{"name": "x", "n": 1.50, "none": null, "inner": {"ok": true, "list": ["a", 2]}}');
  expect(outline(result)).toEqual([
    "paragraph name: x",
    "paragraph n: 1.5",
    "paragraph none: null",
    "heading 1 inner",
    "paragraph ok: true",
    "heading 2 list",
    "list_item • a",
    "list_item • 2",
  ]);
  expect(result.document.markdown).toContain("**name:** x");
});

test("a list of flat records is a table", async () => {
  const result = await json('{"rows": [{"a": 1, "b": "x"}, {"a": 2, "c": null}, {"a": 3, "b": "y"}]}');
  expect(rowsOf(result)).toEqual([
    ["a", "b", "c"],
    ["1", "x", ""],
    ["2", "", "null"],
    ["3", "y", ""],
  ]);
  expect(rowsOf(await json("[[1, 2], [3, 4]]"))).toEqual([
    ["1", "2"],
    ["3", "4"],
  ]);
});

test("one value a line is a list of values", async () => {
  expect(rowsOf(await json('{"a": 1}\n{"a": 2}\n'))).toEqual([["a"], ["1"], ["2"]]);
});

test("broken and bottomless JSON is refused", async () => {
  await expect(json('{"a": 1')).rejects.toMatchObject({ code: "corrupt_document" });
  await expect(json("[".repeat(50_000) + "]".repeat(50_000))).rejects.toMatchObject({ code: "document_too_complex" });
});

test("what is nested deeper than headings reach is shown as JSON", async () => {
  const result = await json(`${'{"k":'.repeat(15)}1${"}".repeat(15)}`);
  expect(result.document.elements!.at(-1)).toMatchObject({ type: "code", language: "json" });
});
