// Account statements in five layouts, with what they say.

import type { NumberedDocument } from "../../../src/extract/document.ts";
import { flow, paper } from "./paper.ts";

export interface StatementTruth {
  account_number: string;
  statement_date: string | null;
  period_start: string;
  period_end: string;
  opening_balance: number;
  closing_balance: number;
  account_holder: string;
  items: { date: string; description: string; debit?: number; credit?: number; balance: number }[];
}

export const statementSchema = {
  type: "object",
  properties: {
    account_number: { type: "string" },
    statement_date: { type: "string", format: "date" },
    period_start: { type: "string", format: "date" },
    period_end: { type: "string", format: "date" },
    opening_balance: { type: "number" },
    closing_balance: { type: "number" },
    account_holder: { type: "string" },
    items: {
      type: "array",
      description: "Transactions",
      items: {
        type: "object",
        properties: {
          date: { type: "string", format: "date" },
          description: { type: "string" },
          debit: { type: "number" },
          credit: { type: "number" },
          balance: { type: "number" },
        },
      },
    },
  },
};

const plain: StatementTruth = {
  account_number: "4471-902",
  statement_date: "2024-02-01",
  period_start: "2024-01-01",
  period_end: "2024-01-31",
  opening_balance: 1520.75,
  closing_balance: 2110.4,
  account_holder: "Jane Roe",
  items: [
    { date: "2024-01-03", description: "Grocery store", debit: 64.35, balance: 1456.4 },
    { date: "2024-01-15", description: "Salary Acme", credit: 900, balance: 2356.4 },
    { date: "2024-01-28", description: "Electricity bill", debit: 246, balance: 2110.4 },
  ],
};

const german: StatementTruth = {
  account_number: "0532013000",
  statement_date: null,
  period_start: "2024-05-01",
  period_end: "2024-05-31",
  opening_balance: 3204.18,
  closing_balance: 2874.98,
  account_holder: "Bäckerei Sonne GmbH",
  items: [
    { date: "2024-05-02", description: "Miete Mai", debit: 1250, balance: 1954.18 },
    { date: "2024-05-17", description: "Kartenzahlungen", credit: 1120.8, balance: 3074.98 },
    { date: "2024-05-30", description: "Strom Abschlag", debit: 200, balance: 2874.98 },
  ],
};

const day = (iso: string): string => iso.split("-").reverse().join("/");
const dot = (iso: string): string => iso.split("-").reverse().join(".");
const money = (value: number | undefined): string =>
  value === undefined ? "" : value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");
const comma = (value: number | undefined): string =>
  value === undefined
    ? ""
    : value
        .toFixed(2)
        .replace(".", ",")
        .replace(/\B(?=(\d{3})+,)/g, ".");
