// What is in flight in this process, and how much more may be: in all, to one receiver, of one account. A receiver that does
// not answer holds its places for the whole time limit, so nobody may hold many of them.
import type { Delivery } from "./deliveries.ts";

/** A place costs a connection, some 100 KB; at a latency of 100 ms this many send 4,000 a second. */
export const IN_FLIGHT = 400;
const PER_HOST = 20;
/** For a receiver whose last answer did not come in time: enough to notice that it is back. */
const PER_SILENT_HOST = 2;
/** One account may name many hosts, all of them dead. */
const PER_ACCOUNT = 100;
/** Bodies in memory. One that is larger goes alone: a result may have 256 MB. */
const BYTES_IN_FLIGHT = 256 * 2 ** 20;
const BYTES_PER_ACCOUNT = BYTES_IN_FLIGHT / 4;
/** Forgetting one costs a few places for one time limit. */
const MAX_SILENT_HOSTS = 1_000;

/** What is left; receivers and accounts that are not named have all of theirs. */
export interface Free {
  bytes: number;
  hosts: { name: string; places: number }[];
  accounts: { name: string; places: number; bytes: number }[];
  placesPerHost: number;
  placesPerAccount: number;
  bytesPerAccount: number;
}

export interface Room {
  enter(delivery: Delivery): void;
  leave(delivery: Delivery): void;
  /** Whether the receiver answered within the time limit. */
  heard(host: string, inTime: boolean): void;
  free(): Free;
}

interface Load {
  count: number;
  bytes: number;
}

export function openRoom(): Room {
  const hosts = new Map<string, Load>();
  const accounts = new Map<string, Load>();
  const silent = new Set<string>();
  let bytes = 0;

  return {
    enter(delivery) {
      bytes += delivery.bytes;
      add(hosts, delivery.host, 1, delivery.bytes);
      add(accounts, delivery.account_id, 1, delivery.bytes);
    },
    leave(delivery) {
      bytes -= delivery.bytes;
      add(hosts, delivery.host, -1, -delivery.bytes);
      add(accounts, delivery.account_id, -1, -delivery.bytes);
    },
    heard(host, inTime) {
      silent.delete(host);
      if (inTime) return;
      silent.add(host);
      if (silent.size > MAX_SILENT_HOSTS) silent.delete(silent.values().next().value!);
    },
    free: () => ({
      bytes: BYTES_IN_FLIGHT - bytes,
      hosts: [...new Set([...hosts.keys(), ...silent])].map((name) => ({
        name,
        places: (silent.has(name) ? PER_SILENT_HOST : PER_HOST) - (hosts.get(name)?.count ?? 0),
      })),
      accounts: [...accounts].map(([name, load]) => ({
        name,
        places: PER_ACCOUNT - load.count,
        bytes: BYTES_PER_ACCOUNT - load.bytes,
      })),
      placesPerHost: PER_HOST,
      placesPerAccount: PER_ACCOUNT,
      bytesPerAccount: BYTES_PER_ACCOUNT,
    }),
  };
}

function add(loads: Map<string, Load>, name: string, count: number, bytes: number): void {
  const load = loads.get(name) ?? { count: 0, bytes: 0 };
  load.count += count;
  load.bytes += bytes;
  if (load.count > 0) loads.set(name, load);
  else loads.delete(name);
}
