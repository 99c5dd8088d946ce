import { expect, test } from "vitest";
import { outline, read } from "../reading.ts";

test("paragraphs are apart by empty lines and keep their own breaks", async () => {
  const result = await read("  First line\r\nsecond  \r\n\r\n \t\r\nNext\n", { name: "a.txt" });
  expect(outline(result)).toEqual(["paragraph   First line\nsecond", "paragraph Next"]);
  expect(result.document.page_count).toBe(1);
});

test("the charset of the content type is used, a guess is said", async () => {
  const declared = await read(Buffer.from("caf\xe9", "latin1"), { contentType: "text/plain; charset=iso-8859-1" });
  expect([declared.document.text, declared.warnings]).toEqual(["café", []]);
  const guessed = await read(Buffer.from("Un caf\xe9 tr\xe8s agr\xe9able", "latin1"));
  expect(guessed.document.text).toBe("Un café très agréable");
  expect(guessed.warnings).toEqual([
    { code: "encoding_guessed", message: "The encoding is not declared; read as windows-1252." },
  ]);
});
