// Invoices in six layouts and five languages, with what they say.

import type { NumberedDocument } from "../../../src/extract/document.ts";
import { flow, paper, widthOf } from "./paper.ts";

export interface InvoiceTruth {
  invoice_number: string;
  invoice_date: string;
  due_date: string | null;
  purchase_order: string | null;
  currency: string;
  vendor: { name: string; address: string; tax_id: string | null; email: string | null };
  customer: { name: string; address: string };
  items: { description: string; quantity: number; unit_price: number; amount: number }[];
  subtotal: number;
  tax: number;
  total: number;
  iban: string | null;
}

export const invoiceSchema = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    invoice_date: { type: "string", format: "date" },
    due_date: { type: "string", format: "date" },
    purchase_order: { type: "string" },
    currency: { type: "string", pattern: "^[A-Z]{3}$" },
    vendor: {
      type: "object",
      properties: {
        name: { type: "string" },
        address: { type: "string" },
        tax_id: { type: "string" },
        email: { type: "string", format: "email" },
      },
    },
    customer: { type: "object", properties: { name: { type: "string" }, address: { type: "string" } } },
    items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          description: { type: "string" },
          quantity: { type: "number" },
          unit_price: { type: "number" },
          amount: { type: "number" },
        },
      },
    },
    subtotal: { type: "number" },
    tax: { type: "number" },
    total: { type: "number" },
    iban: { type: "string", format: "iban" },
  },
};

const us: InvoiceTruth = {
  invoice_number: "INV-2024-0117",
  invoice_date: "2024-03-05",
  due_date: "2024-04-04",
  purchase_order: "PO-88213",
  currency: "USD",
  vendor: {
    name: "Northwind Traders LLC",
    address: "412 Harbor Street, Suite 9, Portland, OR 97205",
    tax_id: null,
    email: "billing@northwind.example",
  },
  customer: { name: "Contoso Manufacturing Inc.", address: "77 Mill Road, Austin, TX 78701" },
  items: [
    { description: "Hydraulic pump, model H-20", quantity: 2, unit_price: 1249.5, amount: 2499 },
    { description: "Installation service", quantity: 6, unit_price: 95, amount: 570 },
    { description: "Hose assembly 3 m", quantity: 10, unit_price: 18.25, amount: 182.5 },
  ],
  subtotal: 3251.5,
  tax: 268.25,
  total: 3519.75,
  iban: null,
};

const de: InvoiceTruth = {
  invoice_number: "RE-20240991",
  invoice_date: "2024-11-12",
  due_date: "2024-11-26",
  purchase_order: "4500012345",
  currency: "EUR",
  vendor: {
    name: "Müller Werkzeugbau GmbH",
    address: "Industriestraße 14, 70565 Stuttgart",
    tax_id: "DE136695976",
    email: "rechnung@mueller-werkzeug.example",
  },
  customer: { name: "Autohaus Becker KG", address: "Hauptstr. 3, 80331 München" },
  items: [
    { description: "Fräsmaschine warten", quantity: 1, unit_price: 1480, amount: 1480 },
    { description: "Schraubensatz M8", quantity: 24, unit_price: 3.75, amount: 90 },
  ],
  subtotal: 1570,
  tax: 298.3,
  total: 1868.3,
  iban: "DE89370400440532013000",
};

const fr: InvoiceTruth = {
  invoice_number: "FA2024-0452",
  invoice_date: "2024-02-01",
  due_date: "2024-03-02",
  purchase_order: null,
  currency: "EUR",
  vendor: {
    name: "Atelier Durand SARL",
    address: "18 rue des Lilas, 69003 Lyon",
    tax_id: "FR40303265045",
    email: "contact@atelier-durand.example",
  },
  customer: { name: "Boulangerie Petit SAS", address: "5 avenue Foch, 75016 Paris" },
  items: [
    { description: "Conception graphique", quantity: 12, unit_price: 65, amount: 780 },
    { description: "Impression dépliants", quantity: 500, unit_price: 0.42, amount: 210 },
  ],
  subtotal: 990,
  tax: 198,
  total: 1188,
  iban: "FR1420041010050500013M02606",
};

