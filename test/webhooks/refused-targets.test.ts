// Private targets over the whole service, with ALLOW_PRIVATE_NETWORKS unset: a real server listens on every loopback address
// and not one connection may arrive. Ranges other than loopback are tests of the address check, so that no packet leaves.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openOutbound } from "../../src/platform/net/outbound.ts";
import type { TestAccount } from "../caller.ts";
import { type HttpsServer, startHttpsServer } from "../https-server.ts";
import { startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const spellings = [
  "127.0.0.1",
  "127.0.0.1.",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "0177.0.0x0.1",
  "%31%32%37.0.0.1",
  "１２７.０.０.１",
  "127。0。0。1",
  "0",
  "0.0.0.0",
  "0x0",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "localhost",
  "LocalHost",
  "localhost.",
  "any.localhost",
  "localhost.localdomain",
];

/** What the injected resolver says, in turn; the last answer stays. */
const names: Record<string, string[][]> = {
  "loopback.example": [["127.0.0.1"]],
  "loopback6.example": [["::1"]],
  "mapped.example": [["::ffff:127.0.0.1"]],
  "mixed.example": [["203.0.113.7", "127.0.0.1"]],
  "mixed6.example": [["2001:db8::1", "::1"]],
  // Documentation ranges are closed too, so that even the first, seemingly public answer of a rebinding leads nowhere.
  "rebinding.example": [["203.0.113.7"], ["127.0.0.1"]],
  "unspecified.example": [["0.0.0.0"]],
  "trailing.example.": [["127.0.0.1"]],
};
const asked = new Map<string, number>();
const resolve = async (name: string) => {
  const answers = names[name] ?? names[`${name}.`]!;
  const turn = asked.get(name) ?? 0;
  asked.set(name, turn + 1);
  const addresses = answers[Math.min(turn, answers.length - 1)]!;
  return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};

let server: HttpsServer;
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  server = await startHttpsServer((_request, response) => void response.end("leaked"), { listen: "::" });
  service = await startTestService({
    env: { RATE_LIMIT_PER_MINUTE: "100000", JOBS_AT_ONCE: "1", WEBHOOK_MAX_ATTEMPTS: "1" },
    world: { outbound: openOutbound({ ca: server.ca, resolve }) },
  });
  account = await service.verified();
});
afterAll(async () => {
  await service.stop();
  await server.close();
});
afterEach(() => {
  expect(server.connections).toBe(0);
});

const call = (path: string, json?: unknown) =>
  service.call(json === undefined ? "GET" : "POST", path, { key: account.apiKey, json });
const submit = (webhook_url: string) => call("/api/v1/extract", { text: "x", options: { async: true }, webhook_url });
const ended = (id: string, attempts: number) =>
  until("the delivery has ended", async () => {
    const [shown] = (await call(`/api/v1/extractions/${id}/deliveries`)).json.data;
    return shown?.status === "failed" && shown.attempts.length === attempts && shown;
  });

describe("a webhook_url that can never work is 422 at submission", () => {
  it.each(spellings)("https://%s", async (host) => {
    for (const url of [`https://${host}:${server.port}/hook`, `https://${host}/`]) {
      const { status, json } = await submit(url);
      expect([status, json.code, json.errors[0].pointer]).toEqual([422, "invalid_webhook_url", "/webhook_url"]);
      const tested = await call("/api/v1/account/test-event", { webhook_url: url });
      expect([tested.status, tested.json.code]).toEqual([422, "invalid_webhook_url"]);
    }
  });

  it.each([
    "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[fe80::1]", "[64:ff9b::a9fe:a9fe]",
    "[2002:a00:1::]", "224.0.0.1", "[ff02::1]", "metadata.google.internal", "printer.local", "intranet",
  ])("https://%s", async (host) => {
    expect((await submit(`https://${host}/hook`)).json.code).toBe("invalid_webhook_url");
  }); // biome-ignore format: a list of hosts
});

describe("a refused target is a failed delivery with a clear reason", () => {
  it.each(Object.keys(names))("whatever %s resolves to", async (name) => {
    const { status, json } = await submit(`https://${name}:${server.port}/hook`);
    expect(status).toBe(202);
    const shown = await ended(json.id, 1);
    expect(shown.attempts).toMatchObject([{ status: null, answer: null, error: "The host is not a public address." }]);
    // A name that is rebound between two looks: sent again by hand, it is checked from scratch.
    await call(`/api/v1/extractions/${json.id}/redeliver`, {});
    expect((await ended(json.id, 2)).attempts[1].error).toBe("The host is not a public address.");
  });

  it("also when the address was let in before the rule was", async () => {
    const { json } = await submit(`https://loopback.example:${server.port}/`);
    await ended(json.id, 1);
    for (const [index, host] of spellings.entries()) {
      const url = `https://${host}:${server.port}/hook`;
      await service.database.query("UPDATE deliveries SET url = $1 WHERE extraction_id = $2", [url, json.id]);
      await call(`/api/v1/extractions/${json.id}/redeliver`, {});
      const { attempts } = await ended(json.id, index + 2);
      expect(`${host}: ${attempts.at(-1).error}`).toMatch(
        /: The URL must (?:not be a private address|name a public host)\.$/,
      );
    }
  });

  it("and plain http is refused at the last moment, too", async () => {
    const { json } = await submit(`https://loopback.example:${server.port}/`);
    await ended(json.id, 1);
    const url = `http://loopback.example:${server.port}/`;
    await service.database.query("UPDATE deliveries SET url = $1 WHERE extraction_id = $2", [url, json.id]);
    await call(`/api/v1/extractions/${json.id}/redeliver`, {});
    expect((await ended(json.id, 2)).attempts[1].error).toBe("The URL must start with https://.");
  });
});
