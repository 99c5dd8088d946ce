import { describe, expect, it } from "vitest";
import type { NumberedDocument } from "../../../src/extract/document.ts";
import type { Evidence } from "../../../src/extract/fields/evidence.ts";
import { findFields } from "../../../src/extract/fields/fields.ts";
import { presetNames, presetSchema } from "../../../src/extract/fields/presets.ts";
import { parseSchema } from "../../../src/extract/fields/schema.ts";
import { flow, paper } from "./paper.ts";

function find(
  properties: Record<string, unknown>,
  document: NumberedDocument,
): { data: Record<string, unknown>; evidence: Record<string, Evidence> } {
  const result = findFields({ schema: parseSchema({ type: "object", properties }), document });
  return { data: result.data as Record<string, unknown>, evidence: result.evidence };
}

const scanned = (document: NumberedDocument): NumberedDocument => ({
  ...document,
  pages: document.pages.map((page) => ({ ...page, ocr: true })),
});

describe("evidence", () => {
  it("says missing for what is not there", () => {
    const { data, evidence } = find(
      {
        iban: { type: "string", format: "iban" },
        vendor: { type: "object", properties: { name: { type: "string" } } },
        items: { type: "array", items: { type: "string" } },
      },
      flow().text("It says nothing about any of these things, as you can see.").done(),
    );
    expect(data).toEqual({ iban: null, vendor: { name: null }, items: null });
    expect(evidence).toEqual({
      "/iban": { state: "missing", confidence: 0, alternatives: [] },
      "/vendor/name": { state: "missing", confidence: 0, alternatives: [] },
      "/items": { state: "missing", confidence: 0, alternatives: [] },
    });
  });

  it("gives the box of the words on a page", () => {
    const { data, evidence } = find(
      { total: { type: "number" } },
      paper().put(50, 100, "Grand total: 19.50 EUR", 10).done(),
    );
    expect(data.total).toBe(19.5);
    expect(evidence["/total"]).toMatchObject({
      state: "found",
      text: "19.50",
      page: 1,
      element: "e1",
      bbox: [115, 100, 140, 110],
    });
    expect(evidence["/total"]).not.toHaveProperty("range");
  });

  it("gives element and range where there are no pages", () => {
    const { evidence } = find(
      { due_date: { type: "string", format: "date" } },
      flow().text("Hello", "Due date: 3 May 2024").done(),
    );
    expect(evidence["/due_date"]).toMatchObject({ text: "3 May 2024", element: "e2", range: [10, 20], bbox: null });
  });

  it("gives sheet and cell in a spreadsheet", () => {
    const document = flow()
      .table([
        ["Project", "Apollo"],
        ["Budget", "1200"],
      ])
      .done();
    document.pages[0]!.name = "Plan";
    for (const cell of document.elements[0]!.table!.cells) cell.address = `${"AB"[cell.column]}${cell.row + 1}`;
    const { data, evidence } = find({ project: { type: "string" }, budget: { type: "number" } }, document);
    expect(data).toEqual({ project: "Apollo", budget: 1200 });
    expect(evidence["/budget"]).toMatchObject({ sheet: "Plan", cell: "B2", row: 1, column: 1, text: "1200" });
  });

  it("lists the parts of a value that spans several elements", () => {
    const { data, evidence } = find(
      { address: { type: "string" } },
      paper()
        .put(50, 20, "Acme Trading Ltd", 14)
        .put(50, 40, "12 Mill Road,")
        .put(50, 54, "Leeds LS1 4AP")
        .put(50, 70, "Tel: 0113 496 0000")
        .done(),
    );
    expect(data.address).toBe("12 Mill Road, Leeds LS1 4AP");
    expect(evidence["/address"]?.parts?.map((part) => [part.element, part.text])).toEqual([
      ["e2", "12 Mill Road"],
      ["e3", "Leeds LS1 4AP"],
    ]);
    expect(evidence["/address"]?.bbox).toEqual([50, 40, 115, 64]);
  });

  it("calls two equally good values ambiguous and names the other", () => {
    const { data, evidence } = find(
      { ticket: { type: "string", title: "Ticket code" } },
      flow().text("Ticket code: AX-100", "Some words between", "Ticket code: BX-200").done(),
    );
    expect(evidence["/ticket"]?.state).toBe("ambiguous");
    const other = data.ticket === "AX-100" ? "BX-200" : "AX-100";
    expect(evidence["/ticket"]?.alternatives.map((alternative) => alternative.value)).toContain(other);
    expect(evidence["/ticket"]!.confidence).toBeLessThan(0.8);
  });

  it("is surer of a value said twice the same", () => {
    const schema = { ticket: { type: "string", title: "Ticket code" } };
    const once = find(schema, flow().text("Ticket code: AX-100").done()).evidence["/ticket"]!;
    const twice = find(schema, flow().text("Ticket code: AX-100", "Ticket code: AX-100").done()).evidence["/ticket"]!;
    expect(twice.state).toBe("found");
    expect(twice.confidence).toBeGreaterThan(once.confidence);
  });
});

