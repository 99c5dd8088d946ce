import { describe, expect, it } from "vitest";
import { defaultLimits, defaultOptions, extract } from "../../../src/extract/extract.ts";
import type { Evidence } from "../../../src/extract/fields/evidence.ts";

async function fields(text: string, name: string, schema: unknown | null, preset: string | null = null) {
  const result = await extract({
    bytes: new TextEncoder().encode(text), name, contentType: null, url: null, schema, limits: defaultLimits, options: { ...defaultOptions, preset, main_content: false },
  }); // biome-ignore format: one line
  return {
    data: result.data as Record<string, unknown>,
    evidence: result.evidence as Record<string, Evidence>,
    document: result.document,
  };
}

const items = [
  ["Copper pipe 15 mm", "12", "4.50", "54.00"],
  ["Elbow joint", "30", "0.85", "25.50"],
];

const html = `<!doctype html><html lang="en"><body>
<h1>Invoice</h1>
<p>Harbour Plumbing Ltd<br>7 Dock Street<br>Hull HU1 3DZ<br>VAT Reg No: GB123456789</p>
<table><tr><th>Invoice number</th><td>HP-2024-88</td></tr><tr><th>Invoice date</th><td>14 June 2024</td></tr><tr><th>Due date</th><td>28 June 2024</td></tr></table>
<p>Bill to:<br>Northside School<br>4 Church Lane<br>York YO1 7HU</p>
<table><thead><tr><th>Description</th><th>Qty</th><th>Unit price</th><th>Amount</th></tr></thead>
<tbody>${items.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</tbody></table>
<p>Subtotal: £79.50</p><p>VAT 20%: £15.90</p><p><b>Total: £95.40</b></p>
</body></html>`;

describe("through extract()", () => {
  it("finds the fields of an HTML invoice by preset, each where it says", async () => {
    const { data, evidence, document } = await fields(html, "invoice.html", null, "invoice");
    expect(data).toMatchObject({
      invoice_number: "HP-2024-88",
      invoice_date: "2024-06-14",
      due_date: "2024-06-28",
      currency: "GBP",
      vendor: { name: "Harbour Plumbing Ltd", address: "7 Dock Street, Hull HU1 3DZ", tax_id: "GB123456789" },
      customer: { name: "Northside School", address: "4 Church Lane, York YO1 7HU" },
      items: items.map(([description, quantity, price, amount]) => ({
        description,
        quantity: Number(quantity),
        unit_price: Number(price),
        amount: Number(amount),
      })),
      subtotal: 79.5,
      tax: 15.9,
      total: 95.4,
    });
    for (const [pointer, found] of Object.entries(evidence)) {
      if (found.state === "missing" || found.parts) continue;
      const element = document.elements?.find((other) => other.id === found.element);
      const cell = document.tables
        ?.find((table) => table.id === element?.table)
        ?.cells.find((other) => other.row === found.row && other.column === found.column);
      expect((cell ?? element)?.text.slice(...found.range!), pointer).toBe(found.text);
    }
  });

  it("finds the fields of a plain text", async () => {
    const { data } = await fields(
      "CORNER BAKERY\n12 High Street, Bath BA1 1AA\n\nDate: 02.05.2024  08:15\n\nRye bread   4.20\nRolls   1.80\n\nTOTAL EUR 6.00\nCash 10.00\nChange 4.00\n",
      "receipt.txt",
      {
        type: "object",
        properties: {
          date: { type: "string", format: "date" },
          time: { type: "string", format: "time" },
          total: { type: "number" },
          currency: { type: "string" },
        },
      },
    );
    expect(data).toEqual({ date: "2024-05-02", time: "08:15:00", total: 6, currency: "EUR" });
  });

  it("finds the rows of a CSV", async () => {
    const { data } = await fields("sku,name,stock\nA-1,Lamp,4\nB-2,Chair,11\n", "stock.csv", {
      type: "object",
      properties: {
        products: {
          type: "array",
          items: {
            type: "object",
            properties: { sku: { type: "string" }, name: { type: "string" }, stock: { type: "integer" } },
          },
        },
      },
    });
    expect(data.products).toEqual([
      { sku: "A-1", name: "Lamp", stock: 4 },
      { sku: "B-2", name: "Chair", stock: 11 },
    ]);
  });

  it("refuses a schema before it reads the document", async () => {
    await expect(fields("x", "x.txt", { type: "object", properties: { a: { type: "colour" } } })).rejects.toMatchObject(
      { code: "invalid_schema", errors: [{ pointer: "/properties/a/type" }] },
    );
  });
});
