import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/errors.ts";
import { detect } from "../../src/extract/detect.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const zip = (members: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(members).map(([name, text]) => [name, [bytesOf(text), { level: 0 }]])));

function kindOf(content: string | Uint8Array, name: string | null = null, contentType: string | null = null): string {
  return detect({ bytes: typeof content === "string" ? bytesOf(content) : content, name, contentType }).kind;
}

function faultOf(content: string | Uint8Array, name: string | null = null, contentType: string | null = null): Fault {
  try {
    kindOf(content, name, contentType);
  } catch (error) {
    return error as Fault;
  }
  throw new Error("a fault was expected");
}

/** An OLE file: a header of 512 bytes, then directory entries of 128 bytes. */
function ole(...streams: string[]): Uint8Array {
  const bytes = Buffer.alloc(512 + 128 * streams.length);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(bytes);
  for (const [i, name] of streams.entries()) {
    const at = 512 + 128 * i;
    bytes.write(name, at, "utf16le");
    bytes.writeUInt16LE((name.length + 1) * 2, at + 64);
  }
  return bytes;
}

describe("the kind is found from the bytes", () => {
  test.each<[kind: string, content: string | Uint8Array]>([
    ["pdf", "%PDF-1.7\n…"],
    ["pdf", "\n\njunk before it\n%PDF-1.4"],
    ["png", Buffer.from("89504e470d0a1a0a0000", "hex")],
    ["jpeg", Buffer.from("ffd8ffe000104a464946", "hex")],
    ["gif", "GIF89a…"],
    ["tiff", Buffer.from("49492a0008000000", "hex")],
    ["webp", "RIFF\0\0\0\0WEBPVP8 "],
    ["heic", "\0\0\0\x18ftypheic"],
    ["rtf", "{\\rtf1\\ansi hello}"],
    ["docx", zip({ "[Content_Types].xml": "", "word/document.xml": "" })],
    ["pptx", zip({ "[Content_Types].xml": "", "ppt/presentation.xml": "" })],
    ["xlsx", zip({ "[Content_Types].xml": "", "xl/workbook.xml": "" })],
    ["xlsb", zip({ "[Content_Types].xml": "", "xl/workbook.bin": "" })],
    ["odt", zip({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": "" })],
    ["ods", zip({ mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "" })],
    ["odp", zip({ mimetype: "application/vnd.oasis.opendocument.presentation", "content.xml": "" })],
    ["epub", zip({ mimetype: "application/epub+zip", "META-INF/container.xml": "" })],
    ["epub", zip({ "META-INF/container.xml": "" })],
    ["doc", ole("Root Entry", "1Table", "WordDocument")],
    ["xls", ole("Root Entry", "Workbook", "WordDocument")],
    ["msg", ole("Root Entry", "__nameid_version1.0")],
    ["html", "<!-- saved --><!DOCTYPE html><title>x</title>"],
    ["html", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'></html>"],
    ["html", "some <p>words</p> without a head"],
    ["xml", "<?xml version='1.0'?><feed/>"],
    ["xml", "<order xmlns='urn:x'/>"],
    ["json", '{"a": [1, 2]}'],
    ["json", '[{"a": 1}]'],
    ["eml", "Received: from a\r\nFrom: a@b.c\r\nTo: d@e.f\r\nSubject: Hi\r\n\r\nBody"],
    ["csv", "a;b;c\n1;2;3\n4;5;6\n"],
    ["csv", "a\tb\n1\t2\n3\t4\n"],
    ["markdown", "# Title\n\nSome **bold** text.\n\n```\ncode\n```\n"],
    ["text", "Dear Sir, thank you, and so on.\nYours, me\n"],
    ["text", "[not json]"],
  ])("%s", (kind, content) => {
    expect(kindOf(content)).toBe(kind);
  });

  test("a name or type that lies does not matter", () => {
    expect(kindOf("%PDF-1.7", "picture.png", "image/png")).toBe("pdf");
    expect(kindOf("<!doctype html><p>x", "notes.txt", "text/plain")).toBe("html");
  });

  test("a directory that is cut off is made up for by the members' own headers", () => {
    const whole = zip({ "[Content_Types].xml": "x".repeat(200), "word/document.xml": "y".repeat(400) });
    expect(kindOf(whole.subarray(0, whole.length - 120))).toBe("docx");
  });
});

describe("where the bytes leave it open, the name and the type tell", () => {
  test.each<[kind: string, name: string | null, contentType: string | null]>([
    ["markdown", "README.md", null],
    ["csv", "list.TSV", null],
    ["csv", null, "text/csv; charset=utf-8"],
    ["text", "a.txt", "text/plain"],
    ["eml", "mail.eml", null],
  ])("%s", (kind, name, contentType) => {
    expect(kindOf("one line, no more", name, contentType)).toBe(kind);
  });

  test("the charset of the content type is kept", () => {
    const { charset, mimeType } = detect({
      bytes: bytesOf("x"),
      name: null,
      contentType: 'text/plain; charset="ISO-8859-1"',
    });
    expect([charset, mimeType]).toEqual(["iso-8859-1", "text/plain"]);
  });
});

describe("what is not read is said by name", () => {
  test.each<[says: RegExp, content: string | Uint8Array]>([
    [/gzip/, Buffer.from("1f8b0800", "hex")],
    [/7z/, Buffer.from("377abcaf271c", "hex")],
    [/ZIP archive/, zip({ "a.txt": "x" })],
    [/MP4/, "\0\0\0\x18ftypisom"],
    [/PowerPoint 97/, ole("Root Entry", "PowerPoint Document")],
    [/OLE/, ole("Root Entry", "Something")],
    [/Windows program/, Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)])],
    [/unknown binary/, Buffer.from("0102030405060708", "hex")],
  ])("%s", (says, content) => {
    const fault = faultOf(content);
    expect(fault.code).toBe("unsupported_kind");
    expect(fault.detail).toMatch(says);
  });

  test("no bytes", () => expect(faultOf("").code).toBe("empty_document"));
  test("an encrypted office file", () =>
    expect(faultOf(ole("Root Entry", "EncryptedPackage")).code).toBe("encrypted_document"));
  test("bytes that are not what the name says", () => {
    expect(faultOf(Buffer.from("0102030405060708", "hex"), "report.docx").code).toBe("corrupt_document");
    expect(faultOf("only words", "report.docx").code).toBe("corrupt_document");
  });
});
