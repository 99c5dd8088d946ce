import { describe, expect, it } from "vitest";
import { readPptx } from "../../../src/extract/readers/pptx.ts";
import { cellsOf, outline, read, relations, zip } from "../office/make.ts";

const namespaces =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"';
const tree = (name: string, shapes: string, more = "") =>
  `<p:${name} ${namespaces} ${more}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${name}>`;

type Place = [x: number, y: number, width: number, height: number];
const place = ([x, y, width, height]: Place) =>
  `<a:xfrm><a:off x="${x * 12700}" y="${y * 12700}"/><a:ext cx="${width * 12700}" cy="${height * 12700}"/></a:xfrm>`;
const line = (text: string, properties = "") => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (paragraphs: string, { ph = "", at }: { ph?: string; at?: Place } = {}) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${ph && `<p:ph ${ph}/>`}</p:nvPr></p:nvSpPr><p:spPr>${at ? place(at) : ""}</p:spPr><p:txBody><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`;
const title = (text: string) => shape(line(text), { ph: 'type="title"', at: [0, 300, 100, 20] });

const master = `<p:sldMaster ${namespaces}><p:cSld><p:spTree>${shape("", { ph: 'type="body" idx="1"', at: [10, 100, 300, 200] })}</p:spTree></p:cSld><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr></p:bodyStyle></p:txStyles></p:sldMaster>`;

interface Slide {
  shapes: string;
  attributes?: string;
  related?: Parameters<typeof relations>;
}

function pptx(slides: Slide[], more: Record<string, string> = {}): Uint8Array {
  const parts: Record<string, string> = {
    "_rels/.rels": relations(["r1", "officeDocument", "ppt/presentation.xml"]),
    "ppt/presentation.xml": `<p:presentation ${namespaces}><p:sldIdLst>${slides.map((_, n) => `<p:sldId id="${256 + n}" r:id="s${n + 1}"/>`).join("")}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      ...slides.map((_, n): [string, string, string] => [`s${n + 1}`, "slide", `slides/slide${n + 1}.xml`]),
      ["ca", "commentAuthors", "commentAuthors.xml"],
    ),
    "ppt/slideLayouts/l.xml": tree("sldLayout", ""),
    "ppt/slideLayouts/_rels/l.xml.rels": relations(["m", "slideMaster", "../slideMasters/m.xml"]),
    "ppt/slideMasters/m.xml": master,
    ...more,
  };
  slides.forEach(({ shapes, attributes, related = [] }, n) => {
    parts[`ppt/slides/slide${n + 1}.xml`] ??= tree("sld", shapes, attributes);
    parts[`ppt/slides/_rels/slide${n + 1}.xml.rels`] = relations(
      ["l", "slideLayout", "../slideLayouts/l.xml"],
      ...related,
    );
  });
  return zip(parts);
}

const readSlides = (slides: Slide[], more?: Record<string, string>) => read(readPptx, "pptx", pptx(slides, more));

