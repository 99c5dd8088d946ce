// Redirects over the wire. 127.0.0.1 plays the public internet here, so that a first hop can be allowed; every other
// loopback address stays as closed as it is.

import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type OutboundRequest, openOutbound } from "../../../src/platform/net/outbound.ts";
import { type HttpsServer, type ReceivedRequest, startHttpsServer } from "../../https-server.ts";

vi.mock("../../../src/platform/net/addresses.ts", async (importOriginal) => {
  const real = await importOriginal<typeof import("../../../src/platform/net/addresses.ts")>();
  return { ...real, isPublicAddress: (text: string) => text === "127.0.0.1" || real.isPublicAddress(text) };
});

const names: Record<string, string> = {
  "public.example": "127.0.0.1",
  "other.example": "127.0.0.1",
  "private.example": "127.0.0.2",
  "private6.example": "::1",
};
let server: HttpsServer;
let answer: (request: ReceivedRequest, response: ServerResponse) => void;
let before = 0;

beforeAll(async () => {
  server = await startHttpsServer((request, response) => answer(request, response), {
    listen: "::",
    hosts: [...Object.keys(names), "127.0.0.1", "127.0.0.2", "::1", "localhost"],
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  before = server.connections;
});

const arrived = () => server.connections - before;
const outbound = () =>
  openOutbound({
    ca: server.ca,
    resolve: async (name) => [{ address: names[name]!, family: name.includes("6") ? 6 : 4 }],
  });
const get = (path: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url: `https://public.example:${server.port}${path}`,
  method: "GET",
  timeoutMs: 10_000,
  maxBytes: 1000,
  onOverflow: "fail",
  ...more,
});
const redirect = (location: string, status = 302) => {
  answer = (request, response) =>
    void (request.url === "/start"
      ? response.writeHead(status, { location }).end("moved")
      : response.end(`${request.method} ${request.url}`));
};

describe("redirects", () => {
  it.each([301, 302, 303, 307, 308])("%s is an answer like any other unless they are followed", async (status) => {
    redirect(`https://public.example:${server.port}/end`, status);
    const result = await outbound().request(get("/start"));
    expect(result.status).toBe(status);
    expect(result.body.toString()).toBe("moved");
    expect(arrived()).toBe(1);
  });

  it.each(["/end", "end", "//other.example:PORT/end", "https://other.example:PORT/end#part"])(
    "follows to %s where asked",
    async (location) => {
      redirect(location.replace("PORT", String(server.port)));
      const result = await outbound().request(get("/start", { followRedirects: 1 }));
      expect(result.body.toString()).toBe("GET /end");
      expect(new URL(result.url).pathname).toBe("/end");
      expect(server.requests.map((request) => request.url)).toEqual(["/start", "/end"]);
      const download = await outbound().download(get("/start", { followRedirects: 1 }));
      expect(Buffer.concat(await download.body.toArray()).toString()).toBe("GET /end");
    },
  );

  it.each([
    "https://127.0.0.2:PORT/end",
    "https://2130706434:PORT/end",
    "https://0x7f.2:PORT/end",
    "https://0177.0.0.2:PORT/end",
    "https://127.2:PORT/end",
    "//127.0.0.2:PORT/end",
    "https://[::1]:PORT/end",
    "https://[::ffff:127.0.0.2]:PORT/end",
    "https://0:PORT/end",
    "https://localhost:PORT/end",
    "https://localhost.:PORT/end",
    "https://private.example:PORT/end",
    "https://private6.example:PORT/end",
    "http://private.example:PORT/end",
  ])("never follows to the private %s", async (location) => {
    redirect(location.replace("PORT", String(server.port)));
    await expect(outbound().request(get("/start", { followRedirects: 3 }))).rejects.toMatchObject({
      reason: "refused_address",
    });
    expect(arrived()).toBe(1);
    await expect(outbound().download(get("/start", { followRedirects: 3 }))).rejects.toMatchObject({
      reason: "refused_address",
    });
    expect(arrived()).toBe(2);
    expect(server.requests.map((request) => request.url)).toEqual(["/start", "/start"]);
  });

  it.each([
    ["credentials", "https://user:secret@public.example:PORT/end"],
    ["another scheme", "file:///etc/passwd"],
    ["http where https is required", "http://public.example:PORT/end"],
  ])("refuses a target with %s", async (_what, location) => {
    redirect(location.replace("PORT", String(server.port)));
    const request = get("/start", { followRedirects: 3, requireHttps: true });
    await expect(outbound().request(request)).rejects.toMatchObject({ reason: "bad_url" });
    expect(arrived()).toBe(1);
  });

  it("calls an unreadable target and one hop too many by name", async () => {
    redirect("https://[::1/");
    await expect(outbound().request(get("/start", { followRedirects: 3 }))).rejects.toMatchObject({
      reason: "redirect",
      status: 302,
    });
    answer = (_request, response) => void response.writeHead(302, { location: "/again" }).end();
    before = server.connections;
    await expect(outbound().request(get("/start", { followRedirects: 3 }))).rejects.toMatchObject({
      reason: "redirect",
    });
    expect(arrived()).toBe(4);
  });

  it("takes a redirect without a target as the answer", async () => {
    answer = (_request, response) => void response.writeHead(302).end("nowhere");
    const result = await outbound().request(get("/start", { followRedirects: 3 }));
    expect([result.status, result.body.toString()]).toEqual([302, "nowhere"]);
  });

  it("follows a target longer than a typed URL may be", async () => {
    const query = `?signature=${"a".repeat(4000)}`;
    redirect(`/end${query}`);
    const result = await outbound().request(get("/start", { followRedirects: 1, maxBytes: 5000 }));
    expect(result.body.toString()).toBe(`GET /end${query}`);
  });

  it.each([
    [301, "GET", ""],
    [302, "GET", ""],
    [303, "GET", ""],
    [307, "POST", "payload"],
    [308, "POST", "payload"],
  ])("sends a POST on after %s as %s", async (status, method, body) => {
    redirect("/end", status);
    await outbound().request(
      get("/start", { method: "POST", body: "payload", headers: { "content-type": "text/x" }, followRedirects: 1 }),
    );
    const last = server.requests[1]!;
    expect([last.method, last.body.toString()]).toEqual([method, body]);
    expect(last.headers["content-type"]).toBe(body ? "text/x" : undefined);
  });

  it("keeps credentials for the first host", async () => {
    const headers = { Authorization: "Bearer x", Cookie: "a=b", accept: "text/plain" };
    redirect(`https://other.example:${server.port}/end`);
    await outbound().request(get("/start", { headers, followRedirects: 1 }));
    expect(server.requests[0]!.headers).toMatchObject({ authorization: "Bearer x", cookie: "a=b" });
    expect(server.requests[1]!.headers).toMatchObject({ accept: "text/plain" });
    expect(Object.keys(server.requests[1]!.headers)).not.toContain("authorization");
    expect(Object.keys(server.requests[1]!.headers)).not.toContain("cookie");
    redirect("/end");
    await outbound().request(get("/start", { headers, followRedirects: 1 }));
    expect(server.requests[3]!.headers).toMatchObject({ authorization: "Bearer x", cookie: "a=b" });
  });
});
