import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/errors.ts";
import { engineVersion } from "../../src/extract/extract.ts";
import { outline, read } from "./reading.ts";

const page = `<!doctype html><html lang="en"><title>Rivers</title><body><article><h1>Rivers</h1>
<p>${"A river is a natural stream of water that flows towards the sea. ".repeat(6)}</p>
<h2>Sources</h2><p>${"Most rivers begin in the mountains, where snow and rain feed them. ".repeat(6)}</p>
<ul><li>Springs that never run dry</li><li>Glaciers that melt in summer</li></ul>
<table><tr><th>River</th><th>Length</th></tr><tr><td>Nile</td><td>6650 km</td></tr></table>
</article></body></html>`;

describe("the result", () => {
  test("has the public shape and nothing of the inside", async () => {
    const result = await read(page, { name: "rivers.html" });
    expect(Object.keys(result)).toEqual(["source", "document", "data", "evidence", "warnings", "usage", "engine"]);
    expect(result.source).toEqual({ kind: "html", mime_type: "text/html" });
    expect(result.usage).toEqual({ pages: 1 });
    expect(result.engine).toEqual({ version: engineVersion });
    expect(Object.keys(result.document)).toEqual([
      "title", "authors", "language", "published_at", "metadata", "page_count", "text", "markdown", "pages", "elements", "tables",
    ]); // biome-ignore format: a list of words
    expect(result.document.pages).toEqual([
      { number: 1, width: null, height: null, unit: null, rotation: 0, ocr: false },
    ]);
    expect(result.document.elements!.map((element) => element.id)).toEqual(["e1", "e2", "e3", "e4", "e5", "e6"]);
    expect(result.document.elements!.at(-1)).toMatchObject({
      type: "table",
      table: "t1",
      text: "River\tLength\nNile\t6650 km",
      bbox: null,
    });
    expect(result.document.tables![0]).toMatchObject({ id: "t1", rows: 2, columns: 2 });
  });

  test("text, markdown and elements tell one story", async () => {
    const { document } = await read(page, { name: "rivers.html" });
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu);
    const told = document.elements!.map((element) => element.text).join("\n");
    expect(words(document.text!)).toEqual(words(told));
    expect(words(document.markdown!)).toEqual(words(told));
  });

  test("is the same for the same bytes", async () => {
    const once = await read(page, { name: "rivers.html" });
    expect(JSON.stringify(await read(page, { name: "rivers.html" }))).toBe(JSON.stringify(once));
  });

  test("has only the parts that were asked for", async () => {
    const { document } = await read("Hello there", { options: { include: ["text"] } });
    expect(document.text).toBe("Hello there");
    expect([document.markdown, document.pages, document.elements, document.tables]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("carries no NUL and no half of a surrogate pair", async () => {
    const result = await read('{"a\\u0000": "x\\u0000y\\ud800z"}', { name: "a.json" });
    expect(outline(result)).toEqual(["paragraph a\uFFFD: x\uFFFDy\uFFFDz"]);
  });
});

describe("fields", () => {
  test("without a schema there is no data", async () => {
    const { data, evidence } = await read("Total: 9.00");
    expect([data, evidence]).toEqual([null, null]);
  });

  test("a schema is answered with data and evidence", async () => {
    const { data, evidence } = await read("Total: 9.00", {
      schema: { type: "object", properties: { total: { type: "number" } } },
    });
    expect(data).toEqual({ total: 9 });
    expect(evidence).toHaveProperty(["/total"]);
  });

  test("a schema or preset that is not usable is refused before anything is read", async () => {
    await expect(read("%PDF-", { schema: { type: "object", properties: 1 } })).rejects.toMatchObject({
      code: "invalid_schema",
    });
    const fault = (await read("x", { options: { preset: "nonesuch" } }).catch((error) => error)) as Fault;
    expect([fault.code, fault.errors?.[0]?.pointer]).toEqual(["invalid_request", "/options/preset"]);
  });
});

describe("nothing to read", () => {
  test("white space only", async () => {
    await expect(read(" \n\t ")).rejects.toMatchObject({ code: "empty_document" });
  });

  test("a page without words answers with a warning", async () => {
    const { document, warnings } = await read(
      "<!doctype html><html><body><div id=root></div><script>run()</script></body></html>",
    );
    expect([document.text, document.elements]).toEqual(["", []]);
    expect(warnings.map((warning) => warning.code)).toEqual(["no_content"]);
  });
});