const es: InvoiceTruth = {
  invoice_number: "F-3391",
  invoice_date: "2023-09-21",
  due_date: "2023-10-21",
  purchase_order: "PED-771",
  currency: "EUR",
  vendor: { name: "Suministros García S.L.", address: "Calle Mayor 25, 28013 Madrid", tax_id: null, email: null },
  customer: { name: "Talleres Ruiz S.A.", address: "Avenida del Puerto 110, 46023 Valencia" },
  items: [
    { description: "Cable eléctrico 100 m", quantity: 3, unit_price: 84.9, amount: 254.7 },
    { description: "Interruptor doble", quantity: 15, unit_price: 6.2, amount: 93 },
    { description: "Caja de empalmes", quantity: 8, unit_price: 2.35, amount: 18.8 },
  ],
  subtotal: 366.5,
  tax: 76.97,
  total: 443.47,
  iban: null,
};

const uk: InvoiceTruth = {
  invoice_number: "10045",
  invoice_date: "2024-06-30",
  due_date: "2024-07-14",
  purchase_order: null,
  currency: "GBP",
  vendor: {
    name: "Highland Roofing Ltd",
    address: "Unit 4 Castle Park, Inverness IV2 3TF",
    tax_id: "GB123456789",
    email: "accounts@highlandroofing.example",
  },
  customer: { name: "Mrs Fiona Campbell", address: "22 Shore Street, Nairn IV12 4HP" },
  items: [
    { description: "Slate repair, north face", quantity: 1, unit_price: 640, amount: 640 },
    { description: "Scaffolding hire per week", quantity: 2, unit_price: 175, amount: 350 },
  ],
  subtotal: 990,
  tax: 198,
  total: 1188,
  iban: null,
};

const point = (value: number): string => value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");
const comma = (value: number): string =>
  value
    .toFixed(2)
    .replace(".", ",")
    .replace(/\B(?=(\d{3})+,)/g, ".");
