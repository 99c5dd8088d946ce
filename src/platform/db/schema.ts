// The tables as Kysely sees them. The truth is in migrations/; a test compares the two.
import type { ColumnType, Generated, JSONColumnType } from "kysely";

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
  kind: "verify" | "reset";
  created_at: Date;
  run_at: Date;
  attempts: Defaulted<number>;
  sent_at: Date | null;
  last_error: string | null;
}

export interface RateLimitTable {
  bucket: string;
  stamps: Date[];
  allowed: boolean;
}

export interface Tables {
  accounts: AccountTable;
  tokens: TokenTable;
  sessions: SessionTable;
  audit: AuditTable;
  mails: MailTable;
  rate_limits: RateLimitTable;
}

export type Json<T extends object | null> = JSONColumnType<T>;
