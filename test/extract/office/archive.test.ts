import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/errors.ts";
import { openArchive } from "../../../src/extract/office/archive.ts";
import { zip } from "./make.ts";

const LARGE = 100_000_000;

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Fault ? error.code : `not a fault: ${error}`;
  }
  return "no fault";
}

/** Where the record of the first part stands in the directory. */
const directoryOf = (bytes: Uint8Array) => Buffer.from(bytes).indexOf(Buffer.from([0x50, 0x4b, 1, 2]));

describe("openArchive", () => {
  it("reads packed and stored parts by name, in whatever case", () => {
    const bytes = zipSync({
      "word/Document.xml": new TextEncoder().encode("abc".repeat(100)),
      b: [new Uint8Array([7]), { level: 0 }],
    });
    const archive = openArchive(bytes, LARGE);
    expect(Buffer.from(archive.read("word/document.xml")!).toString()).toBe("abc".repeat(100));
    expect([...archive.read("b")!]).toEqual([7]);
    expect(archive.read("c")).toBeNull();
    expect(archive.size("WORD/document.xml")).toBe(300);
  });

  it("refuses a part that expands beyond reason before it is inflated", () => {
    const bytes = zip({ a: new Uint8Array(20_000_000) });
    expect(codeOf(() => openArchive(bytes, LARGE).read("a"))).toBe("document_too_complex");
  });

  it("stops at the declared size, however much follows", () => {
    const bytes = zip({ a: new Uint8Array(1_000_000) });
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(directoryOf(bytes) + 24, 100, true);
    expect(codeOf(() => openArchive(bytes, LARGE).read("a"))).toBe("corrupt_document");
  });

  it("bounds the sum of all that is inflated, also of one part again and again", () => {
    const archive = openArchive(zip({ a: "x".repeat(600) }), 1000);
    expect(archive.read("a")!.length).toBe(600);
    expect(codeOf(() => archive.read("a"))).toBe("document_too_complex");
  });

  it("refuses an archive of very many parts", () => {
    const bytes = zip({ a: "one" });
    new DataView(bytes.buffer, bytes.byteOffset).setUint16(bytes.length - 22 + 10, 20_001, true);
    expect(codeOf(() => openArchive(bytes, LARGE))).toBe("document_too_complex");
  });

  it("calls an archive without its end corrupt, and an encrypted part encrypted", () => {
    const bytes = zip({ a: "some text" });
    expect(codeOf(() => openArchive(bytes.subarray(0, bytes.length - 10), LARGE))).toBe("corrupt_document");
    expect(codeOf(() => openArchive(new Uint8Array([0x50, 0x4b, 3, 4]), LARGE))).toBe("corrupt_document");
    bytes[directoryOf(bytes) + 8] = 1;
    expect(codeOf(() => openArchive(bytes, LARGE).read("a"))).toBe("encrypted_document");
  });

  it("calls a part with changed bytes corrupt", () => {
    const bytes = zip({ a: "some text that is packed, some text that is packed" });
    bytes.fill(0xff, 31, 60);
    expect(codeOf(() => openArchive(bytes, LARGE).read("a"))).toBe("corrupt_document");
  });

  it("knows a compound file around an encrypted package", () => {
    const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    const bytes = Buffer.concat([
      Buffer.from(signature),
      Buffer.alloc(600),
      Buffer.from("EncryptedPackage", "utf16le"),
    ]);
    expect(codeOf(() => openArchive(bytes, LARGE))).toBe("encrypted_document");
  });
});
