// Databases for tests: each a copy of one migrated template, on the run's own PostgreSQL.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { openDatabase } from "../src/platform/db/database.ts";
import { startEmbedded } from "../src/platform/db/embedded.ts";
import { openLog } from "../src/platform/telemetry/log.ts";

const TEMPLATE = "migrated";
/** Any number that all test files share: the first to hold it makes the template. */
const TEMPLATE_LOCK = 7_001;

export interface TestDatabase {
  /** For DATABASE_URL. */
  url: string;
  /** One statement, for looking behind the service's back. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

let server: Promise<(database: string) => string> | undefined;

/** The address of any database on the run's server, which is started where it is not running. */
async function startServer(): Promise<(database: string) => string> {
  const { connection } = await startEmbedded(inject("postgresFolder"));
  const { user, password, host } = connection;
  const urlOf = (database: string) =>
    `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`;
  const admin = new pg.Client({ connectionString: urlOf("postgres") });
  await admin.connect();
  await admin.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
  const { rowCount } = await admin.query("SELECT FROM pg_database WHERE datname = $1", [TEMPLATE]);
  if (!rowCount) {
    // What a crash of the machine would lose here is nobody's.
    await admin.query("ALTER SYSTEM SET fsync = off");
    await admin.query("SELECT pg_reload_conf()");
    await admin.query("CREATE DATABASE unfinished");
    const database = await openDatabase({ connectionString: urlOf("unfinished") }, 2, openLog("silent"));
    await database.migrate();
    await database.close();
    await admin.query(`ALTER DATABASE unfinished RENAME TO ${TEMPLATE}`);
  }
  await admin.end();
  return urlOf;
}

export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  server ??= startServer();
  const urlOf = await server;
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(urlOf, `CREATE DATABASE ${name} TEMPLATE ${migrated ? TEMPLATE : "template1"}`);
  const pool = new pg.Pool({ connectionString: urlOf(name), max: 1 });
  pool.on("error", () => {});
  return {
    url: urlOf(name),
    query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    async drop() {
      await pool.end();
      await administer(urlOf, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function administer(urlOf: (database: string) => string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf("postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
