import { describe, expect, it } from "vitest";
import type { Document, ReadOptions, Warning } from "../../../src/extract/document.ts";
import { readPdf } from "../../../src/extract/readers/pdf.ts";
import { toIsoDate } from "../../../src/extract/readers/pdf-metadata.ts";
import { makePdf, type PdfPage } from "../make-pdf.ts";

interface Result {
  document: Document;
  warnings: Warning[];
  progress: [string, number, number][];
}

async function read(bytes: Uint8Array, options: Partial<ReadOptions> = {}, maxPages = 500): Promise<Result> {
  const warnings: Warning[] = [];
  const progress: [string, number, number][] = [];
  const document = await readPdf(
    { bytes, kind: "pdf", name: null, url: null, charset: null },
    {
      options: { pages: null, ocr: "never", languages: ["eng"], main_content: true, password: null, ...options },
      limits: { maxPages, maxExpandedBytes: 1e9 },
      warn: (warning) => void warnings.push(warning),
      progress: (...step) => void progress.push(step),
    },
  );
  return { document, warnings, progress };
}

const hello: PdfPage = { texts: [{ x: 72, y: 100, text: "The lamp is lit at sunset." }] };
const texts = ({ document }: Result): string[] => document.blocks.map((block) => block.text);

describe("text", () => {
  it("has its words, their boxes from the top left, and its pages", async () => {
    const { document } = await read(makePdf([hello]));
    const [block] = document.blocks;
    expect(block?.text).toBe("The lamp is lit at sunset.");
    expect(document.pages).toEqual([{ number: 1, width: 600, height: 800, unit: "pt", rotation: 0, ocr: false }]);
    const [x0, y0, x1, y1] = block!.words![0]!.bbox;
    expect(x0).toBeCloseTo(72, 0);
    expect(y0).toBeGreaterThan(85);
    expect(y1).toBeLessThan(105);
    expect(x1).toBeGreaterThan(85);
    expect(x1).toBeLessThan(100);
  });

  it("knows bold from plain", async () => {
    const { document } = await read(
      makePdf([
        {
          texts: [
            { x: 72, y: 100, text: "Warning", font: "Helvetica-Bold" },
            { x: 130, y: 100, text: "the horn is loud" },
          ],
        },
      ]),
    );
    const [block] = document.blocks;
    const bold = block?.marks?.find((mark) => mark.type === "bold");
    expect(block?.text.slice(bold?.start, bold?.end)).toBe("Warning");
  });

  it("broken at the end of a line is made whole", async () => {
    const page: PdfPage = {
      texts: [
        { x: 72, y: 100, text: "The keeper of the light was called by the har-" },
        { x: 72, y: 114, text: "bour every night at nine." },
      ],
    };
    expect(texts(await read(makePdf([page])))).toEqual([
      "The keeper of the light was called by the harbour every night at nine.",
    ]);
  });

  it("of a page that is shown turned is upright", async () => {
    const { document } = await read(makePdf([{ ...hello, rotate: 180 }]));
    expect(document.blocks[0]?.text).toBe("The lamp is lit at sunset.");
    expect(document.pages[0]?.rotation).toBe(180);
  });

  it("set sideways is read in its own direction", async () => {
    const page: PdfPage = {
      texts: [
        { x: 300, y: 700, text: "going upwards", turn: 90 },
        { x: 315, y: 700, text: "on two lines", turn: 90 },
      ],
    };
    expect(texts(await read(makePdf([page]))).join(" ")).toBe("going upwards on two lines");
  });

  it("that is invisible is not read beside visible text, and is the text of a scan", async () => {
    const secret = { x: 72, y: 200, text: "hidden layer of a scan with many words in it", invisible: true };
    const visible = { x: 72, y: 100, text: "seen by everyone who opens this very page of the log" };
    expect(texts(await read(makePdf([{ texts: [visible, secret] }])))).toEqual([visible.text]);
    expect(texts(await read(makePdf([{ texts: [secret], picture: true }])))).toEqual([secret.text]);
  });
});

