// What a till receipt says.

export const receipt = {
  type: "object",
  description: "A receipt for a purchase",
  properties: {
    merchant: { type: "string", description: "Name of the shop or company that issued the receipt" },
    address: { type: "string", description: "Address of the shop" },
    phone: { type: "string", format: "phone", description: "Telephone number of the shop" },
    tax_id: { type: "string", description: "Tax registration number of the shop (VAT, GST)" },
    receipt_number: { type: "string", description: "Number of the receipt or bill" },
    date: { type: "string", format: "date", description: "Date of the purchase" },
    time: { type: "string", format: "time", description: "Time of the purchase" },
    currency: { type: "string", pattern: "^[A-Z]{3}$", description: "Currency of the amounts, ISO 4217" },
    items: {
      type: "array",
      description: "The goods and services bought",
      items: {
        type: "object",
        properties: {
          description: { type: "string" },
          quantity: { type: "number" },
          unit_price: { type: "number" },
          amount: { type: "number", description: "Price of the line" },
        },
      },
    },
    subtotal: { type: "number", description: "Amount before tax" },
    tax: { type: "number", description: "Amount of tax" },
    tip: { type: "number", description: "Tip or service charge" },
    total: { type: "number", description: "Total amount to pay, tax included" },
    payment_method: { type: "string", description: "How it was paid, such as cash or card" },
  },
};
