// The guard over the wire: a real server listens on every loopback address, and not one connection may arrive.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type OutboundRequest, openOutbound } from "../../../src/platform/net/outbound.ts";
import { type HttpsServer, startHttpsServer } from "../../https-server.ts";

let server: HttpsServer;
let before = 0;

beforeAll(async () => {
  server = await startHttpsServer((_request, response) => void response.end("leaked"), { listen: "::" });
});
afterAll(() => server.close());
beforeEach(() => {
  before = server.connections;
});

const arrived = () => server.connections - before;
const get = (url: string): OutboundRequest => ({
  url,
  method: "GET",
  timeoutMs: 10_000,
  maxBytes: 1000,
  onOverflow: "fail",
});
const answering = (...addresses: string[]) =>
  vi.fn(async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));

const spellings = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.127.127.127",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7f.1",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "0177.0.0x0.1",
  "00000177.0.0.1",
  "%31%32%37.0.0.1",
  "１２７.０.０.１",
  "127。0。0。1",
  "①②⑦.0.0.1",
  "0",
  "0.0.0.0",
  "0x0",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:0:0]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "localhost",
  "LocalHost",
  "localhost.",
  "app.localhost",
  "localhost.localdomain",
];

describe("the guard", () => {
  it.each(["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:7f00:1]", "localhost"])(
    "is what keeps %s from the server: it arrives where private is allowed",
    async (host) => {
      const outbound = openOutbound({ allowPrivate: true, ca: server.ca });
      // The certificate names 127.0.0.1, not its mapped form: the connection arrives all the same.
      await outbound.request(get(`https://${host}:${server.port}/`)).catch(() => {});
      expect(arrived()).toBe(1);
    },
  );

  it.each(spellings.flatMap((host) => [`https://${host}`, `http://${host}`]))("refuses %s", async (origin) => {
    const outbound = openOutbound({ ca: server.ca, resolve: answering("127.0.0.1") });
    await expect(outbound.request(get(`${origin}:${server.port}/`))).rejects.toMatchObject({
      name: "OutboundError",
      reason: "refused_address",
    });
    await expect(outbound.download(get(`${origin}:${server.port}/`))).rejects.toMatchObject({
      reason: "refused_address",
    });
    expect(arrived()).toBe(0);
  });

  it.each([
    "https://example.com@127.0.0.1",
    "https://example.com:443@127.0.0.1",
    "https://example.com%2f@127.0.0.1",
    "https://user:secret@localhost",
    "https://@127.0.0.1",
    "https://127.0.0.1\\@example.com",
    "https:\\\\127.0.0.1",
    "https://127.0.0.1\t",
    "https://[::1%25lo]",
  ])("refuses the trick %j as a bad URL", async (origin) => {
    const outbound = openOutbound({ ca: server.ca, resolve: answering("127.0.0.1") });
    await expect(outbound.request(get(`${origin}:${server.port}/`))).rejects.toMatchObject({ reason: "bad_url" });
    expect(arrived()).toBe(0);
  });

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback in IPv6", ["::1"]],
    ["mapped loopback", ["::ffff:127.0.0.1"]],
    ["compatible loopback", ["::127.0.0.1"]],
    ["unspecified", ["0.0.0.0"]],
    ["unspecified in IPv6", ["::"]],
    ["a public and a private address", ["93.184.215.14", "127.0.0.1"]],
    ["a private and a public address", ["127.0.0.1", "93.184.215.14"]],
    ["a public IPv6 and a private IPv4 address", ["2606:4700:4700::1111", "127.0.0.1"]],
    ["a zone id", ["::1%lo"]],
  ])("refuses a public name that resolves to %s", async (_what, addresses) => {
    const resolve = answering(...addresses);
    const outbound = openOutbound({ ca: server.ca, resolve });
    await expect(outbound.request(get(`https://rebound.example:${server.port}/`))).rejects.toMatchObject({
      reason: "refused_address",
      message: "The host is not a public address.",
    });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(arrived()).toBe(0);
  });

  it("takes no proxy from the environment", async () => {
    const proxy = `http://127.0.0.1:${server.port}`;
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"]) vi.stubEnv(name, proxy);
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const outbound = openOutbound({ resolve: answering("127.0.0.1") });
    await expect(outbound.request(get("https://receiver.example/"))).rejects.toMatchObject({
      reason: "refused_address",
    });
    vi.unstubAllEnvs();
    expect(arrived()).toBe(0);
  });
});