const english = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const short = (iso: string): string => `${iso.slice(8)} ${english[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;

function boxed(truth: StatementTruth): NumberedDocument {
  return paper()
    .put(50, 40, "First Harbour Bank", 16)
    .put(50, 70, "ACCOUNT STATEMENT", 12)
    .lines(50, 100, [
      `Account holder: ${truth.account_holder}`,
      `Account number: ${truth.account_number}`,
      `Statement date: ${short(truth.statement_date!)}`,
    ])
    .lines(330, 100, [
      `Period from: ${short(truth.period_start)}`,
      `Period to: ${short(truth.period_end)}`,
      `Opening balance: ${money(truth.opening_balance)}`,
      `Closing balance: ${money(truth.closing_balance)}`,
    ])
    .table(
      50,
      180,
      [90, 200, 80, 80, 80],
      [
        ["Date", "Description", "Debit", "Credit", "Balance"],
        ...truth.items.map((item) => [
          short(item.date),
          item.description,
          money(item.debit),
          money(item.credit),
          money(item.balance),
        ]),
      ],
    )
    .done();
}

function loose(truth: StatementTruth): NumberedDocument {
  return paper()
    .put(50, 40, "Statement of account", 15)
    .columns(
      80,
      [50, 200],
      [
        ["Account name", truth.account_holder],
        ["Account no.", truth.account_number],
        ["Statement date", day(truth.statement_date!)],
        ["Start date", day(truth.period_start)],
        ["End date", day(truth.period_end)],
      ],
    )
    .columns(
      200,
      [50, 140, 330, 410, 490],
      [
        ["Date", "Details", "Money out", "Money in", "Balance"],
        ...truth.items.map((item) => [
          day(item.date),
          item.description,
          money(item.debit),
          money(item.credit),
          money(item.balance),
        ]),
      ],
    )
    .columns(
      300,
      [50, 200],
      [
        ["Opening balance", money(truth.opening_balance)],
        ["Closing balance", money(truth.closing_balance)],
      ],
    )
    .done();
}

function bank(truth: StatementTruth): NumberedDocument {
  return paper()
    .put(50, 40, "Kontoauszug", 18)
    .lines(50, 80, [`Kontoinhaber: ${truth.account_holder}`, `Kontonummer: ${truth.account_number}`])
    .columns(
      120,
      [50, 200, 350],
      [
        ["Zeitraum von", "Zeitraum bis", "Anfangssaldo"],
        [dot(truth.period_start), dot(truth.period_end), `${comma(truth.opening_balance)} EUR`],
      ],
    )
    .table(
      50,
      170,
      [90, 200, 80, 80, 80],
      [
        ["Datum", "Buchungstext", "Soll", "Haben", "Saldo"],
        ...truth.items.map((item) => [
          dot(item.date),
          item.description,
          comma(item.debit),
          comma(item.credit),
          comma(item.balance),
        ]),
      ],
    )
    .columns(280, [350, 480], [["Endsaldo", `${comma(truth.closing_balance)} EUR`]])
    .done();
}

function web(truth: StatementTruth): NumberedDocument {
  return flow()
    .heading(1, "Your statement")
    .table([
      ["Account holder", truth.account_holder],
      ["Account number", truth.account_number],
      ["Statement date", truth.statement_date!],
      ["Period start", truth.period_start],
      ["Period end", truth.period_end],
    ])
    .heading(2, "Transactions")
    .table([
      ["Date", "Description", "Paid out", "Paid in", "Balance"],
      ["", "Opening balance", "", "", money(truth.opening_balance)],
      ...truth.items.map((item) => [
        item.date,
        item.description,
        money(item.debit),
        money(item.credit),
        money(item.balance),
      ]),
      ["", "Closing balance", "", "", money(truth.closing_balance)],
    ])
    .done();
}

function paged(truth: StatementTruth): NumberedDocument {
  const row = (item: StatementTruth["items"][number]): string[] => [
    day(item.date),
    item.description,
    money(item.debit),
    money(item.credit),
    money(item.balance),
  ];
  return paper()
    .put(50, 40, "Statement", 15)
    .lines(50, 70, [
      `Account number ${truth.account_number}`,
      `Account holder ${truth.account_holder}`,
      `Statement date ${day(truth.statement_date!)}`,
    ])
    .columns(
      120,
      [50, 180, 310, 440],
      [
        ["Period start", "Period end", "Previous balance", "New balance"],
        [day(truth.period_start), day(truth.period_end), money(truth.opening_balance), money(truth.closing_balance)],
      ],
    )
    .table(
      50,
      700,
      [90, 200, 80, 80, 80],
      [["Date", "Transaction", "Withdrawals", "Deposits", "Balance"], row(truth.items[0]!)],
    )
    .turn()
    .table(50, 50, [90, 200, 80, 80, 80], truth.items.slice(1).map(row))
    .done();
}

export const statements: { name: string; truth: StatementTruth; document: NumberedDocument }[] = [
  { name: "boxed", truth: plain, document: boxed(plain) },
  { name: "loose", truth: plain, document: loose(plain) },
  { name: "bank", truth: german, document: bank(german) },
  { name: "web", truth: plain, document: web(plain) },
  { name: "paged", truth: plain, document: paged(plain) },
];
