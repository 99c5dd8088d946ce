// What we need of a payment provider. A second one is one more file beside stripe.ts and one line in app.ts.

export interface PaymentEvent {
  id: string;
  type: string;
  customerId: string | null;
  /** Ours, where the provider carries it along. */
  accountId: string | null;
}

export interface Subscription {
  /** Null when none of our prices is on it. */
  plan: string | null;
  status: "active" | "past_due" | "ended";
  periodStart: Date;
  periodEnd: Date;
  /** Set when it ends with its period. */
  cancelAt: Date | null;
}

export interface CheckoutRequest {
  accountId: string;
  email: string;
  customerId: string | null;
  plan: string;
  returnUrl: string;
}

export interface UsageReport {
  customerId: string;
  /** A report sent twice under one id counts once. */
  id: string;
  pages: number;
  at: Date;
}

export interface Payments {
  provider: string;
  /** Plans that can be bought. */
  plans: string[];
  /** Whether pages are reported to the provider's meter. */
  isMetered: boolean;
  /** Null when the signature is not the provider's, or too old. */
  readEvent(body: Buffer, headers: Record<string, unknown>): PaymentEvent | null;
  /** The customer's subscription as the provider has it now; null when there is none. */
  findSubscription(customerId: string): Promise<Subscription | null>;
  /** Address of the page where the customer pays. */
  openCheckout(request: CheckoutRequest): Promise<string>;
  /** Address of the page where the customer changes, cancels, and finds invoices. */
  openPortal(customerId: string, returnUrl: string): Promise<string>;
  reportUsage(report: UsageReport): Promise<void>;
}
