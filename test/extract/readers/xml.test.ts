import { expect, test } from "vitest";
import { outline, read, rowsOf } from "../reading.ts";

const xml = (text: string | Uint8Array) => read(text, { name: "a.xml" });

test("leaves, attributes, containers and mixed content", async () => {
  const result = await xml(
    '<?xml version="1.0"?><order id="7"><to city="Bern">Ann &amp; Co</to><note>Very <b>big</b> box</note><empty/><![CDATA[]]></order>',
  );
  expect(outline(result)).toEqual([
    "heading 1 order",
    "paragraph id: 7",
    "paragraph to: Ann & Co (city: Bern)",
    "paragraph Very big box",
  ]);
  expect(result.document.metadata).toEqual({ root: "order" });
});

test("like records are a table", async () => {
  const result = await xml(
    "<list><item n='1'><name>a</name></item><item n='2'><name>b</name><more>c</more></item></list>",
  );
  expect(rowsOf(result)).toEqual([
    ["n", "name", "more"],
    ["1", "a", ""],
    ["2", "b", "c"],
  ]);
  expect(result.document.tables![0]!.caption).toBe("item");
});

test("the declared encoding is used", async () => {
  const { document } = await xml(Buffer.from("<?xml version='1.0' encoding='ISO-8859-1'?><a>caf\xe9</a>", "latin1"));
  expect(document.text).toBe("a: café");
});

test("entities of a document type are never expanded or fetched", async () => {
  const laughs =
    '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><x>&b; &f;</x>';
  expect((await xml(`<?xml version="1.0"?>${laughs}`)).document.text).toBe("x: &b; &f;");
});

test("broken and bottomless XML is refused", async () => {
  await expect(xml("<?xml version='1.0'?><a><b></a>")).rejects.toMatchObject({ code: "corrupt_document" });
  await expect(xml(`<?xml version='1.0'?>${"<a>".repeat(5000)}`)).rejects.toMatchObject({
    code: "document_too_complex",
  });
});
