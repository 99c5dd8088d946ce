// Purchase orders in five layouts, with what they say.

import type { NumberedDocument } from "../../../src/extract/document.ts";
import { flow, paper } from "./paper.ts";

export interface OrderTruth {
  order_number: string;
  order_date: string;
  delivery_date: string;
  supplier: { name: string; address: string };
  ship_to: { name: string; address: string };
  payment_terms: string;
  contact: string;
  urgent: boolean;
  items: {
    item_code: string;
    description: string;
    quantity: number;
    unit: string;
    unit_price: number;
    line_total: number;
  }[];
  total: number;
}

export const orderSchema = {
  type: "object",
  properties: {
    order_number: { type: "string" },
    order_date: { type: "string", format: "date" },
    delivery_date: { type: "string", format: "date" },
    supplier: { type: "object", properties: { name: { type: "string" }, address: { type: "string" } } },
    ship_to: { type: "object", properties: { name: { type: "string" }, address: { type: "string" } } },
    payment_terms: { type: "string" },
    contact: { type: "string", title: "Contact person" },
    urgent: { type: "boolean" },
    items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          item_code: { type: "string" },
          description: { type: "string" },
          quantity: { type: "integer" },
          unit: { type: "string" },
          unit_price: { type: "number" },
          line_total: { type: "number" },
        },
      },
    },
    total: { type: "number" },
  },
};

const steel: OrderTruth = {
  order_number: "PO-2024-331",
  order_date: "2024-08-19",
  delivery_date: "2024-09-02",
  supplier: { name: "Baltic Steel Ltd", address: "9 Quay Road, London E14 5AB" },
  ship_to: { name: "Riverside Plant", address: "120 River Lane, Leeds LS1 4AP" },
  payment_terms: "30 days net",
  contact: "Tom Ashford",
  urgent: true,
  items: [
    {
      item_code: "ST-4410",
      description: "Steel plate 10 mm",
      quantity: 40,
      unit: "pcs",
      unit_price: 62.5,
      line_total: 2500,
    },
    {
      item_code: "ST-0023",
      description: "Angle bar 50x50",
      quantity: 120,
      unit: "m",
      unit_price: 4.8,
      line_total: 576,
    },
    { item_code: "BX-77", description: "Bolt box M12", quantity: 15, unit: "box", unit_price: 21.4, line_total: 321 },
  ],
  total: 3397,
};

const office: OrderTruth = {
  order_number: "4500099871",
  order_date: "2023-12-04",
  delivery_date: "2023-12-18",
  supplier: { name: "Papier Union GmbH", address: "Lagerweg 8, 20457 Hamburg" },
  ship_to: { name: "Kanzlei Vogt & Partner", address: "Domplatz 2, 50667 Köln" },
  payment_terms: "14 Tage 2 % Skonto",
  contact: "Petra Vogt",
  urgent: false,
  items: [
    {
      item_code: "A4-80",
      description: "Kopierpapier A4",
      quantity: 50,
      unit: "Pack",
      unit_price: 4.2,
      line_total: 210,
    },
    {
      item_code: "OR-15",
      description: "Ordner breit blau",
      quantity: 20,
      unit: "Stk",
      unit_price: 2.95,
      line_total: 59,
    },
  ],
  total: 269,
};

const money = (value: number): string => value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");
const comma = (value: number): string =>
  value
    .toFixed(2)
    .replace(".", ",")
    .replace(/\B(?=(\d{3})+,)/g, ".");
const day = (iso: string): string => iso.split("-").reverse().join("/");
const dot = (iso: string): string => iso.split("-").reverse().join(".");
const lines = (address: string): string[] => address.split(", ");
const row = (item: OrderTruth["items"][number], write: (value: number) => string): string[] => [
  item.item_code,
  item.description,
  String(item.quantity),
  item.unit,
  write(item.unit_price),
  write(item.line_total),
];

function form(truth: OrderTruth): NumberedDocument {
  return paper()
    .put(50, 40, "PURCHASE ORDER", 18)
    .lines(360, 40, [
      `PO Number: ${truth.order_number}`,
      `Order Date: ${day(truth.order_date)}`,
      `Delivery Date: ${day(truth.delivery_date)}`,
    ])
    .put(50, 110, "Supplier:")
    .lines(50, 124, [truth.supplier.name, ...lines(truth.supplier.address)])
    .put(330, 110, "Ship To:")
    .lines(330, 124, [truth.ship_to.name, ...lines(truth.ship_to.address)])
    .lines(50, 190, [
      `Payment Terms: ${truth.payment_terms}`,
      `Contact person: ${truth.contact}`,
      `Urgent: ${truth.urgent ? "Yes" : "No"}`,
    ])
    .table(
      50,
      250,
      [70, 190, 60, 50, 80, 90],
      [
        ["Item Code", "Description", "Qty", "Unit", "Unit Price", "Line Total"],
        ...truth.items.map((item) => row(item, money)),
      ],
    )
    .columns(400, [380, 490], [["Total", `GBP ${money(truth.total)}`]])
    .done();
}

