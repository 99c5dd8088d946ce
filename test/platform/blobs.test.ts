import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDiskBlobs } from "../../src/platform/blobs/disk.ts";
import { describeBlobs } from "./blobs-contract.ts";

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "blobs-"));
});

afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});

const emptyFolder = () => join(root, randomUUID());

describeBlobs("disk", async () => openDiskBlobs(emptyFolder()));

test("files and folders on disk are readable by the owner only", async () => {
  const folder = emptyFolder();
  const blobs = openDiskBlobs(folder);
  const key = randomUUID();
  await blobs.write(key, once("secret"), { maxBytes: 100 });
  const { path } = await blobs.localPath(key);
  const modes = await Promise.all(
    [path, join(path, ".."), folder].map(async (each) => (await stat(each)).mode & 0o777),
  );
  expect(modes).toEqual([0o600, 0o700, 0o700]);
});

test("while a blob is being written it is not under its key yet", async () => {
  const blobs = openDiskBlobs(emptyFolder());
  const key = randomUUID();
  const seen: string[] = [];
  const source = (async function* () {
    yield Buffer.from("half, ");
    seen.push(...(await Array.fromAsync(blobs.list(new Date("9999-01-01")))));
    await expect(blobs.read(key)).rejects.toMatchObject({ code: "gone" });
    yield Buffer.from("whole");
  })();
  expect(await blobs.write(key, source, { maxBytes: 100 })).toMatchObject({ size: 11 });
  expect(seen).toEqual([]);
});

test("what a killed writer left behind is swept once it is old, a running write is not", async () => {
  const folder = emptyFolder();
  const blobs = openDiskBlobs(folder);
  const unfinished = join(folder, "unfinished");
  const cutoff = new Date("2020-06-01");
  const key = randomUUID();
  let swept = 0;
  const source = (async function* () {
    yield Buffer.from("a");
    const other = blobs.write(randomUUID(), hangAfter("left behind"), { maxBytes: 100 });
    other.catch(() => {});
    const isOther = (name: string) => !name.startsWith(key);
    await expect.poll(async () => (await readdir(unfinished)).filter(isOther).length).toBe(1);
    const left = (await readdir(unfinished)).find(isOther)!;
    await utimes(join(unfinished, left), new Date("2020-01-01"), new Date("2020-01-01"));
    swept = await blobs.discardUnfinished(cutoff);
    yield Buffer.from("b");
  })();
  expect(await blobs.write(key, source, { maxBytes: 100 })).toMatchObject({ size: 2 });
  expect(swept).toBe(1);
  expect(await readdir(unfinished)).toEqual([]);
});

test("list goes by the time of writing", async () => {
  const blobs = openDiskBlobs(emptyFolder());
  const [old, young] = [randomUUID(), randomUUID()];
  for (const key of [old, young]) await blobs.write(key, once("x"), { maxBytes: 100 });
  await utimes((await blobs.localPath(old)).path, new Date("2020-01-01"), new Date("2020-01-01"));
  expect(await Array.fromAsync(blobs.list(new Date("2020-06-01")))).toEqual([old]);
});

async function* once(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

async function* hangAfter(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
  await new Promise(() => {});
}
