// Who gets a place: claims against a real database, without sending anything.
import { randomUUIDv7 } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { claimDue } from "../../src/webhooks/claim.ts";
import type { Delivery } from "../../src/webhooks/deliveries.ts";
import { IN_FLIGHT, openRoom, type Room } from "../../src/webhooks/room.ts";
import { startTestService, type TestService } from "../service.ts";

const MB = 2 ** 20;
let service: TestService;
let room: Room;
const accounts: string[] = [];
beforeAll(async () => {
  // Only answers HTTP: nothing but the tests claims.
  service = await startTestService({ env: { ROLE: "web" } });
  for (let n = 0; n < 5; n++) accounts.push((await service.signUp()).id);
});
afterAll(() => service.stop());
beforeEach(async () => {
  room = openRoom();
  await service.database.query("DELETE FROM deliveries");
});

interface Due {
  host: string;
  count: number;
  account?: number;
  bytes?: number;
  /** Earlier ones go first. */
  order?: number;
}

async function due(...all: Due[]): Promise<void> {
  for (const { host, count, account = 0, bytes = 1000, order = 0 } of all) {
    const at = new Date(service.clock.now().getTime() - 60_000 + order * 1000);
    await service.database.query(
      `INSERT INTO deliveries (id, account_id, event, url, host, bytes, status, created_at, run_at)
       SELECT unnest($1::uuid[]), $2, 'extraction.completed', 'https://' || $3, $3, $4, 'pending', $5, $5`,
      [Array.from({ length: count }, () => randomUUIDv7()), accounts[account], host, bytes, at],
    );
  }
}

async function claim(places = IN_FLIGHT): Promise<Delivery[]> {
  const claimed = await claimDue(service.service.app, places, room.free());
  for (const delivery of claimed) room.enter(delivery);
  return claimed;
}
const byHost = (claimed: Delivery[]) => {
  const counts: Record<string, number> = {};
  for (const { host } of claimed) counts[host] = (counts[host] ?? 0) + 1;
  return counts;
};

describe("a receiver", () => {
  it("gets 20 places; its backlog, however long and old, hides nobody", async () => {
    await due({ host: "dead", count: 1200 }, { host: "alive", count: 3, order: 1 });
    expect(byHost(await claim())).toEqual({ dead: 20 });
    expect(byHost(await claim())).toEqual({ alive: 3 });
    expect(await claim()).toEqual([]);
  });

  it("gets a place back when an attempt ends", async () => {
    await due({ host: "a", count: 30 });
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    room.leave(first!);
    expect(byHost(await claim())).toEqual({ a: 1 });
  });

  it("that did not answer in time gets two places until it answers", async () => {
    await due({ host: "silent", count: 50 }, { host: "alive", count: 50, account: 1 });
    room.heard("silent", false);
    expect(byHost(await claim())).toEqual({ silent: 2, alive: 20 });
    room.heard("silent", true);
    expect(byHost(await claim())).toEqual({ silent: 18 });
  });
});

describe("an account", () => {
  it("gets 100 places over all its receivers", async () => {
    const dead = Array.from({ length: 30 }, (_, n) => ({ host: `dead-${n}`, count: 10 }));
    await due(...dead, { host: "other", count: 5, account: 1, order: 1 });
    expect(await claim()).toHaveLength(100 + 5);
    expect(await claim()).toEqual([]);
  });

  it("gets a quarter of the memory", async () => {
    await due({ host: "large", count: 10, bytes: 20 * MB }, { host: "small", count: 5, account: 1, order: 1 });
    expect(byHost(await claim())).toEqual({ large: 4, small: 5 });
    expect(await claim()).toEqual([]);
  });

  it("with a body larger than all of it sends it alone", async () => {
    await due({ host: "a", count: 3, bytes: 250 * MB });
    for (let turn = 0; turn < 3; turn++) {
      const claimed = await claim();
      expect(claimed).toHaveLength(1);
      expect(await claim()).toEqual([]);
      room.leave(claimed[0]!);
    }
  });
});

describe("a process", () => {
  it("holds at most 256 MB of bodies, and one more", async () => {
    await due(...[0, 1, 2, 3, 4].map((account) => ({ host: `h${account}`, count: 5, bytes: 60 * MB, account })));
    const held: Delivery[] = [];
    for (let more = await claim(); more.length > 0; more = await claim()) held.push(...more);
    expect(held.reduce((sum, { bytes }) => sum + bytes, 0) / MB).toBe(300);
  });

  it("claims what is due, oldest first, as many as it is asked for", async () => {
    await due(
      { host: "later", count: 2, order: 2 },
      { host: "sooner", count: 2, order: 1 },
      { host: "future", count: 2, order: 61 },
    );
    expect(byHost(await claim(3))).toEqual({ sooner: 2, later: 1 });
    expect(byHost(await claim())).toEqual({ later: 1 });
    expect(await claim()).toEqual([]);
  });

  it("never claims what another one has", async () => {
    await due(...Array.from({ length: 10 }, (_, n) => ({ host: `h${n}`, count: 10 })));
    const claims = await Promise.all([0, 1, 2, 3].map(() => claimDue(service.service.app, 40, openRoom().free())));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
