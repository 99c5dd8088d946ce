// Every setting: its name, default, check and reason, in one table. The only reader of process.env.
// `.env.example` and docs/settings.md are written from this table (`npm run cli -- settings`); a test holds them to it.
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { isPlan, plans } from "./plans.ts";

class SettingError extends Error {}

/** A setting that cannot be used. The message is the one line the operator sees. */
export class ConfigError extends Error {}

type Check<T> = (text: string) => T;

const integer =
  (min: number, max: number): Check<number> =>
  (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < min || value > max)
      throw new SettingError(`must be a whole number from ${min} to ${max}`);
    return value;
  };

const boolean: Check<boolean> = (text) => {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw new SettingError("must be true or false");
};

const oneOf =
  <const T extends string>(...values: T[]): Check<T> =>
  (text) => {
    if (!values.includes(text as T)) throw new SettingError(`must be one of ${values.join(", ")}`);
    return text as T;
  };

const url =
  (...schemes: string[]): Check<string> =>
  (text) => {
    if (!URL.canParse(text) || !schemes.includes(new URL(text).protocol))
      throw new SettingError(`must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`);
    return text.replace(/\/+$/, "");
  };

const seconds: Check<number> = (text) => integer(0, 86_400)(text) * 1000;
const delays: Check<number[]> = (text) => text.split(",").map((part) => seconds(part.trim()));
const folder: Check<string> = (text) => resolve(text);

const address: Check<string> = (text) => {
  if (!/^[^\s@<>]+@[^\s@<>]+$|^[^<>]+<[^\s@<>]+@[^\s@<>]+>$/.test(text))
    throw new SettingError("must be an e-mail address, with or without a name before it");
  return text;
};

const secret: Check<string> = (text) => {
  if (text.length < 32) throw new SettingError("must have at least 32 characters");
  return text;
};

const prices: Check<Record<string, string>> = (text) => {
  const pairs = text.split(",").map((pair) => pair.trim().split("="));
  for (const [plan = "", price] of pairs)
    if (!price || !isPlan(plan) || plan === "free")
      throw new SettingError(
        `must be pairs such as starter=price_123; the plans are ${Object.keys(plans).slice(1).join(", ")}`,
      );
  return Object.fromEntries(pairs);
};

const proxies: Check<boolean | number | string> = (text) => {
  if (/^\d+$/.test(text)) return integer(0, 10)(text);
  return text === "true" || text === "false" ? text === "true" : text;
};

interface Setting<T> {
  name: string;
  /** As it would be written in the environment; undefined stays unset. */
  initial: string | undefined;
  check: Check<T>;
  reason: string;
}

function setting<T>(name: string, initial: string, check: Check<T>, reason: string): Setting<T> {
  return { name, initial, check, reason };
}

function optional<T>(name: string, check: Check<T>, reason: string): Setting<T | undefined> {
  return { name, initial: undefined, check, reason };
}

const cores = availableParallelism();