const dotted = (iso: string): string => iso.split("-").reverse().join(".");
const slashed = (iso: string): string => iso.split("-").reverse().join("/");
const monthFirst = (iso: string): string => `${iso.slice(5, 7)}/${iso.slice(8)}/${iso.slice(0, 4)}`;
const long = (iso: string, names: string[]): string =>
  `${Number(iso.slice(8))} ${names[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;
const english = "January February March April May June July August September October November December".split(" ");
const french = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(" ");
const right = (x: number, text: string): number => x - widthOf(text, 10);
const cut = (address: string): string[] => address.split(/, (?=[^,]*\d{4}|[A-Z]\w+ [A-Z]{2} \d|Portland|Austin)/u);

/** Letterhead, key and value on one line, table, sums at the right. */
function classic(truth: InvoiceTruth): NumberedDocument {
  const page = paper()
    .put(50, 40, truth.vendor.name, 16)
    .lines(50, 64, [...cut(truth.vendor.address), truth.vendor.email ?? ""]);
  page.put(420, 44, "INVOICE", 20);
  page.lines(380, 80, [
    `Invoice No: ${truth.invoice_number}`,
    `Invoice Date: ${monthFirst(truth.invoice_date)}`,
    `Due Date: ${monthFirst(truth.due_date!)}`,
    `P.O. Number: ${truth.purchase_order}`,
  ]);
  page.put(50, 160, "Bill To:").lines(50, 175, [truth.customer.name, ...cut(truth.customer.address)]);
  page.table(
    50,
    250,
    [240, 60, 90, 90],
    [
      ["Description", "Qty", "Unit Price", "Amount"],
      ...truth.items.map((item) => [
        item.description,
        String(item.quantity),
        `$${point(item.unit_price)}`,
        `$${point(item.amount)}`,
      ]),
    ],
  );
  [
    ["Subtotal", truth.subtotal],
    ["Sales Tax (8.25%)", truth.tax],
    ["Total", truth.total],
  ].forEach(([label, value], i) => {
    const text = `$${point(value as number)}`;
    page.put(360, 360 + i * 18, label as string).put(right(530, text), 360 + i * 18, text);
  });
  return page.put(50, 780, "Thank you for your business!").done();
}

/** Window envelope, small sender line, labels above their values, German numbers. */
function german(truth: InvoiceTruth): NumberedDocument {
  const page = paper()
    .put(50, 30, truth.vendor.name, 15)
    .put(50, 50, `${truth.vendor.address.replace(", ", " · ")}`, 8);
  page.lines(50, 120, [truth.customer.name, ...cut(truth.customer.address)]);
  page.put(50, 115 - 14, "Kunde:", 8);
  page.put(50, 210, "Rechnung", 18);
  page.columns(
    240,
    [50, 180, 310, 440],
    [
      ["Rechnungsnummer", "Rechnungsdatum", "Bestellnummer", "Fällig am"],
      [truth.invoice_number, dotted(truth.invoice_date), truth.purchase_order!, dotted(truth.due_date!)],
    ],
  );
  page.table(
    50,
    290,
    [40, 220, 60, 90, 90],
    [
      ["Pos.", "Bezeichnung", "Menge", "Einzelpreis", "Gesamtpreis"],
      ...truth.items.map((item, i) => [
        String(i + 1),
        item.description,
        String(item.quantity),
        `${comma(item.unit_price)} €`,
        `${comma(item.amount)} €`,
      ]),
    ],
  );
  [
    ["Nettobetrag", truth.subtotal],
    ["zzgl. 19 % MwSt.", truth.tax],
    ["Rechnungsbetrag", truth.total],
  ].forEach(([label, value], i) => {
    const text = `${comma(value as number)} €`;
    page.put(340, 380 + i * 18, label as string).put(right(550, text), 380 + i * 18, text);
  });
  page.put(50, 470, "Bitte überweisen Sie den Betrag ohne Abzug auf unser Konto.");
  return page
    .lines(
      50,
      760,
      [
        `IBAN: ${truth.iban!.replace(/(.{4})/g, "$1 ").trim()}   BIC: COBADEFFXXX`,
        `USt-IdNr.: ${truth.vendor.tax_id}   E-Mail: ${truth.vendor.email}`,
      ],
      8,
    )
    .done();
}

/** From and to side by side, the facts in a row of a table, items as loose columns. */
function modern(truth: InvoiceTruth): NumberedDocument {
  const page = paper().put(50, 40, "INVOICE", 24);
  page.put(50, 90, "From").put(320, 90, "Bill to");
  page
    .lines(50, 105, [truth.vendor.name, ...cut(truth.vendor.address), truth.vendor.email ?? ""])
    .lines(320, 105, [truth.customer.name, ...cut(truth.customer.address)]);
  page.table(
    50,
    190,
    [120, 140, 140],
    [
      ["Invoice #", "Date", "Due date"],
      [truth.invoice_number, long(truth.invoice_date, english), long(truth.due_date!, english)],
    ],
  );
  if (truth.vendor.tax_id) page.put(50, 240, `VAT Reg No: ${truth.vendor.tax_id}`);
  page.columns(
    280,
    [50, 330, 400, 490],
    [
      ["Item", "Quantity", "Price", "Total"],
      ...truth.items.map((item) => [
        item.description,
        String(item.quantity),
        `£${point(item.unit_price)}`,
        `£${point(item.amount)}`,
      ]),
    ],
  );
  page.columns(
    390,
    [400, 490],
    [
      ["Subtotal", `£${point(truth.subtotal)}`],
      ["VAT 20%", `£${point(truth.tax)}`],
      ["Amount due", `£${point(truth.total)}`],
    ],
  );
  return page.done();
}

/** A web page or Word file: no places, paragraphs and tables. */
function frenchFlow(truth: InvoiceTruth): NumberedDocument {
  return flow()
    .heading(1, `Facture n° ${truth.invoice_number}`)
    .text(truth.vendor.name, `${truth.vendor.address}\nN° TVA : ${truth.vendor.tax_id}\nE-mail : ${truth.vendor.email}`)
    .text(`Date de facture : ${long(truth.invoice_date, french)}`, `Date d'échéance : ${long(truth.due_date!, french)}`)
    .text(`Facturé à :\n${truth.customer.name}\n${cut(truth.customer.address).join("\n")}`)
    .table([
      ["Désignation", "Quantité", "Prix unitaire", "Montant HT"],
      ...truth.items.map((item) => [
        item.description,
        String(item.quantity),
        `${comma(item.unit_price)} €`,
        `${comma(item.amount)} €`,
      ]),
    ])
    .table([
      ["Total HT", `${comma(truth.subtotal)} €`],
      ["TVA (20 %)", `${comma(truth.tax)} €`],
      ["Total TTC", `${comma(truth.total)} €`],
    ])
    .text(`IBAN : ${truth.iban}`)
    .done();
}

