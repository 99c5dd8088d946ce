import { describe, expect, it } from "vitest";
import { readEpub } from "../../../src/extract/readers/epub.ts";
import { outline, read, zip } from "../office/make.ts";

const container = `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`;
const opf = `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator><dc:language>en-GB</dc:language><dc:date>2020-03-01</dc:date><dc:subject>Cats</dc:subject></metadata><manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="two" href="text/b.xhtml" media-type="application/xhtml+xml"/><item id="one" href="text/a%20b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="n"/><itemref idref="one"/><itemref idref="two"/><itemref idref="gone"/></spine></package>`;
const page = (body: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>${body}</body></html>`;

const book = (more: Record<string, string> = {}) =>
  zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": container,
    "OEBPS/book.opf": opf,
    "OEBPS/nav.xhtml": page("<nav><ol><li>Contents</li></ol></nav>"),
    "OEBPS/text/a b.xhtml": page('<h1>One</h1><p>First <b>words</b>.</p><img src="../images/cat.png" alt="A cat"/>'),
    "OEBPS/text/b.xhtml": page("<h1>Two</h1><ul><li>item</li></ul>"),
    ...more,
  });

describe("readEpub", () => {
  it("reads the chapters in the order of the spine, without the navigation", async () => {
    const { blocks, title, authors, language, published_at, metadata } = await read(readEpub, "epub", book());
    expect(outline(blocks)).toEqual([
      "heading 1: One",
      "paragraph: First words.",
      "figure: A cat",
      "heading 1: Two",
      "list_item 1 [•]: item",
    ]);
    expect(blocks[1]!.marks).toEqual([{ type: "bold", start: 6, end: 11 }]);
    expect(blocks[2]!.url).toBe("OEBPS/images/cat.png");
    expect({ title, authors, language, published_at, metadata }).toEqual({
      title: "The Book",
      authors: ["Ann", "Bob"],
      language: "en-GB",
      published_at: "2020-03-01",
      metadata: { subjects: ["Cats"] },
    });
  });

  it("refuses protected chapters, but not scrambled fonts", async () => {
    const encryption = (target: string) =>
      `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${target}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    const locked = book({ "META-INF/encryption.xml": encryption("OEBPS/text/b.xhtml") });
    await expect(read(readEpub, "epub", locked)).rejects.toMatchObject({ code: "encrypted_document" });
    const { blocks } = await read(
      readEpub,
      "epub",
      book({ "META-INF/encryption.xml": encryption("OEBPS/fonts/a.otf") }),
    );
    expect(blocks.length).toBe(5);
  });

  it("finds the package without its container, and refuses a book without one", async () => {
    const { title } = await read(readEpub, "epub", book({ "META-INF/container.xml": "<container/>" }));
    expect(title).toBe("The Book");
    await expect(read(readEpub, "epub", zip({ mimetype: "application/epub+zip" }))).rejects.toMatchObject({
      code: "corrupt_document",
    });
  });
});
