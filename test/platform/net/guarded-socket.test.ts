// What the guard hands to the system, with the system's connect replaced: no test may send a packet to a public address.

import { EventEmitter } from "node:events";
import { type LookupFunction, Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openGuardedSocket, type ResolvedAddress } from "../../../src/platform/net/guarded-socket.ts";

interface Attempt {
  host: string;
  port: number;
  lookup: LookupFunction;
}

const fake = vi.hoisted(() => ({ attempts: [] as unknown[], answer: (_socket: unknown) => {} }));
vi.mock("node:net", async (importOriginal) => ({
  ...(await importOriginal<typeof import("node:net")>()),
  connect: (options: unknown) => {
    fake.attempts.push(options);
    const socket = Object.assign(new EventEmitter(), { destroy: vi.fn(), remoteAddress: undefined });
    queueMicrotask(() => fake.answer(socket));
    return socket;
  },
}));

const secureContext = createSecureContext();
const url = new URL("http://receiver.example:8080/hook");
const rules = (...answers: ResolvedAddress[][]) => {
  const resolve = vi.fn(async () => answers.shift() ?? []);
  return { allowPrivate: false, secureContext, resolve };
};
const open = (given: Parameters<typeof openGuardedSocket>[1], signal = new AbortController().signal) =>
  openGuardedSocket(url, given, signal);

function lookedUp(attempt: Attempt): { all: ResolvedAddress[]; one: string } {
  let all: ResolvedAddress[] = [];
  let one = "";
  attempt.lookup(attempt.host, { all: true }, (_error, addresses) => {
    all = addresses as ResolvedAddress[];
  });
  attempt.lookup(attempt.host, { all: false }, (_error, address) => {
    one = address as string;
  });
  return { all, one };
}

beforeEach(() => {
  fake.attempts.length = 0;
  fake.answer = (socket) => void (socket as EventEmitter).emit("error", new Error("refused"));
});

describe("openGuardedSocket", () => {
  it("pins the connection to the checked answer when the name is rebound to loopback right after", async () => {
    const publicAnswer = [
      { address: "2606:4700:4700::1111", family: 6 },
      { address: "93.184.215.14", family: 4 },
    ];
    const given = rules(publicAnswer, [{ address: "127.0.0.1", family: 4 }]);
    await expect(open(given)).rejects.toMatchObject({ reason: "connect_failure" });

    expect(given.resolve).toHaveBeenCalledTimes(1);
    expect(fake.attempts).toHaveLength(1);
    const attempt = fake.attempts[0] as Attempt;
    expect(attempt).toMatchObject({ host: "receiver.example", port: 8080 });
    expect(lookedUp(attempt)).toEqual({ all: publicAnswer, one: "2606:4700:4700::1111" });
    expect(given.resolve).toHaveBeenCalledTimes(1);
  });

  it("refuses a private peer even when the checked address was public", async () => {
    fake.answer = (socket) => {
      Object.assign(socket as object, { remoteAddress: "::ffff:127.0.0.1" });
      (socket as EventEmitter).emit("connect");
    };
    await expect(open(rules([{ address: "93.184.215.14", family: 4 }]))).rejects.toMatchObject({
      reason: "refused_address",
    });
  });

  it("hands over the socket of a public peer", async () => {
    fake.answer = (socket) => {
      Object.assign(socket as object, { remoteAddress: "93.184.215.14" });
      (socket as EventEmitter).emit("connect");
    };
    const socket = await open(rules([{ address: "93.184.215.14", family: 4 }]));
    expect(socket).not.toBeInstanceOf(Socket);
    expect(socket.remoteAddress).toBe("93.184.215.14");
  });

  it.each([
    ["private first", ["10.0.0.7", "93.184.215.14"]],
    ["private last", ["93.184.215.14", "10.0.0.7"]],
    ["beyond the ones that would be tried", [...Array(12).fill("93.184.215.14"), "127.0.0.1"]],
    ["mapped", ["93.184.215.14", "::ffff:10.0.0.7"]],
    ["not an address at all", ["93.184.215.14", "127.1"]],
  ])("refuses a mixed answer: %s", async (_what, addresses) => {
    const answer = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    await expect(open(rules(answer))).rejects.toMatchObject({ reason: "refused_address" });
    expect(fake.attempts).toHaveLength(0);
  });

  it("tries a bounded number of addresses", async () => {
    const answer = Array.from({ length: 50 }, (_, i) => ({ address: `93.184.215.${i}`, family: 4 }));
    await expect(open(rules(answer))).rejects.toMatchObject({ reason: "connect_failure" });
    expect(lookedUp(fake.attempts[0] as Attempt).all).toEqual(answer.slice(0, 6));
  });

  it("connects nowhere when it was aborted during the lookup", async () => {
    const controller = new AbortController();
    const given = {
      allowPrivate: false,
      secureContext,
      resolve: async () => {
        controller.abort(new Error("too late"));
        return [{ address: "93.184.215.14", family: 4 }];
      },
    };
    await expect(open(given, controller.signal)).rejects.toThrow("too late");
    expect(fake.attempts).toHaveLength(0);
  });

  it("calls an empty answer a DNS failure", async () => {
    await expect(open(rules([]))).rejects.toMatchObject({ reason: "dns_failure" });
    expect(fake.attempts).toHaveLength(0);
  });
});
