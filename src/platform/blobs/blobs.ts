// Where the bytes of inputs and results lie. The interface only; drivers beside it, chosen by app.ts.
// test/platform/blobs-contract.ts holds every driver to it.

import type { Readable } from "node:stream";
import { Fault } from "../../errors.ts";

export interface Blobs {
  /** Streams the source to storage, never whole in memory. Whatever goes wrong, nothing is left under the key. */
  write(key: string, source: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<StoredBlob>;
  /** Fault `gone` where there is nothing under the key, before the first byte. */
  read(key: string): Promise<Readable>;
  /** The blob as a file on this machine, for as long as it is not released. */
  localPath(key: string): Promise<LocalBlob>;
  /** Of a blob that is not there too. */
  remove(key: string): Promise<void>;
  /** Keys of blobs written before the cutoff, in no order: a sweep removes those that no row knows. */
  list(before: Date): AsyncIterable<string>;
  /** Removes what writes that began before the cutoff and never ended have left behind; answers how many. */
  discardUnfinished(before: Date): Promise<number>;
  close(): Promise<void>;
}

export interface StoredBlob {
  size: number;
  /** Lower-case hex. */
  sha256: string;
}

export interface LocalBlob {
  path: string;
  release(): Promise<void>;
}

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Keys become paths and addresses: only lower-case UUIDs pass, which hold no separator and no case to fold. */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError("a blob's key must be a lower-case UUID");
  return key;
}

export function tooLarge(maxBytes: number): Fault {
  return new Fault("file_too_large", { detail: `The document is larger than ${maxBytes} bytes.` });
}