export const settings = {
  port: setting("PORT", "3000", integer(0, 65_535), "Where the service listens; 0 takes any free port."),
  host: setting("HOST", "127.0.0.1", String, "Only this machine by default; 0.0.0.0 opens it to the network."),
  baseUrl: optional("BASE_URL", url("http:", "https:"), "Public address, used in links. Unset: http://HOST:PORT."),
  trustProxy: setting(
    "TRUST_PROXY",
    "false",
    proxies,
    "Proxies whose X-Forwarded-For is believed: true, a number of hops, or addresses. Wrong values let callers forge their address.",
  ),
  role: setting(
    "ROLE",
    "all",
    oneOf("all", "web", "worker"),
    "web answers HTTP, worker does the work in the background, all does both.",
  ),
  dataDir: setting("DATA_DIR", "./data", folder, "Embedded database, documents, mail files."),
  databaseUrl: optional(
    "DATABASE_URL",
    url("postgres:", "postgresql:"),
    "A PostgreSQL server, 15 or newer. Unset: an embedded one in DATA_DIR.",
  ),
  databasePool: setting(
    "DATABASE_POOL",
    "10",
    integer(2, 200),
    "Connections a process keeps to the database at the most.",
  ),
  blobs: setting("BLOBS", "disk", oneOf("disk"), "Where documents are kept until they expire."),
  secretKey: optional(
    "SECRET_KEY",
    secret,
    "Encrypts webhook secrets and finds API keys; at least 32 characters. Made once in DATA_DIR when the database is embedded.",
  ),
  smtpUrl: optional(
    "SMTP_URL",
    url("smtp:", "smtps:"),
    "smtp://user:password@host:587. Unset: each mail becomes a file in DATA_DIR/mail and a line in the log.",
  ),
  mailFrom: setting("MAIL_FROM", "Extraction Service <no-reply@localhost>", address, "Sender of our mails."),
  rateLimitPerMinute: setting(
    "RATE_LIMIT_PER_MINUTE",
    "60",
    integer(1, 1_000_000),
    "Requests in any 60 seconds with one API key.",
  ),
  signUpsPerHour: setting(
    "SIGNUPS_PER_HOUR",
    "120",
    integer(1, 1_000_000),
    "Sign-ups from one network address in any hour.",
  ),
  maxFileBytes: setting("MAX_FILE_BYTES", "50000000", integer(1, 2_000_000_000), "Size of one document."),
  maxPages: setting("MAX_PAGES", "500", integer(1, 100_000), "Pages of one document that are read."),
  syncWaitMs: setting(
    "SYNC_WAIT",
    "60",
    seconds,
    "Seconds a synchronous request waits before it is answered 202; most proxies give up soon after.",
  ),
  jobTimeoutMs: setting("JOB_TIMEOUT", "300", seconds, "Seconds one extraction may take."),
  jobMemoryMb: setting(
    "JOB_MEMORY_MB",
    "2048",
    integer(256, 1_000_000),
    "Memory one extraction may take before it is ended.",
  ),
  jobsAtOnce: setting(
    "JOBS_AT_ONCE",
    String(cores),
    integer(1, 256),
    "Extractions this process runs at the same time; the number of cores by default.",
  ),
  jobsPerAccount: setting(
    "JOBS_PER_ACCOUNT",
    "5",
    integer(1, 10_000),
    "Extractions of one account that run or stand first in line; its others wait behind them.",
  ),
  maxQueued: setting(
    "MAX_QUEUED",
    "10000",
    integer(1, 10_000_000),
    "Extractions that may wait in all; beyond it new ones are answered 503.",
  ),
  retentionDays: setting(
    "RETENTION_DAYS",
    "30",
    integer(0, 3650),
    "Days that input and result are kept; 0 drops the input at the end and the result once it was fetched or delivered.",
  ),
  webhookMaxAttempts: setting("WEBHOOK_MAX_ATTEMPTS", "3", integer(1, 20), "Attempts to deliver one event."),
  webhookRetryDelaysMs: setting(
    "WEBHOOK_RETRY_DELAYS",
    "30,120,300",
    delays,
    "Seconds before each next attempt; the last one repeats.",
  ),
  webhookTimeoutMs: setting("WEBHOOK_TIMEOUT", "30", seconds, "Seconds one attempt may take, all included."),
  allowPrivateNetworks: setting(
    "ALLOW_PRIVATE_NETWORKS",
    "false",
    boolean,
    "Development only: lets webhooks and url inputs reach private addresses.",
  ),
  stripeSecretKey: optional("STRIPE_SECRET_KEY", String, "Turns billing on, together with the next two."),
  stripeWebhookSecret: optional(
    "STRIPE_WEBHOOK_SECRET",
    String,
    "Signing secret of the endpoint BASE_URL/api/v1/webhooks/stripe.",
  ),
  stripePrices: optional("STRIPE_PRICES", prices, "The price of each plan on sale: starter=price_…,pro=price_…"),
  stripeMeterEvent: optional(
    "STRIPE_METER_EVENT",
    String,
    "Name of a Stripe meter that pages are reported to. Unset: none.",
  ),
  stripeApiBase: optional(
    "STRIPE_API_BASE",
    url("http:", "https:"),
    "Another server that speaks Stripe's HTTP; for tests.",
  ),
  metricsToken: optional(
    "METRICS_TOKEN",
    secret,
    "Bearer token for GET /metrics; at least 32 characters. Unset: there is no /metrics.",
  ),
  logLevel: setting(
    "LOG_LEVEL",
    "info",
    oneOf("debug", "info", "warn", "error", "silent"),
    "Lines below this level are not written.",
  ),
} satisfies Record<string, Setting<unknown>>;

type Settings = { readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]["check"]> };

export type Config = Settings & { readonly version: string };

/** `role` is what a command asks for, whatever the environment says. */
/** Settings in a .env file of the folder it is started in; what the environment says goes before. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile(".env");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new ConfigError(".env could not be read", { cause: error });
  }
}

export function readConfig(env: NodeJS.ProcessEnv = process.env, role?: Config["role"]): Config {
  const config: Record<string, unknown> = { version: manifest.version };
  for (const [key, { name, initial, check }] of Object.entries(settings)) {
    const text = (key === "role" && role) || env[name] || initial;
    try {
      config[key] = text === undefined ? undefined : check(text);
    } catch (error) {
      if (error instanceof SettingError) throw new ConfigError(`${name} ${error.message}`);
      throw error;
    }
  }
  const checked = Object.freeze(config) as unknown as Config;
  if (checked.databaseUrl && !checked.secretKey)
    throw new ConfigError("SECRET_KEY is required with DATABASE_URL: every process must share it");
  if (checked.role !== "all" && !checked.databaseUrl)
    throw new ConfigError(`ROLE ${checked.role} needs DATABASE_URL: the embedded database serves one process only`);
  const stripe = [checked.stripeSecretKey, checked.stripeWebhookSecret, checked.stripePrices];
  if (stripe.some(Boolean) && !stripe.every(Boolean))
    throw new ConfigError("STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICES go together");
  return checked;
}

/** The text of `.env.example`. */
export function describeSettings(): string {
  return Object.values(settings)
    .map(
      ({ name, initial, reason }) =>
        `# ${reason}\n${initial === undefined ? `# ${name}=` : `${name}=${shown(name, initial)}`}`,
    )
    .join("\n\n")
    .concat("\n");
}

/** The table of docs/settings.md. */
export function tabulateSettings(): string {
  const rows = Object.values(settings).map(({ name, initial, reason }) => {
    const value = initial === undefined ? "unset" : shown(name, initial) && `\`${shown(name, initial)}\``;
    return `| \`${name}\` | ${value || "the number of cores"} | ${reason} |\n`;
  });
  return `| name | default | |\n|---|---|---|\n${rows.join("")}`;
}

/** JOBS_AT_ONCE depends on the machine, so the example leaves it to the machine. */
const shown = (name: string, initial: string) => (name === "JOBS_AT_ONCE" ? "" : initial);