describe("readPptx", () => {
  it("gives each slide a page with its size, name and whether it is hidden; the title comes first", async () => {
    const {
      pages,
      blocks,
      page_count,
      title: name,
    } = await readSlides([
      { shapes: shape(line("Above"), { at: [0, 0, 100, 20] }) + title("One") },
      { shapes: title("Two"), attributes: 'show="0"' },
    ]);
    expect(page_count).toBe(2);
    expect(pages[0]).toEqual({ number: 1, width: 720, height: 540, unit: "pt", rotation: 0, ocr: false, name: "One" });
    expect(pages[1]).toMatchObject({ number: 2, name: "Two", hidden: true });
    expect(outline(blocks)).toEqual(["heading 1: One", "paragraph: Above", "heading 1: Two"]);
    expect(blocks[1]).toMatchObject({ page: 1, bbox: [0, 0, 100, 20] });
    expect(name).toBe("One");
  });

  it("takes the highest line in the largest type as title where the slide names none", async () => {
    const sized = (text: string, size: number, y: number) =>
      shape(`<a:p><a:r><a:rPr sz="${size}"/><a:t>${text}</a:t></a:r></a:p>`, { at: [0, y, 100, 20] });
    const { blocks } = await readSlides([
      { shapes: sized("body", 1800, 100) + sized("Seen", 3600, 10) },
      { shapes: sized("small", 1200, 10) + sized("BIG", 3600, 100) },
    ]);
    expect(outline(blocks)).toEqual(["heading 1: Seen", "paragraph: body", "paragraph: small", "paragraph: BIG"]);
  });

  it("takes bullets and place from the master, numbers from the paragraph", async () => {
    const numbered = (text: string, level = 0) =>
      line(text, `<a:pPr lvl="${level}"><a:buAutoNum type="arabicParenR"/></a:pPr>`);
    const { blocks } = await readSlides([
      {
        shapes:
          shape(line("a") + line("b", '<a:pPr lvl="1"/>') + line("c", "<a:pPr><a:buNone/></a:pPr>"), {
            ph: 'idx="1"',
          }) +
          shape(numbered("d") + numbered("e", 1) + numbered("f") + line("g") + numbered("h"), {
            at: [10, 320, 50, 50],
          }),
      },
    ]);
    expect(outline(blocks)).toEqual([
      "list_item 1 [•]: a", "list_item 2 [–]: b", "paragraph: c",
      "list_item 1 [1)]: d", "list_item 2 [1)]: e", "list_item 1 [2)]: f", "paragraph: g", "list_item 1 [1)]: h",
    ]); // biome-ignore format: one list
    expect(blocks[0]!.bbox).toEqual([10, 100, 310, 300]);
  });

  it("reads columns one after the other, rows row by row, as they were laid down", async () => {
    const at = (text: string, x: number, y: number) => shape(line(text), { at: [x, y, 90, 40] });
    const columns =
      at("left head", 0, 0) + at("left text", 0, 50) + at("right head", 200, 0) + at("right text", 200, 50);
    const rows = at("1", 0, 0) + at("first", 200, 0) + at("2", 0, 50) + at("second", 200, 50);
    const { blocks } = await readSlides([{ shapes: columns }, { shapes: rows }]);
    expect(blocks.map((block) => block.text)).toEqual([
      "left head",
      "left text",
      "right head",
      "right text",
      "1",
      "first",
      "2",
      "second",
    ]);
  });

  it("moves what a group holds to where the group is drawn", async () => {
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="1270000" y="0"/><a:ext cx="1270000" cy="1270000"/><a:chOff x="0" y="0"/><a:chExt cx="2540000" cy="2540000"/></a:xfrm></p:grpSpPr>${shape(line("in"), { at: [100, 100, 100, 100] })}</p:grpSp>`;
    const { blocks } = await readSlides([{ shapes: group }]);
    expect(blocks[0]!.bbox).toEqual([150, 50, 200, 100]);
  });

  it("reads tables with merged cells, pictures, links, notes, comments and footers", async () => {
    const td = (text: string, attributes = "") => `<a:tc ${attributes}><a:txBody>${line(text)}</a:txBody></a:tc>`;
    const table = `<p:graphicFrame><p:xfrm><a:off x="0" y="0"/><a:ext cx="12700" cy="12700"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${td("H", 'gridSpan="2"')}${td("", 'hMerge="1"')}</a:tr><a:tr>${td("a")}${td("b")}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const picture = `<p:pic><p:nvPicPr><p:cNvPr id="3" name="p" descr="A dog"/></p:nvPicPr><p:blipFill><a:blip r:embed="i"/></p:blipFill><p:spPr>${place([0, 100, 10, 10])}</p:spPr></p:pic>`;
    const linked = shape('<a:p><a:r><a:rPr b="1"><a:hlinkClick r:id="h"/></a:rPr><a:t>go</a:t></a:r></a:p>', {
      at: [0, 200, 10, 10],
    });
    const { blocks } = await readSlides(
      [
        {
          shapes: table + picture + linked + shape(line("7"), { ph: 'type="sldNum"' }),
          related: [["h", "hyperlink", "https://a.example/", true], ["i", "image", "../media/d.png"], ["n", "notesSlide", "../notesSlides/n.xml"], ["c", "comments", "../comments/c.xml"]],
        },
      ],
      {
        "ppt/notesSlides/n.xml": tree("notes", shape(line("Say this"), { ph: 'type="body" idx="1"' }) + shape(line("3"), { ph: 'type="sldNum"' })),
        "ppt/comments/c.xml": `<p:cmLst ${namespaces}><p:cm authorId="0"><p:text>Why?</p:text></p:cm></p:cmLst>`,
        "ppt/commentAuthors.xml": `<p:cmAuthorLst ${namespaces}><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>`,
      },
    ); // biome-ignore format: one slide
    expect(cellsOf(blocks[0])).toEqual(["0,0 1x2 H H", "1,0 a", "1,1 b"]);
    expect(outline(blocks.slice(1))).toEqual([
      "figure: A dog",
      "paragraph: go",
      "footer: 7",
      "paragraph (notes): Say this",
      "paragraph (comment): Ann: Why?",
    ]);
    expect(blocks[1]!.url).toBe("ppt/media/d.png");
    expect(blocks[2]!.marks).toEqual([{ type: "bold", start: 0, end: 2 }, { type: "link", start: 0, end: 2, url: "https://a.example/" }]); // biome-ignore format: two marks
  });

  it("reads the texts of a diagram", async () => {
    const frame = `<p:graphicFrame><p:xfrm/><a:graphic><a:graphicData><dgm:relIds r:dm="d"/></a:graphicData></a:graphic></p:graphicFrame>`;
    const data = `<dgm:dataModel ${namespaces}><dgm:ptLst><dgm:pt><dgm:t>${line("Plan")}</dgm:t></dgm:pt><dgm:pt type="parTrans"/><dgm:pt><dgm:t>${line("Do")}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`;
    const { blocks } = await readSlides([{ shapes: frame, related: [["d", "diagramData", "../diagrams/d.xml"]] }], {
      "ppt/diagrams/d.xml": data,
    });
    expect(outline(blocks)).toEqual(["list_item 1 [•]: Plan", "list_item 1 [•]: Do"]);
  });

  it("reads the slides asked for, and counts all", async () => {
    const deck = pptx([{ shapes: title("One") }, { shapes: title("Two") }, { shapes: title("Three") }]);
    const { blocks, pages, page_count } = await read(readPptx, "pptx", deck, { pages: [2, 3, 9] });
    expect(outline(blocks)).toEqual(["heading 1: Two", "heading 1: Three"]);
    expect(pages.map((page) => page.number)).toEqual([2, 3]);
    expect(page_count).toBe(3);
    const limits = { maxPages: 2, maxExpandedBytes: 1_000_000 };
    await expect(read(readPptx, "pptx", deck, {}, limits)).rejects.toMatchObject({ code: "too_many_pages" });
    await expect(read(readPptx, "pptx", deck, { pages: [7] })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("leaves out a damaged slide with a warning, and refuses a deck of nothing else", async () => {
    const { blocks, warnings } = await readSlides([{ shapes: title("One") }, { shapes: "" }], {
      "ppt/slides/slide2.xml": "<p:sld>",
    });
    expect(blocks.length).toBe(1);
    expect(warnings).toMatchObject([{ code: "damaged_part", page: 2 }]);
    await expect(readSlides([{ shapes: "<broken>" }])).rejects.toMatchObject({ code: "corrupt_document" });
  });
});
