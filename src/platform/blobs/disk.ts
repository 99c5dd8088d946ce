// Blobs in a folder of this machine: DIR/xy/KEY, where xy are the last two characters of the key (the first ones of a
// UUIDv7 are the time and would put a day's blobs into one folder). A blob appears whole, by rename, or not at all.

import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Fault } from "../../errors.ts";
import { type Blobs, checkKey, type LocalBlob, type StoredBlob, tooLarge } from "./blobs.ts";

const UNFINISHED = "unfinished";
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

export function openDiskBlobs(folder: string): Blobs {
  return new DiskBlobs(folder);
}

class DiskBlobs implements Blobs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(key: string, source: AsyncIterable<Uint8Array>, { maxBytes }: { maxBytes: number }): Promise<StoredBlob> {
    const path = this.#pathOf(key);
    const parent = join(path, "..");
    const unfinished = join(this.#folder, UNFINISHED);
    // Each time and not once: a purge or a person may have removed a folder while the service runs.
    for (const each of [unfinished, parent]) await mkdir(each, { recursive: true, mode: PRIVATE_FOLDER });
    const temporary = join(unfinished, `${key}.${randomUUID()}`);
    try {
      const handle = await open(temporary, "wx", PRIVATE_FILE);
      const stored = await copyInto(handle, source, maxBytes).finally(() => handle.close());
      await rename(temporary, path);
      await syncFolder(parent);
      return stored;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async read(key: string): Promise<Readable> {
    const handle = await open(this.#pathOf(key), "r").catch(throwGone);
    return handle.createReadStream();
  }

  async localPath(key: string): Promise<LocalBlob> {
    const path = this.#pathOf(key);
    await access(path, constants.R_OK).catch(throwGone);
    return { path, release: async () => {} };
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async *list(before: Date): AsyncIterable<string> {
    for await (const name of listNames(this.#folder)) {
      if (name === UNFINISHED) continue;
      const folder = join(this.#folder, name);
      for await (const key of listNames(folder)) {
        if (await isOlder(join(folder, key), before)) yield key;
      }
    }
  }

  async discardUnfinished(before: Date): Promise<number> {
    const folder = join(this.#folder, UNFINISHED);
    let count = 0;
    for await (const name of listNames(folder)) {
      const path = join(folder, name);
      // The time of the last write: an upload that still runs is young, however long ago it began.
      if (!(await isOlder(path, before))) continue;
      await rm(path, { force: true });
      count += 1;
    }
    return count;
  }

  async close(): Promise<void> {}

  #pathOf(key: string): string {
    return join(this.#folder, checkKey(key).slice(-2), key);
  }
}

async function copyInto(handle: FileHandle, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredBlob> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    await handle.writeFile(chunk);
  }
  await handle.datasync();
  return { size, sha256: hash.digest("hex") };
}

/** Makes the rename itself survive a power cut; the row that names the blob is committed after it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

async function* listNames(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(ignoreMissing);
  if (entries) for await (const entry of entries) yield entry.name;
}

async function isOlder(path: string, before: Date): Promise<boolean> {
  const facts = await stat(path).catch(ignoreMissing);
  return facts !== undefined && facts.mtime < before;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function throwGone(error: NodeJS.ErrnoException): never {
  throw error.code === "ENOENT" ? new Fault("gone", { cause: error }) : error;
}