function plain(truth: OrderTruth): NumberedDocument {
  return paper()
    .put(50, 40, "Purchase order", 16)
    .columns(
      70,
      [50, 180],
      [
        ["Order number", truth.order_number],
        ["Order date", truth.order_date],
        ["Required by", truth.delivery_date],
        ["Terms of payment", truth.payment_terms],
        ["Contact person", truth.contact],
        ["Urgent", truth.urgent ? "yes" : "no"],
      ],
    )
    .columns(
      180,
      [50, 330],
      [
        ["Vendor", "Deliver to"],
        [truth.supplier.name, truth.ship_to.name],
        [lines(truth.supplier.address)[0]!, lines(truth.ship_to.address)[0]!],
        [lines(truth.supplier.address)[1]!, lines(truth.ship_to.address)[1]!],
      ],
    )
    .columns(
      280,
      [50, 120, 330, 380, 430, 510],
      [["SKU", "Product", "Qty", "UOM", "Price", "Amount"], ...truth.items.map((item) => row(item, money))],
    )
    .columns(360, [430, 510], [["Order total", money(truth.total)]])
    .done();
}

function german(truth: OrderTruth): NumberedDocument {
  return paper()
    .put(50, 40, "Bestellung", 18)
    .lines(50, 80, [
      `Bestellnummer: ${truth.order_number}`,
      `Bestelldatum: ${dot(truth.order_date)}`,
      `Liefertermin: ${dot(truth.delivery_date)}`,
      `Zahlungsbedingungen: ${truth.payment_terms}`,
      `Ansprechpartner: ${truth.contact}`,
      `Urgent: ${truth.urgent ? "ja" : "nein"}`,
    ])
    .put(50, 180, "Lieferant")
    .lines(50, 195, [truth.supplier.name, ...lines(truth.supplier.address)])
    .put(320, 180, "Lieferadresse")
    .lines(320, 195, [truth.ship_to.name, ...lines(truth.ship_to.address)])
    .table(
      50,
      260,
      [80, 190, 60, 60, 80, 90],
      [
        ["Artikelnummer", "Bezeichnung", "Menge", "Einheit", "Einzelpreis", "Gesamtpreis"],
        ...truth.items.map((item) => row(item, comma)),
      ],
    )
    .columns(340, [380, 490], [["Gesamtsumme", `${comma(truth.total)} EUR`]])
    .done();
}

function web(truth: OrderTruth): NumberedDocument {
  return flow()
    .heading(1, `Purchase Order ${truth.order_number}`)
    .table([
      ["Order date", truth.order_date],
      ["Delivery date", truth.delivery_date],
      ["Payment terms", truth.payment_terms],
      ["Contact person", truth.contact],
      ["Urgent", truth.urgent ? "Yes" : "No"],
    ])
    .heading(2, "Supplier")
    .text(`${truth.supplier.name}\n${lines(truth.supplier.address).join("\n")}`)
    .heading(2, "Ship to")
    .text(`${truth.ship_to.name}\n${lines(truth.ship_to.address).join("\n")}`)
    .table([
      ["Part no.", "Description", "Quantity", "Unit", "Unit cost", "Extended price"],
      ...truth.items.map((item) => row(item, money)),
      ["Total", "", "", "", "", money(truth.total)],
    ])
    .done();
}

function letter(truth: OrderTruth): NumberedDocument {
  return flow()
    .title("Purchase order")
    .text(
      `Order no.: ${truth.order_number}\nDate of order: ${day(truth.order_date)}\nDeliver by: ${day(truth.delivery_date)}`,
    )
    .text(`Seller: ${truth.supplier.name}\n${truth.supplier.address}`)
    .text(`Ship to: ${truth.ship_to.name}\n${truth.ship_to.address}`)
    .table([
      ["Code", "Item", "Ordered quantity", "Unit", "Price each", "Total"],
      ...truth.items.map((item) => row(item, money)),
    ])
    .text(
      `Grand total: £${money(truth.total)}`,
      `Payment terms: ${truth.payment_terms}`,
      `Contact person: ${truth.contact}`,
      `[${truth.urgent ? "x" : " "}] Urgent`,
    )
    .done();
}

export const orders: { name: string; truth: OrderTruth; document: NumberedDocument }[] = [
  { name: "form", truth: steel, document: form(steel) },
  { name: "plain", truth: steel, document: plain(steel) },
  { name: "german", truth: office, document: german(office) },
  { name: "web", truth: steel, document: web(steel) },
  { name: "letter", truth: steel, document: letter(steel) },
];
