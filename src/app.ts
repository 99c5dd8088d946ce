// The one context: settings and everything opened from them. The only place that picks drivers.
import { join } from "node:path";
import { type Config, ConfigError } from "./config.ts";
import type { Blobs } from "./platform/blobs/blobs.ts";
import { openDiskBlobs } from "./platform/blobs/disk.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { type Connection, type Database, type Db, openDatabase } from "./platform/db/database.ts";
import { type EmbeddedServer, startEmbedded } from "./platform/db/embedded.ts";
import { openFileMailer } from "./platform/mail/file.ts";
import type { Mailer } from "./platform/mail/mail.ts";
import { openSmtpMailer } from "./platform/mail/smtp.ts";
import { type Outbound, openOutbound } from "./platform/net/outbound.ts";
import type { Payments } from "./platform/payments/payments.ts";
import { openStripe } from "./platform/payments/stripe.ts";
import { openSecrets, ownSecretKey, type Secrets } from "./platform/secrets.ts";
import { type Log, openLog } from "./platform/telemetry/log.ts";
import { type Metrics, openMetrics } from "./platform/telemetry/metrics.ts";

export interface App {
  config: Config;
  /** Where callers reach us; known for sure once we listen. */
  baseUrl: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  database: Database;
  db: Db;
  secrets: Secrets;
  mailer: Mailer;
  outbound: Outbound;
  blobs: Blobs;
  /** Null where billing is off. */
  payments: Payments | null;
  /** Another program for the sandbox's children; for tests. */
  childModule: string | undefined;
  close(): Promise<void>;
}

/** What a test may put in place of the real world. */
export interface World {
  clock?: Clock;
  log?: Log;
  outbound?: Outbound;
  childModule?: string;
}

export async function openApp(config: Config, world: World = {}): Promise<App> {
  const log = world.log ?? openLog(config.logLevel);
  const clock = world.clock ?? systemClock;
  const server = config.databaseUrl ? null : await startEmbedded(config.dataDir);
  const connection: Connection = server ? server.connection : { connectionString: config.databaseUrl };
  const database = await openDatabase(connection, config.databasePool, log);
  if (server) await ownOrLeave(config, database);
  const secrets = openSecrets(config.secretKey ?? (await ownSecretKey(config.dataDir)));
  try {
    await database.migrate();
    if (!(await database.agree("secret key", secrets.mark)))
      throw new ConfigError("SECRET_KEY is not the one this database was made with: no API key would be found with it");
  } catch (error) {
    await closeDatabase(database, server);
    throw error;
  }

  const outbound = world.outbound ?? openOutbound({ allowPrivate: config.allowPrivateNetworks });
  const mailer = config.smtpUrl
    ? openSmtpMailer(config.smtpUrl, config.mailFrom)
    : openFileMailer(join(config.dataDir, "mail"), config.mailFrom, log);
  return {
    config,
    baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}`,
    clock,
    log,
    metrics: openMetrics(),
    database,
    db: database.db,
    secrets,
    mailer,
    outbound,
    blobs: openDiskBlobs(join(config.dataDir, "blobs")),
    childModule: world.childModule,
    payments: openPayments(config),
    close: () => closeAll(database, outbound, mailer, server),
  };
}

function openPayments(config: Config): Payments | null {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripePrices: prices } = config;
  if (!secretKey || !webhookSecret || !prices) return null;
  return openStripe({
    secretKey,
    webhookSecret,
    prices,
    meterEvent: config.stripeMeterEvent,
    apiBase: config.stripeApiBase,
  });
}

/** Two services on one data folder would stop each other's database. */
async function ownOrLeave(config: Config, database: Database): Promise<void> {
  if (await database.claim("embedded-service")) return;
  await database.close();
  throw new ConfigError(
    `another service runs on ${config.dataDir}; stop it, choose another DATA_DIR, or share a server by DATABASE_URL`,
  );
}

async function closeAll(database: Database, outbound: Outbound, mailer: Mailer, server: EmbeddedServer | null) {
  await Promise.all([outbound.close(), mailer.close()]);
  await closeDatabase(database, server);
}

/** The claim is let go last: a start that came in between would adopt a server that is about to stop. */
async function closeDatabase(database: Database, server: EmbeddedServer | null) {
  await database.close();
  await server?.stop();
  await database.release();
}
