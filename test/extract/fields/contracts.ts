// Contracts in five layouts, with what they say.

import type { NumberedDocument } from "../../../src/extract/document.ts";
import { flow, paper } from "./paper.ts";

export interface ContractTruth {
  title: string;
  contract_number?: string;
  parties: string[];
  effective_date: string;
  expiration_date?: string;
  governing_law: string;
  contract_value?: number;
  notice_period?: string;
}

export const contractSchema = {
  type: "object",
  properties: {
    title: { type: "string", description: "Title of the contract" },
    contract_number: { type: "string" },
    parties: { type: "array", items: { type: "string" } },
    effective_date: { type: "string", format: "date" },
    expiration_date: { type: "string", format: "date" },
    governing_law: { type: "string" },
    contract_value: { type: "number" },
    notice_period: { type: "string" },
  },
};

const service: ContractTruth = {
  title: "Service Agreement",
  contract_number: "SA-2024-019",
  parties: ["Orchard Consulting Ltd", "Meadow Foods plc"],
  effective_date: "2024-04-01",
  expiration_date: "2026-03-31",
  governing_law: "England and Wales",
  contract_value: 48000,
  notice_period: "three months",
};

const lease: ContractTruth = {
  title: "Lease Agreement",
  parties: ["Harbour Estates LLC", "Dana Whitaker"],
  effective_date: "2024-01-15",
  expiration_date: "2025-01-14",
  governing_law: "State of Oregon",
  contract_value: 21600,
  notice_period: "60 days",
};

const werk: ContractTruth = {
  title: "Dienstleistungsvertrag",
  contract_number: "V-7781",
  parties: ["Stadtwerke Lindau GmbH", "Elektro Huber KG"],
  effective_date: "2024-07-01",
  expiration_date: "2025-06-30",
  governing_law: "Recht der Bundesrepublik Deutschland",
  contract_value: 12500,
  notice_period: "drei Monate",
};

const months = "January February March April May June July August September October November December".split(" ");
const long = (iso: string): string =>
  `${Number(iso.slice(8))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;
const american = (iso: string): string =>
  `${months[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8))}, ${iso.slice(0, 4)}`;
const dot = (iso: string): string => iso.split("-").reverse().join(".");
const money = (value: number): string => value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");

function sheet(truth: ContractTruth): NumberedDocument {
  return flow()
    .title(truth.title)
    .table([
      ["Contract number", truth.contract_number!],
      ["Effective date", long(truth.effective_date)],
      ["Expiration date", long(truth.expiration_date!)],
      ["Total value", `£${money(truth.contract_value!)}`],
      ["Notice period", truth.notice_period!],
      ["Governing law", truth.governing_law],
    ])
    .heading(2, "Parties")
    .items(
      `${truth.parties[0]}, 4 Elm Court, Bristol (the "Provider")`,
      `${truth.parties[1]}, 80 Station Road, York (the "Client")`,
    )
    .heading(2, "1. Services")
    .text("The Provider shall advise the Client on procurement.")
    .done();
}

function prose(truth: ContractTruth): NumberedDocument {
  return flow()
    .heading(1, truth.title)
    .text(
      `This ${truth.title} is made and entered into as of ${american(truth.effective_date)}, by and between ${truth.parties[0]}, an Oregon limited liability company ("Landlord"), and ${truth.parties[1]} ("Tenant").`,
    )
    .heading(2, "Term")
    .text(`The lease ends on the expiration date: ${american(truth.expiration_date!)}.`)
    .heading(2, "Rent")
    .text(`Contract value: $${money(truth.contract_value!)} in twelve instalments.`)
    .heading(2, "Termination")
    .text(`Notice period: ${truth.notice_period}.`)
    .heading(2, "Law")
    .text(`This agreement is governed by the laws of the ${truth.governing_law}.`)
    .done();
}

function german(truth: ContractTruth): NumberedDocument {
  return flow()
    .title(truth.title)
    .text(`Vertragsnummer: ${truth.contract_number}`)
    .text(
      `zwischen der ${truth.parties[0]}, Hafenstraße 1, 88131 Lindau – nachfolgend Auftraggeber – und der ${truth.parties[1]}, Bergweg 7, 88131 Lindau – nachfolgend Auftragnehmer –`,
    )
    .heading(2, "Laufzeit")
    .text(
      `Wirksam ab: ${dot(truth.effective_date)}\nEnddatum: ${dot(truth.expiration_date!)}\nKündigungsfrist: ${truth.notice_period}`,
    )
    .heading(2, "Vergütung")
    .text("Auftragswert: 12.500,00 €")
    .heading(2, "Schlussbestimmungen")
    .text(`Anwendbares Recht: ${truth.governing_law}`)
    .done();
}

function printed(truth: ContractTruth): NumberedDocument {
  return paper()
    .put(200, 40, truth.title, 20)
    .put(50, 90, `Contract No. ${truth.contract_number}`)
    .paragraph(50, 115, [
      `This agreement is made on ${long(truth.effective_date)} between ${truth.parties[0]}`,
      `("Provider") and ${truth.parties[1]} ("Client").`,
    ])
    .lines(50, 170, [
      `Expiry date: ${long(truth.expiration_date!)}`,
      `Contract price: GBP ${money(truth.contract_value!)}`,
      `Notice period: ${truth.notice_period}`,
      `Governing law: ${truth.governing_law}`,
    ])
    .done();
}

function numbered(truth: ContractTruth): NumberedDocument {
  return flow()
    .title(truth.title)
    .text(`Agreement No: ${truth.contract_number}`, `Effective Date: ${truth.effective_date}`, "BETWEEN:")
    .text(
      `(1) ${truth.parties[0]}, a company registered in England (the "Provider"); and`,
      `(2) ${truth.parties[1]}, a company registered in England (the "Client").`,
    )
    .heading(2, "1. Term")
    .text(`End date: ${truth.expiration_date}`)
    .heading(2, "2. Fees")
    .text(`Total fee: £${money(truth.contract_value!)}`)
    .heading(2, "3. Notice period")
    .text(truth.notice_period!)
    .heading(2, "4. Governing law")
    .text(truth.governing_law)
    .done();
}

export const contracts: { name: string; truth: ContractTruth; document: NumberedDocument }[] = [
  { name: "sheet", truth: service, document: sheet(service) },
  { name: "prose", truth: lease, document: prose(lease) },
  { name: "german", truth: werk, document: german(werk) },
  { name: "printed", truth: service, document: printed(service) },
  { name: "numbered", truth: service, document: numbered(service) },
];
