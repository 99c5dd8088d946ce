import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/errors.ts";
import { child, descendants, parseXml, path, textOf, type XmlNode } from "../../../src/extract/office/xml.ts";

const parse = (xml: string, ...rest: [Parameters<typeof parseXml>[1]?]) => parseXml(Buffer.from(xml), ...rest);
const w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

function codeOf(xml: string): string {
  try {
    parse(xml);
  } catch (error) {
    return error instanceof Fault ? error.code : `not a fault: ${error}`;
  }
  return "no fault";
}

describe("parseXml", () => {
  it("reads elements, attributes in both quotes, text, CDATA, comments and instructions", () => {
    const root = parse(
      `<?xml version="1.0"?><!-- a --><r a="1 &gt; 0" b='x > "y"'>t<![CDATA[<c>&amp;]]><!-- x --><e/><?p?>&#65;&#x42;&lt;</r>`,
    );
    expect(root.name).toBe("r");
    expect(root.attrs).toEqual({ a: "1 > 0", b: 'x > "y"' });
    expect(textOf(root)).toBe("t<c>&amp;AB<");
    expect(child(root, "e")?.children).toEqual([]);
  });

  it("gives names the usual prefix of their namespace, whatever was written, within its scope", () => {
    const root = parse(
      `<ns0:a xmlns:ns0="${w}" ns0:val="1" val="2"><b xmlns="${w}"><c/></b><ns0:d xmlns:ns0="urn:other"/><e/></ns0:a>`,
    );
    expect(root.name).toBe("w:a");
    expect(root.attrs["w:val"]).toBe("1");
    expect(root.attrs.val).toBe("2");
    expect(path(root, "w:b", "w:c")?.name).toBe("w:c");
    expect(child(root, "ns0:d")?.name).toBe("ns0:d");
    expect(child(root, "e")?.name).toBe("e");
    expect(parse(`<x:p xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"/>`).name).toBe("w:p");
  });

  it("expands no entities of a document type", () => {
    const root = parse(`<!DOCTYPE r [<!ENTITY a "boom"><!ENTITY b "&a;&a;">]><r>&b;</r>`);
    expect(textOf(root)).toBe("&b;");
  });

  it("decodes UTF-16 and declared encodings", () => {
    expect(textOf(parseXml(Buffer.from("\ufeff<r>Zürich</r>", "utf16le")))).toBe("Zürich");
    expect(textOf(parseXml(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><r>Zürich</r>', "latin1")))).toBe(
      "Zürich",
    );
  });

  it("refuses what is not well-formed", () => {
    for (const xml of [
      "",
      "text",
      "<a>",
      "<a><b></a></b>",
      "<a b></a>",
      "<a b=1></a>",
      "<a b='x></a>",
      "</a>",
      "<a></a></a>",
      "< a></a>",
    ])
      expect([xml, codeOf(xml)]).toEqual([xml, "corrupt_document"]);
  });

  it("bounds depth", () => {
    expect(codeOf("<a>".repeat(399) + "</a>".repeat(399))).toBe("no fault");
    expect(codeOf("<a>".repeat(100_000) + "</a>".repeat(100_000))).toBe("document_too_complex");
  });

  it("hands elements over and forgets them", () => {
    const taken: string[] = [];
    const take = (node: XmlNode, ancestors: XmlNode[]) =>
      taken.push(`${ancestors.at(-1)?.name}/${node.attrs.n}:${textOf(node)}`);
    const root = parse(`<t><s><r n="1">a</r><r n="2">b</r></s><r n="3"><x>c</x></r></t>`, { name: "r", take });
    expect(taken).toEqual(["s/1:a", "s/2:b", "t/3:c"]);
    expect([...descendants(root, "r")]).toEqual([]);
  });
});