/** Spanish, two tables, sums inside the table of items. */
function spanish(truth: InvoiceTruth): NumberedDocument {
  const page = paper()
    .put(330, 40, "FACTURA", 18)
    .put(50, 40, truth.vendor.name, 13)
    .lines(50, 60, cut(truth.vendor.address));
  page.table(
    330,
    70,
    [110, 130],
    [
      ["Factura nº", truth.invoice_number],
      ["Fecha", slashed(truth.invoice_date)],
      ["Vencimiento", slashed(truth.due_date!)],
      ["Nº pedido", truth.purchase_order!],
    ],
  );
  page.put(50, 150, "Cliente").lines(50, 165, [truth.customer.name, ...cut(truth.customer.address)]);
  page.table(
    50,
    240,
    [230, 70, 90, 90],
    [
      ["Concepto", "Cantidad", "Precio", "Importe"],
      ...truth.items.map((item) => [
        item.description,
        String(item.quantity),
        comma(item.unit_price),
        comma(item.amount),
      ]),
      ["", "", "Base imponible", `${comma(truth.subtotal)} €`],
      ["", "", "IVA 21 %", `${comma(truth.tax)} €`],
      ["", "", "Total", `${comma(truth.total)} €`],
    ],
  );
  return page.done();
}

/** A long list over two pages, the head repeated; description wrapped below its row. */
function longList(truth: InvoiceTruth): NumberedDocument {
  const [first, ...rest] = truth.items;
  const row = (item: InvoiceTruth["items"][number]): string[] => [
    item.description,
    String(item.quantity),
    point(item.unit_price),
    point(item.amount),
  ];
  const head = ["Description", "Quantity", "Rate", "Amount"];
  const page = paper()
    .put(50, 40, truth.vendor.name, 16)
    .lines(50, 64, [...cut(truth.vendor.address), truth.vendor.email ?? ""]);
  page.columns(
    120,
    [50, 200],
    [
      ["Invoice number", truth.invoice_number],
      ["Date of issue", long(truth.invoice_date, english)],
      ["Date due", long(truth.due_date!, english)],
      ["Purchase order", truth.purchase_order!],
    ],
  );
  page.put(350, 120, "Customer:").lines(350, 134, [truth.customer.name, ...cut(truth.customer.address)]);
  page.table(50, 700, [240, 80, 80, 90], [head, row(first!)]);
  page.turn().table(50, 60, [240, 80, 80, 90], [head, ...rest.map(row)]);
  page.columns(
    260,
    [380, 480],
    [
      ["Net amount", point(truth.subtotal)],
      ["Tax", point(truth.tax)],
      ["Grand total", `USD ${point(truth.total)}`],
    ],
  );
  return page.done();
}

export const invoices: { name: string; truth: InvoiceTruth; document: NumberedDocument }[] = [
  { name: "classic", truth: us, document: classic(us) },
  { name: "german", truth: de, document: german(de) },
  { name: "modern", truth: uk, document: modern(uk) },
  { name: "french", truth: fr, document: frenchFlow(fr) },
  { name: "spanish", truth: es, document: spanish(es) },
  { name: "long", truth: us, document: longList(us) },
];
