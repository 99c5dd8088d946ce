// The tables as Kysely sees them. The truth is in migrations/; a test compares the two.
import type { ColumnType, Generated } from "kysely";

/** Read as a value, written as text. */
type Json = ColumnType<unknown, string | null, string | null>;
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export interface AccountTable {
  id: string;
  email: string;
  password_hash: string;
  email_verified_at: Date | null;
  suspended_at: Date | null;
  api_key_id: string | null;
  api_key_hash: string | null;
  api_key_prefix: string | null;
  api_key_created_at: Date | null;
  /** Sealed. */
  webhook_secret: Buffer;
  webhook_secret_shown: Defaulted<boolean>;
  webhook_secret_previous: Buffer | null;
  webhook_secret_rotated_at: Date | null;
  webhook_url: string | null;
  plan: Defaulted<string>;
  /** Overrides of the plan; null takes the plan's or the setting's. */
  rate_limit_per_minute: number | null;
  retention_days: number | null;
  customer_id: string | null;
  subscription_status: string | null;
  period_start: Date | null;
  period_end: Date | null;
  cancel_at: Date | null;
  past_due_since: Date | null;
  billing_synced_at: Date | null;
  created_at: Date;
}

export interface TokenTable {
  hash: Buffer;
  account_id: string;
  purpose: "verify" | "reset";
  expires_at: Date;
}

export interface SessionTable {
  hash: Buffer;
  account_id: string;
  created_at: Date;
  expires_at: Date;
}

export interface AuditTable {
  id: Generated<string>;
  account_id: string;
  at: Date;
  action: string;
  address: string | null;
}

export interface MailTable {
  id: string;
  account_id: string;
  kind: "verify" | "reset" | "past_due";
  created_at: Date;
  run_at: Date;
  attempts: Defaulted<number>;
  sent_at: Date | null;
  last_error: string | null;
}

export interface RateLimitTable {
  bucket: string;
  stamps: Date[];
  counts: number[];
  allowed: boolean;
}

export type ExtractionStatus = "queued" | "processing" | "completed" | "failed" | "canceled";

export interface ExtractionTable {
  id: string;
  account_id: string;
  status: ExtractionStatus;
  run_at: Date;
  runs: Defaulted<number>;
  losses: Defaulted<number>;
  is_async: boolean;
  webhook_url: string | null;
  /** What the reader needs: name, address, options, schema. Null once erased. */
  request: Json | null;
  /** Sealed, and only until the extraction ends. */
  password: Buffer | null;
  retention_days: number;
  /** Start of the period its pages count in. */
  period: Date;
  metadata: Json | null;
  size: number | null;
  sha256: string | null;
  kind: string | null;
  mime_type: string | null;
  pages: number | null;
  progress: Json | null;
  error: Json | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  expires_at: Date | null;
  erased_at: Date | null;
}

export interface ResultTable {
  extraction_id: string;
  body: Buffer;
}

export interface AccountLoadTable {
  account_id: string;
  active: number;
  waiting: number;
}

export interface UsageTable {
  extraction_id: string;
  account_id: string;
  pages: number;
  period: Date;
  at: Date;
  report_at: Date | null;
}

export interface UsagePeriodTable {
  account_id: string;
  starts_at: Date;
  pages: number;
  reserved: number;
}

export interface PaymentEventTable {
  id: string;
  provider: string;
  type: string;
  customer_id: string | null;
  account_id: string | null;
  received_at: Date;
  run_at: Date;
  attempts: Defaulted<number>;
  applied_at: Date | null;
  last_error: string | null;
}

export interface IdempotencyKeyTable {
  account_id: string;
  key: string;
  fingerprint: Buffer;
  extraction_id: string;
  created_at: Date;
}

export interface DeliveryTable {
  id: string;
  account_id: string;
  extraction_id: string | null;
  event: string;
  url: string;
  host: string;
  body: Buffer | null;
  bytes: number;
  status: "pending" | "delivered" | "failed";
  run_at: Date;
  attempts: Defaulted<number>;
  claims: Defaulted<number>;
  unrecorded: Defaulted<number>;
  by_hand: Defaulted<boolean>;
  created_at: Date;
  ended_at: Date | null;
}

export interface AttemptTable {
  id: string;
  delivery_id: string;
  by_hand: boolean;
  started_at: Date;
  duration_ms: number | null;
  status: number | null;
  answer: Buffer | null;
  error: string | null;
}

export interface Tables {
  deliveries: DeliveryTable;
  attempts: AttemptTable;
  extractions: ExtractionTable;
  results: ResultTable;
  account_loads: AccountLoadTable;
  usage: UsageTable;
  usage_periods: UsagePeriodTable;
  payment_events: PaymentEventTable;
  idempotency_keys: IdempotencyKeyTable;
  accounts: AccountTable;
  tokens: TokenTable;
  sessions: SessionTable;
  audit: AuditTable;
  mails: MailTable;
  rate_limits: RateLimitTable;
}