describe("what the schema may ask for", () => {
  it("words of the caller's own, by x-labels, title and description", () => {
    const document = flow().text("Zählerstand neu: 48213", "Tariff group: B2", "Inspector in charge: Mia Koch").done();
    const { data } = find(
      {
        reading: { type: "integer", "x-labels": ["Zählerstand neu"] },
        tg: { type: "string", title: "Tariff group" },
        who: { type: "string", description: "Inspector in charge" },
      },
      document,
    );
    expect(data).toEqual({ reading: 48213, tg: "B2", who: "Mia Koch" });
  });

  it("one of several choices, in its own spelling", () => {
    const schema = { status: { enum: ["PAID", "OPEN", "PART_PAID"] } };
    expect(find(schema, flow().text("Status: part paid").done()).data.status).toBe("PART_PAID");
    expect(find(schema, flow().text("Status: unknown").done()).data.status).toBeNull();
  });

  it("yes or no, also as boxes", () => {
    const schema = {
      insured: { type: "boolean" },
      fragile: { type: "boolean" },
      express: { type: "boolean" },
      signed: { type: "boolean" },
    };
    expect(find(schema, flow().text("Insured: yes", "☐ Fragile", "[x] Express", "Unrelated").done()).data).toEqual({
      insured: true,
      fragile: false,
      express: true,
      signed: null,
    });
  });

  it("a pattern, beside its label and alone", () => {
    expect(find({ lot: { type: "string", pattern: "^L\\d{4}$" } }, flow().text("Lot: L1 L2044").done()).data.lot).toBe(
      "L2044",
    );
    expect(
      find(
        { booking: { type: "string", pattern: "^[A-Z]{3}\\d{3}$" } },
        flow().text("See you on board, QXZ417 is yours.").done(),
      ).data.booking,
    ).toBe("QXZ417");
  });

  it("dates in the order the document uses", () => {
    const due = (...lines: string[]): unknown =>
      find(
        { due_date: { type: "string", format: "date" } },
        flow()
          .text(...lines)
          .done(),
      ).data.due_date;
    expect(due("Due date: 03/04/2024")).toBe("2024-04-03");
    expect(due("Due date: 03/04/2024", "Shipped 12/25/2023")).toBe("2024-03-04");
    expect(due("Springfield, IL 62704", "Due date: 03/04/2024")).toBe("2024-03-04");
  });

  it("a date with its time", () => {
    const at = (text: string): unknown =>
      find({ issued_at: { type: "string", format: "date-time", title: "Issued" } }, flow().text(text).done()).data
        .issued_at;
    expect(at("Issued: 05/03/2024 14:07")).toBe("2024-03-05T14:07:00Z");
    expect(at("Issued: 05/03/2024")).toBe("2024-03-05T00:00:00Z");
  });

  it("names that are no ordinary keys", () => {
    const { data, evidence } = find(
      JSON.parse('{"__proto__": {"type": "number", "title": "Total"}, "a/b~c": {"type": "string", "title": "Colour"}}'),
      flow().text("Total: 12.00", "Colour: red").done(),
    );
    expect(Object.entries(data)).toEqual([
      ["__proto__", 12],
      ["a/b~c", "red"],
    ]);
    expect(evidence["/a~1b~0c"]?.text).toBe("red");
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  it("all addresses of a kind as a list", () => {
    const { data, evidence } = find(
      { emails: { type: "array", items: { type: "string", format: "email" } } },
      flow().text("Write to a@x.example or b@x.example.").done(),
    );
    expect(data.emails).toEqual(["a@x.example", "b@x.example"]);
    expect(evidence["/emails/1"]).toMatchObject({ text: "b@x.example", range: [24, 35] });
  });
});

describe("receipts", () => {
  const schema = { company: { type: "string" }, date: { type: "string", format: "date" }, total: { type: "number" } };

  it("takes the rounded sum to pay, not the one before", () => {
    const page = paper()
      .put(80, 20, "GREEN LEAF CAFE", 14)
      .columns(
        60,
        [20, 200],
        [
          ["TEA", "4.69"],
          ["SUB TOTAL", "4.69"],
          ["TOTAL", "4.69"],
          ["ROUNDING", "0.01"],
          ["TOTAL", "4.70"],
          ["CASH", "10.00"],
          ["CHANGE", "5.30"],
        ],
      );
    expect(find(schema, page.done()).data.total).toBe(4.7);
  });

  it("does not take cash, change, tax or a count for the total", () => {
    const page = paper()
      .put(80, 20, "GREEN LEAF CAFE", 14)
      .columns(
        60,
        [20, 200],
        [
          ["TOTAL QTY", "3"],
          ["TOTAL GST", "1.20"],
          ["TOTAL SALES (EXCL GST)", "20.00"],
          ["TOTAL SALES (INCL GST)", "21.20"],
          ["CASH", "50.00"],
          ["CHANGE", "28.80"],
        ],
      );
    expect(find(schema, page.done()).data.total).toBe(21.2);
  });

  it("finds the sum by arithmetic where no label is legible", () => {
    const page = paper()
      .put(80, 20, "GREEN LEAF CAFE", 14)
      .columns(
        60,
        [20, 200],
        [
          ["T0I4L", "21.20"],
          ["CASH", "50.00"],
          ["CHANGE", "28.80"],
        ],
      );
    expect(find(schema, page.done()).data.total).toBe(21.2);
  });

  it("reads through what OCR does to letters and spaces", () => {
    const page = paper()
      .put(60, 20, "GREEN 1EAF TRADING SDN BHD", 14)
      .put(20, 50, "DATE:25/12/201812:31:00")
      .put(20, 70, "T0TALSALESRM")
      .put(200, 70, "9. 00");
    const { data, evidence } = find(schema, scanned(page.done()));
    expect(data).toMatchObject({ date: "2018-12-25", total: 9 });
    expect(evidence["/total"]?.text).toBe("9. 00");
  });

  it("puts confused letters right in the value and keeps the evidence as it stands", () => {
    const page = paper().put(60, 20, "G0LDEN SC00P SDN BHD", 14).put(60, 40, "N0 8, JALAN 7/1l8B, 5600O KUALA LUMPUR");
    const { data, evidence } = find({ company: { type: "string" }, address: { type: "string" } }, scanned(page.done()));
    expect(data).toEqual({ company: "GOLDEN SCOOP SDN BHD", address: "NO 8, JALAN 7/118B, 56000 KUALA LUMPUR" });
    expect(evidence["/address"]?.text).toBe("N0 8, JALAN 7/1l8B, 5600O KUALA LUMPUR");
  });

  it("cuts the registration number and who runs it from the name", () => {
    const name = (line: string): unknown =>
      find(schema, paper().put(60, 20, line, 14).put(60, 40, "12 Mill Road, Leeds LS1 4AP").done()).data.company;
    expect(name("ACME HARDWARE SDN BHD (860671-D)")).toBe("ACME HARDWARE SDN BHD");
    expect(name("OWNED BY: ACME FOODS LTD")).toBe("ACME FOODS LTD");
  });

  it("reads the bought lines without a table", () => {
    const page = paper()
      .put(60, 20, "CORNER SHOP", 14)
      .columns(
        60,
        [20, 200],
        [
          ["Milk 1 l", "1.29"],
          ["Bread, dark", "3.49"],
          ["SUBTOTAL", "4.78"],
          ["TOTAL", "4.78"],
        ],
      );
    const items = {
      type: "array",
      items: { type: "object", properties: { description: { type: "string" }, amount: { type: "number" } } },
    };
    expect(find({ items }, page.done()).data.items).toEqual([
      { description: "Milk 1 l", amount: 1.29 },
      { description: "Bread, dark", amount: 3.49 },
    ]);
  });
});

describe("presets", () => {
  it("are ordinary schemas", () => {
    expect(presetNames).toEqual(["receipt", "invoice", "article", "resume", "contract"]);
    for (const name of presetNames) expect(parseSchema(presetSchema(name)).properties.length).toBeGreaterThan(5);
    expect(presetSchema("nope")).toBeUndefined();
    expect(presetSchema("constructor")).toBeUndefined();
  });

  it("article", () => {
    const document: NumberedDocument = {
      ...flow()
        .title("Rivers of the north")
        .text("By Ada Whitfield and Tom Ashford", "Published 3 May 2024")
        .heading(2, "Abstract")
        .text("We measured eleven rivers.")
        .heading(2, "Method")
        .text("With a stick.")
        .text("Keywords: rivers, ice; measurement")
        .done(),
      title: "Rivers of the north",
    };
    const { data } = findFields({ schema: parseSchema(presetSchema("article")), document });
    expect(data).toMatchObject({
      title: "Rivers of the north",
      authors: ["Ada Whitfield", "Tom Ashford"],
      published_at: "2024-05-03",
      abstract: "We measured eleven rivers.",
      keywords: ["rivers", "ice", "measurement"],
      sections: ["Abstract", "Method"],
    });
  });
});

describe("a hostile document", () => {
  it("of very many short lines is answered", () => {
    const document = flow().done();
    document.elements = Array.from({ length: 6_000 }, (_, i) => ({
      id: `e${i}`,
      type: "paragraph" as const,
      text: i % 2 ? "Total: 1.00 Total: 2.00" : "bill to:",
      page: 1,
      bbox: null,
    }));
    expect(
      find(
        { total: { type: "number" }, customer: { type: "object", properties: { name: { type: "string" } } } },
        document,
      ).data.total,
    ).toBeTypeOf("number");
  });

  it("of one endless line is answered", () => {
    const document = flow()
      .text(`Total ${"1".repeat(100_000)} ${"a@".repeat(20_000)} ${"12/".repeat(30_000)} ${"DE89 ".repeat(10_000)}`)
      .done();
    expect(
      find(
        {
          total: { type: "number" },
          email: { type: "string", format: "email" },
          iban: { type: "string", format: "iban" },
        },
        document,
      ).data.iban,
    ).toBeNull();
  });

  it("with boxes and offsets that make no sense is answered", () => {
    const document = flow().text("Total: 5.00").done();
    document.elements[0]!.words = [
      { start: -5, end: 900, bbox: [Number.NaN, 0, 1, 1] },
      { start: 7, end: 11, bbox: [9, 9, 3, 3] },
    ];
    document.elements[0]!.bbox = [0, 0, 0, 0];
    expect(Object.keys(find({ total: { type: "number" } }, document).data)).toEqual(["total"]);
  });
});
