// What an invoice says.

const party = (role: string) => ({
  type: "object",
  properties: {
    name: { type: "string", description: `Name of the ${role}` },
    address: { type: "string", description: `Address of the ${role}` },
    tax_id: { type: "string", description: `VAT or tax number of the ${role}` },
    email: { type: "string", format: "email", description: `E-mail address of the ${role}` },
    phone: { type: "string", format: "phone", description: `Telephone number of the ${role}` },
  },
});

export const invoice = {
  type: "object",
  description: "An invoice or credit note",
  properties: {
    invoice_number: { type: "string", description: "Number of the invoice" },
    invoice_date: { type: "string", format: "date", description: "Date of issue" },
    due_date: { type: "string", format: "date", description: "Date by which it must be paid" },
    purchase_order: { type: "string", description: "Number of the purchase order" },
    customer_number: { type: "string", description: "Number of the customer" },
    currency: { type: "string", pattern: "^[A-Z]{3}$", description: "Currency of the amounts, ISO 4217" },
    vendor: party("seller"),
    customer: party("buyer"),
    items: {
      type: "array",
      description: "The lines of the invoice",
      items: {
        type: "object",
        properties: {
          description: { type: "string" },
          quantity: { type: "number" },
          unit: { type: "string" },
          unit_price: { type: "number" },
          tax_rate: { type: "number", description: "Tax rate in percent" },
          amount: { type: "number", description: "Amount of the line" },
        },
      },
    },
    subtotal: { type: "number", description: "Net amount before tax" },
    tax: { type: "number", description: "Amount of tax" },
    total: { type: "number", description: "Total amount, tax included" },
    amount_due: { type: "number", description: "Amount still to pay" },
    payment_terms: { type: "string" },
    iban: { type: "string", format: "iban", description: "Bank account of the seller" },
    bic: { type: "string", format: "bic" },
  },
};
