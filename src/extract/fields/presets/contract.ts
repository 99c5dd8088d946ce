// What a contract says.

export const contract = {
  type: "object",
  description: "A contract or agreement",
  properties: {
    title: { type: "string", description: "Title of the contract" },
    contract_number: { type: "string" },
    parties: { type: "array", items: { type: "string" }, description: "Names of the parties" },
    effective_date: { type: "string", format: "date", description: "Date from which it applies" },
    signature_date: { type: "string", format: "date", description: "Date of signature" },
    expiration_date: { type: "string", format: "date", description: "Date on which it ends" },
    term: { type: "string", description: "How long it lasts" },
    notice_period: { type: "string", description: "Notice to be given before termination" },
    governing_law: { type: "string", description: "Law that governs the contract" },
    jurisdiction: { type: "string", description: "Courts or place of jurisdiction" },
    contract_value: { type: "number", description: "Total value or price" },
    currency: { type: "string", pattern: "^[A-Z]{3}$", description: "Currency of the amounts, ISO 4217" },
    payment_terms: { type: "string" },
  },
};