describe("what the document says of itself", () => {
  it("title, authors, dates", async () => {
    const info = {
      Title: "Log of the Cape Light",
      Author: "Ann Lee; Bo Ray",
      CreationDate: "D:20240131120000+01'00'",
      Producer: "Quill",
    };
    const { document } = await read(makePdf([hello], { info }));
    expect(document.title).toBe("Log of the Cape Light");
    expect(document.authors).toEqual(["Ann Lee", "Bo Ray"]);
    expect(document.metadata).toEqual({ producer: "Quill", created_at: "2024-01-31T12:00:00+01:00" });
  });

  it.each(["Microsoft Word - draft.doc", "untitled", "scan0012.pdf"])(
    "not the title %s, which no one wrote",
    async (Title) => {
      expect((await read(makePdf([hello], { info: { Title } }))).document.title).toBeNull();
    },
  );

  it("the outline, which names headings", async () => {
    const page: PdfPage = {
      texts: [
        { x: 72, y: 100, text: "Lamp" },
        { x: 72, y: 130, text: "It burns whale oil and is trimmed twice in every night watch." },
        { x: 72, y: 160, text: "Wick" },
        { x: 72, y: 190, text: "It is cut from cotton and lasts for a week of long nights." },
      ],
    };
    const outline = [{ title: "Lamp", page: 1, children: [{ title: "Wick", page: 1 }] }];
    const { document } = await read(makePdf([page], { outline }));
    expect(document.metadata.outline).toEqual([
      { title: "Lamp", level: 1, page: 1 },
      { title: "Wick", level: 2, page: 1 },
    ]);
    expect(document.blocks.filter((block) => block.type === "heading").map(({ text, level }) => [text, level])).toEqual(
      [
        ["Lamp", 1],
        ["Wick", 2],
      ],
    );
  });

  it("tags, which name headings", async () => {
    const page: PdfPage = {
      texts: [
        { x: 72, y: 100, text: "Lamp", tag: "H2" },
        { x: 72, y: 130, text: "It burns whale oil and is trimmed twice in every night watch.", tag: "P" },
      ],
    };
    const { document } = await read(makePdf([page]));
    expect(document.blocks.map((block) => block.type)).toEqual(["heading", "paragraph"]);
  });

  it("links and form fields", async () => {
    const page: PdfPage = {
      ...hello,
      links: [{ box: [92, 88, 125, 104], url: "https://cape.example/lamp" }],
      fields: [{ name: "Keeper", value: "Ann Lee", box: [72, 200, 200, 220] }],
    };
    const { document } = await read(makePdf([page]));
    expect(document.blocks[0]?.marks).toContainEqual({
      type: "link",
      start: 4,
      end: 8,
      url: "https://cape.example/lamp",
    });
    expect(document.blocks[1]).toMatchObject({
      role: "field",
      text: "Keeper: Ann Lee",
      page: 1,
      bbox: [72, 200, 200, 220],
    });
  });

  it.each([
    ["D:20240131", "2024-01-31T00:00:00Z"],
    ["D:20240131120000Z", "2024-01-31T12:00:00Z"],
    ["yesterday", null],
    ["D:20249931", null],
  ])("dates: %s", (text, iso) => expect(toIsoDate(text)).toBe(iso));
});

describe("pages", () => {
  const three = makePdf(
    ["one", "two", "three"].map((text) => ({ texts: [{ x: 72, y: 300, text: `This is page ${text} of the log.` }] })),
  );

  it("are read as chosen, and counted whole", async () => {
    const result = await read(three, { pages: [2] });
    expect(texts(result)).toEqual(["This is page two of the log."]);
    expect(result.document.page_count).toBe(3);
    expect(result.document.pages.map((page) => page.number)).toEqual([2]);
  });

  it("report their progress", async () => {
    expect((await read(three)).progress).toEqual([
      ["read", 1, 3],
      ["read", 2, 3],
      ["read", 3, 3],
    ]);
  });

  it("beyond the limit are refused, fewer chosen are not", async () => {
    await expect(read(three, {}, 2)).rejects.toMatchObject({ code: "too_many_pages" });
    expect((await read(three, { pages: [1, 3] }, 2)).document.pages).toHaveLength(2);
  });

  it("that are not there are named", async () => {
    await expect(read(three, { pages: [9] })).rejects.toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/options/pages" }],
    });
  });

  it("that are only a picture are said to need OCR when it is off", async () => {
    const { warnings } = await read(makePdf([{ picture: true }, hello]));
    expect(warnings.map(({ code, page }) => [code, page])).toEqual([["ocr_off", 1]]);
  });

  it("that are empty need no OCR", async () => {
    expect((await read(makePdf([{}]), { ocr: "auto" })).warnings).toEqual([]);
  });
});

describe("documents that cannot be read", () => {
  it("encrypted ones open with their password only", async () => {
    const locked = makePdf([hello], { password: "tide", info: { Title: "The secret log" } });
    await expect(read(locked)).rejects.toMatchObject({ code: "encrypted_document" });
    await expect(read(locked, { password: "ebb" })).rejects.toMatchObject({ code: "encrypted_document" });
    const { document } = await read(locked, { password: "tide" });
    expect(document.blocks[0]?.text).toBe("The lamp is lit at sunset.");
    expect(document.title).toBe("The secret log");
  });

  it("damaged ones say so", async () => {
    await expect(read(Uint8Array.from(Buffer.from("%PDF-1.4\nnothing of use\n%%EOF")))).rejects.toMatchObject({
      code: "corrupt_document",
    });
  });

  it("ones without pages say so", async () => {
    await expect(read(makePdf([]))).rejects.toMatchObject({
      code: expect.stringMatching(/empty_document|corrupt_document/),
    });
  });

  it("cut off at any place they give text or a fault, never another error", async () => {
    const whole = makePdf([hello, hello]);
    for (let length = 40; length < whole.length; length += 97) {
      const outcome = await read(whole.slice(0, length)).then(
        (result) => result.document.page_count,
        (error: { code?: string }) => error.code,
      );
      expect(outcome === "corrupt_document" || outcome === "empty_document" || typeof outcome === "number").toBe(true);
    }
  });
});

it("gives the same blocks for the same bytes", async () => {
  const bytes = makePdf([{ ...hello, lines: [[50, 50, 300, 50]] }, hello]);
  expect((await read(bytes)).document).toEqual((await read(bytes)).document);
});
