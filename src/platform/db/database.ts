// The database of a process: a pool, its migrations, and one connection that listens for what other processes announce.
import { readdir } from "node:fs/promises";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import { type MigrationProvider, Migrator } from "kysely/migration";
import pg from "pg";
import { ConfigError } from "../../config.ts";
import type { Log } from "../telemetry/log.ts";
import type { Tables } from "./schema.ts";

export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

/** Oldest server whose features we use. */
const MIN_SERVER_VERSION = 150_000;
const RELISTEN_MS = 1_000;

// Counts fit a double; dates stay dates.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface Database {
  db: Db;
  /** Calls back with each payload announced on the channel; also once after every reconnection, with null: something may have been missed. */
  listen(channel: string, heard: (payload: string | null) => void): void;
  migrate(): Promise<void>;
  isMigrated(): Promise<boolean>;
  /** True when this process is the only holder of the name; freed when the process ends, however it ends. */
  claim(name: string): Promise<boolean>;
  /** Whether this is what the first process ever said under that name. */
  agree(name: string, value: string): Promise<boolean>;
  /** Everything but the claims. */
  close(): Promise<void>;
  release(): Promise<void>;
}

export type Connection = pg.ConnectionConfig;

export async function openDatabase(connection: Connection, poolSize: number, log: Log): Promise<Database> {
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
  });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection broke"));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const version = await askVersion(db).catch(async (error) => {
    await db.destroy();
    throw new ConfigError(`the database does not let us in: ${messageOf(error)}`, { cause: error });
  });
  if (version < MIN_SERVER_VERSION) {
    await db.destroy();
    throw new ConfigError("DATABASE_URL must name a PostgreSQL server of version 15 or newer");
  }

  const migrator = new Migrator({ db, provider: migrations });
  const listener = new Listener(connection, log);
  const claims: pg.Client[] = [];
  let closing = false;
  return {
    db,
    listen: (channel, heard) => listener.add(channel, heard),
    async migrate() {
      const { error } = await migrator.migrateToLatest();
      if (error) throw new ConfigError(`the database could not be migrated: ${messageOf(error)}`, { cause: error });
    },
    async isMigrated() {
      const all = await migrator.getMigrations();
      return all.every((migration) => migration.executedAt);
    },
    async claim(name) {
      const client = new pg.Client(connection);
      client.on("error", (error) => {
        if (!closing) log.error({ err: error }, `the claim on ${name} was lost`);
      });
      await client.connect();
      const { rows } = await client.query("SELECT pg_try_advisory_lock(hashtext($1)) AS got", [name]);
      if (rows[0].got) claims.push(client);
      else await client.end();
      return rows[0].got;
    },
    async agree(name, value) {
      await sql`INSERT INTO installation VALUES (${name}, ${value}) ON CONFLICT DO NOTHING`.execute(db);
      const { rows } = await sql<{ value: string }>`SELECT value FROM installation WHERE name = ${name}`.execute(db);
      return rows[0]?.value === value;
    },
    async close() {
      closing = true;
      await listener.close();
      await db.destroy();
    },
    async release() {
      await Promise.all(claims.map((client) => client.end().catch(() => {})));
    },
  };
}

async function askVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`SELECT current_setting('server_version_num')::int AS version`.execute(
    db,
  );
  return rows[0]!.version;
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function messageOf(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: Error[] };
  return message || errors?.map((each) => each.message).join(", ") || String(error);
}

const migrationsFolder = new URL("../../../migrations/", import.meta.url);

const migrations: MigrationProvider = {
  async getMigrations() {
    const files = (await readdir(migrationsFolder)).filter((file) => file.endsWith(".ts")).sort();
    return Object.fromEntries(
      await Promise.all(
        files.map(async (file) => [file.slice(0, -3), await import(new URL(file, migrationsFolder).href)]),
      ),
    );
  },
};

/** LISTEN needs a connection of its own that outlives every query and comes back by itself. */
class Listener {
  readonly #channels = new Map<string, (payload: string | null) => void>();
  readonly #connection: Connection;
  readonly #log: Log;
  #client: Promise<pg.Client> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(connection: Connection, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  add(channel: string, heard: (payload: string | null) => void): void {
    this.#channels.set(channel, heard);
    // One after the other: a connection runs one query at a time. One that broke listens to all channels when it is back.
    this.#client = this.#client ? this.#client.then((client) => listenOn(client, channel)) : this.#connect();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#connection, keepAlive: true });
    client.on("notification", ({ channel, payload }) => this.#channels.get(channel)?.(payload ?? ""));
    client.on("error", (error) => this.#reconnect(error));
    client.on("end", () => this.#reconnect(null));
    try {
      await client.connect();
      for (const channel of this.#channels.keys()) await client.query(`LISTEN ${channel}`);
      for (const heard of this.#channels.values()) heard(null);
    } catch (error) {
      this.#reconnect(error);
    }
    return client;
  }

  #reconnect(error: unknown): void {
    if (this.#closed || this.#retry) return;
    this.#log.warn({ err: error }, "the listening database connection broke");
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#client = this.#connect();
    }, RELISTEN_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.then((client) => client.end()).catch(() => {});
  }
}

async function listenOn(client: pg.Client, channel: string): Promise<pg.Client> {
  await client.query(`LISTEN ${channel}`).catch(() => {});
  return client;
}

export async function announce(db: Db | Trx, channel: string, payload = ""): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${payload})`.execute(db);
}
