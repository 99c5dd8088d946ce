// What comes back from good, slow, broken and hostile servers, over real connections on loopback.

import type { ServerResponse } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type OutboundOptions, type OutboundRequest, openOutbound } from "../../../src/platform/net/outbound.ts";
import { makeCertificate } from "../../certificate.ts";
import { type HttpsServer, type ReceivedRequest, startHttpsServer } from "../../https-server.ts";

let server: HttpsServer;
let answer: (request: ReceivedRequest, response: ServerResponse) => void;

beforeAll(async () => {
  server = await startHttpsServer((request, response) => answer(request, response), {
    hosts: ["localhost", "127.0.0.1", "receiver.example"],
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const open = (options: OutboundOptions = {}) => openOutbound({ allowPrivate: true, ca: server.ca, ...options });
const get = (more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url: `${server.origin}/`,
  method: "GET",
  timeoutMs: 20_000,
  maxBytes: 100_000,
  onOverflow: "fail",
  ...more,
});
/** Long enough for a loaded machine to get to the point that is tested, short enough to wait for. */
const SHORT_MS = 300;
const soon = (more: Partial<OutboundRequest> = {}) => get({ timeoutMs: SHORT_MS, ...more });

/** Writes forever, at once or byte by byte, until the client has gone. */
function drip(socket: { write(text: string): unknown; on(event: "close", act: () => void): unknown }, text: string) {
  const timer = setInterval(() => socket.write(text), 10);
  socket.on("close", () => clearInterval(timer));
}
function flood(response: ServerResponse) {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

describe("a request", () => {
  it("posts exactly what it is given", async () => {
    answer = (_request, response) =>
      void response.writeHead(201, { "X-Answer": "a", "set-cookie": ["a=1", "b=2"] }).end("stored");
    const body = Buffer.from('{"ü":1}\n');
    const headers = { "Content-Type": "application/json", "X-Extract-Event": "extraction.completed" };
    const result = await open().request(
      get({ url: `${server.origin}/hook?a=b%20c#part`, method: "POST", headers, body }),
    );
    expect(result).toMatchObject({ status: 201, truncated: false, url: `${server.origin}/hook?a=b%20c#part` });
    expect(result.body.toString()).toBe("stored");
    expect(result.headers).toMatchObject({ "x-answer": "a", "set-cookie": "a=1, b=2" });
    const [received] = server.requests;
    expect(received).toMatchObject({ method: "POST", url: "/hook?a=b%20c" });
    expect(received!.body.equals(body)).toBe(true);
    expect(received!.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(body.length),
      "x-extract-event": "extraction.completed",
      "user-agent": "extraction-service",
      "accept-encoding": "identity",
      host: `localhost:${server.port}`,
      connection: "close",
    });
  });

  it("resolves the name once, keeps it for TLS and Host, and takes a trailing dot as the same name", async () => {
    answer = (_request, response) => void response.end();
    const resolve = vi.fn(async () => [{ address: "127.0.0.1", family: 4 }]);
    await open({ resolve }).request(get({ url: `https://receiver.example.:${server.port}/` }));
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(resolve.mock.calls[0]).toEqual(["receiver.example", expect.any(AbortSignal)]);
    expect(server.requests[0]).toMatchObject({ servername: "receiver.example" });
    expect(server.requests[0]!.headers.host).toBe(`receiver.example.:${server.port}`);
  });

  it("goes on to the next address when the first does not answer", async () => {
    answer = (_request, response) => void response.end("here");
    const resolve = async () => [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    const result = await open({ resolve }).request(get({ url: `https://receiver.example:${server.port}/` }));
    expect(result.body.toString()).toBe("here");
  });

  it.each([200, 204, 304, 404, 500, 503])("returns status %s as an answer", async (status) => {
    answer = (_request, response) => void response.writeHead(status).end();
    expect((await open().request(get())).status).toBe(status);
  });

  it("keeps https required where private addresses are allowed", async () => {
    const before = server.connections;
    const request = get({ url: `http://localhost:${server.port}/`, requireHttps: true });
    await expect(open().request(request)).rejects.toMatchObject({
      reason: "bad_url",
      message: "The URL must start with https://.",
    });
    expect(server.connections).toBe(before);
  });

  it("refuses a header that would break out of its line, as a mistake of the caller", async () => {
    const request = get({ headers: { "x-a": "b\r\nx-c: d" } });
    await expect(open().request(request)).rejects.toMatchObject({ code: "UND_ERR_INVALID_ARG" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("the size bound", () => {
  it("lets an answer of exactly maxBytes through and fails one byte more", async () => {
    answer = (_request, response) => void response.end("x".repeat(1000));
    expect((await open().request(get({ maxBytes: 1000 }))).body).toHaveLength(1000);
    await expect(open().request(get({ maxBytes: 999 }))).rejects.toMatchObject({ reason: "too_large" });
  });

  it("cuts a huge answer where asked", async () => {
    answer = (_request, response) => void response.end("x".repeat(1_000_000));
    const result = await open().request(get({ maxBytes: 4096, onOverflow: "truncate" }));
    expect(result).toMatchObject({ status: 200, truncated: true });
    expect(result.body).toHaveLength(4096);
    const whole = await open().request(get({ maxBytes: 1_000_000, onOverflow: "truncate" }));
    expect(whole.truncated).toBe(false);
    expect(whole.body).toHaveLength(1_000_000);
  });

  it("ends an endless answer, and hangs up", async () => {
    let closed = Promise.resolve();
    answer = (_request, response) => {
      closed = new Promise((done) => response.on("close", done));
      flood(response);
    };
    const result = await open().request(get({ maxBytes: 4096, onOverflow: "truncate" }));
    expect(result.body).toHaveLength(4096);
    await closed;
    await expect(open().request(get({ maxBytes: 4096 }))).rejects.toMatchObject({ reason: "too_large" });
    await closed;
  });

  it("bounds the answer's headers", async () => {
    answer = (_request, response) => void response.writeHead(200, { "x-big": "x".repeat(20_000) }).end();
    await expect(open().request(get())).rejects.toMatchObject({ reason: "bad_answer" });
  });
});

describe("the time bound", () => {
  it("holds while the name is looked up, and nothing connects when it answers too late", async () => {
    const before = server.connections;
    let late = (_addresses: { address: string; family: number }[]) => {};
    const resolve = () => new Promise<{ address: string; family: number }[]>((done) => (late = done));
    await expect(open({ resolve }).request(soon())).rejects.toMatchObject({ reason: "timeout" });
    late([{ address: "127.0.0.1", family: 4 }]);
    answer = (_request, response) => void response.end();
    await open().request(get());
    expect(server.connections - before).toBe(1);
  });

  it("holds against a server that never answers", async () => {
    answer = () => {};
    await expect(open().request(soon())).rejects.toMatchObject({
      reason: "timeout",
      message: "There was no complete answer within the time limit.",
    });
  });

  it("holds against headers that come byte by byte", async () => {
    answer = (_request, response) => {
      response.socket!.write("HTTP/1.1 200 OK\r\nx-slow: ");
      drip(response.socket!, "a");
    };
    await expect(open().request(soon())).rejects.toMatchObject({ reason: "timeout" });
  });

  it("holds against endless interim answers", async () => {
    answer = (_request, response) => drip(response.socket!, "HTTP/1.1 102 Processing\r\n\r\n");
    await expect(open().request(soon())).rejects.toMatchObject({ reason: "timeout" });
  });

  it.each(["fail", "truncate"] as const)("holds against a body that comes byte by byte (%s)", async (onOverflow) => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 50_000 });
      drip(response, "a");
    };
    await expect(open().request(soon({ onOverflow }))).rejects.toMatchObject({ reason: "timeout" });
  });

  it("holds over all redirects together", async () => {
    answer = (_request, response) => void setTimeout(() => response.writeHead(302, { location: "/" }).end(), 20);
    await expect(open().request(soon({ followRedirects: 1000 }))).rejects.toMatchObject({ reason: "timeout" });
  });

  it("ends when the caller cancels, before and during", async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    await expect(open().request(get({ signal: controller.signal }))).rejects.toMatchObject({ reason: "canceled" });
    const before = server.connections;
    await expect(open().request(get({ signal: controller.signal }))).rejects.toMatchObject({ reason: "canceled" });
    expect(server.connections).toBe(before);
  });

  it("ends when the outbound is closed, and takes nothing after", async () => {
    const outbound = open();
    answer = () => void outbound.close();
    await expect(outbound.request(get())).rejects.toMatchObject({ reason: "canceled" });
    await expect(outbound.request(get())).rejects.toMatchObject({ reason: "canceled" });
    await expect(outbound.download(get())).rejects.toMatchObject({ reason: "canceled" });
  });
});

describe("a broken connection", () => {
  let raw: Server | undefined;
  let sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((done) => (raw ? raw.close(() => done()) : done()));
    raw = undefined;
    sockets = [];
  });
  async function listenRaw(serve: (socket: Socket) => void): Promise<number> {
    raw = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      serve(socket);
    });
    await new Promise<void>((done) => raw!.listen(0, "127.0.0.1", done));
    return (raw.address() as { port: number }).port;
  }

  it.each([
    ["before the headers", (response: ServerResponse) => response.socket!.destroy()],
    [
      "within the headers",
      (response: ServerResponse) => response.socket!.end("HTTP/1.1 200 OK\r\nx-a: b", () => response.socket!.destroy()),
    ],
    [
      "within the body",
      (response: ServerResponse) =>
        response.writeHead(200, { "content-length": 100 }).write("part", () => response.socket!.destroy()),
    ],
    [
      "within a chunked body",
      (response: ServerResponse) => response.writeHead(200).write("part", () => response.socket!.destroy()),
    ],
  ])("%s is a reset", async (_where, hangUp) => {
    answer = (_request, response) => void hangUp(response);
    await expect(open().request(get())).rejects.toMatchObject({
      reason: "reset",
      message: "The connection was closed before the answer was complete.",
    });
  });

  it("reset by the peer is a reset", async () => {
    const port = await listenRaw((socket) => socket.once("data", () => socket.resetAndDestroy()));
    await expect(open().request(get({ url: `http://127.0.0.1:${port}/` }))).rejects.toMatchObject({ reason: "reset" });
  });

  it.each([
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n"],
    ["a broken status", "HTTP/1.1 2x0 OK\r\n\r\n"],
    ["broken chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
  ])("with %s is a bad answer", async (_what, text) => {
    const port = await listenRaw((socket) => socket.once("data", () => socket.end(text)));
    await expect(open().request(get({ url: `http://127.0.0.1:${port}/` }))).rejects.toMatchObject({
      reason: "bad_answer",
      message: "The answer is not valid HTTP.",
    });
  });

  it("to a closed port is a failed connect", async () => {
    const port = await listenRaw(() => {});
    await new Promise<void>((done) => raw!.close(() => done()));
    await expect(open().request(get({ url: `http://127.0.0.1:${port}/` }))).rejects.toMatchObject({
      reason: "connect_failure",
      message: "The host did not accept a connection.",
    });
  });

  it("to a server without TLS is a TLS failure", async () => {
    const port = await listenRaw((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    await expect(open().request(get({ url: `https://127.0.0.1:${port}/` }))).rejects.toMatchObject({
      reason: "tls_failure",
      message: "No secure connection could be made.",
    });
  });

  it("during the handshake is a TLS failure, and a silent handshake a timeout", async () => {
    const port = await listenRaw((socket) => socket.once("data", () => socket.destroy()));
    const request = get({ url: `https://127.0.0.1:${port}/` });
    await expect(open().request(request)).rejects.toMatchObject({ reason: "tls_failure" });
    raw!.removeAllListeners("connection");
    raw!.on("connection", (socket: Socket) => sockets.push(socket));
    await expect(open().request({ ...request, timeoutMs: SHORT_MS })).rejects.toMatchObject({ reason: "timeout" });
  });

  it("of the resolver is a DNS failure", async () => {
    const resolve = async () => {
      throw Object.assign(new Error("queryA ENOTFOUND secret-server.corp"), { code: "ENOTFOUND" });
    };
    await expect(open({ resolve }).request(get())).rejects.toMatchObject({
      reason: "dns_failure",
      message: "The host name could not be resolved.",
    });
  });
});

describe("a certificate", () => {
  const day = 24 * 3600 * 1000;
  const cases = [
    ["that is self-signed", {}, false, "The host's certificate is self-signed."],
    ["that has expired", { notAfter: new Date(Date.now() - day) }, true, "The host's certificate has expired."],
    ["of the future", { notBefore: new Date(Date.now() + day) }, true, "The host's certificate is not valid yet."],
    ["for another name", { hosts: ["other.example"] }, true, "The host's certificate is for another name."],
  ] as const;

  it.each(cases)("%s is refused, whatever the environment says", async (_what, options, trusted, message) => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const certificate = makeCertificate({ ...options, hosts: "hosts" in options ? [...options.hosts] : undefined });
    const bad = await startHttpsServer((_request, response) => void response.end(), { certificate });
    const outbound = open({ ca: trusted ? bad.ca : makeCertificate().cert });
    await expect(outbound.request(get({ url: bad.origin }))).rejects.toMatchObject({ reason: "tls_failure", message });
    expect(bad.requests).toHaveLength(0);
    await bad.close();
    vi.unstubAllEnvs();
  });
});

describe("a download", () => {
  const read = async (more: Partial<OutboundRequest> = {}, outbound = open()) => {
    const download = await outbound.download(get(more));
    return { ...download, bytes: Buffer.concat(await download.body.toArray()) };
  };

  it("streams the body", async () => {
    const bytes = Buffer.alloc(2_000_000, "0123456789");
    answer = (_request, response) => void response.writeHead(200, { "content-type": "application/pdf" }).end(bytes);
    const download = await read({ maxBytes: bytes.length });
    expect(download.bytes.equals(bytes)).toBe(true);
    expect(download.headers["content-type"]).toBe("application/pdf");
    expect(download.url).toBe(`${server.origin}/`);
    expect(server.requests[0]).toMatchObject({ method: "GET", url: "/" });
  });

  it.each([302, 404, 500])("of a %s fails and names the status", async (status) => {
    answer = (_request, response) => void response.writeHead(status, { location: "/" }).end("no");
    await expect(read()).rejects.toMatchObject({
      reason: "bad_status",
      status,
      message: `The server answered ${status}.`,
    });
  });

  it.each([
    ["gzip", gzipSync],
    ["GZIP", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["identity", (bytes: Buffer) => bytes],
  ] as const)("undoes %s that was not asked for", async (coding, encode) => {
    const bytes = Buffer.alloc(100_000, "0123456789");
    answer = (_request, response) => void response.writeHead(200, { "content-encoding": coding }).end(encode(bytes));
    expect((await read({ maxBytes: bytes.length })).bytes.equals(bytes)).toBe(true);
    await expect(read({ maxBytes: bytes.length - 1 })).rejects.toMatchObject({ reason: "too_large" });
  });

  it.each(["compress", "gzip, gzip", "__proto__", "constructor"])("refuses the coding %s", async (coding) => {
    answer = (_request, response) => void response.writeHead(200, { "content-encoding": coding }).end("x");
    await expect(read()).rejects.toMatchObject({
      reason: "bad_answer",
      message: "The answer is compressed in an unknown way.",
    });
  });

  it.each(["gzip", "deflate", "br"])("calls broken %s a bad answer", async (coding) => {
    answer = (_request, response) => void response.writeHead(200, { "content-encoding": coding }).end("not packed");
    await expect(read()).rejects.toMatchObject({ reason: "bad_answer" });
  });

  it("refuses an announced size at once and an endless body at the bound, and hangs up", async () => {
    let closed = Promise.resolve();
    answer = (_request, response) => {
      closed = new Promise((done) => response.on("close", done));
      response.writeHead(200, { "content-length": 1_000_000_000 }).write("x");
    };
    await expect(open().download(get())).rejects.toMatchObject({ reason: "too_large" });
    await closed;
    answer = (_request, response) => {
      closed = new Promise((done) => response.on("close", done));
      flood(response);
    };
    await expect(read()).rejects.toMatchObject({ reason: "too_large" });
    await closed;
  });

  it("is bound in time to the last byte", async () => {
    answer = (_request, response) => drip(response, "a");
    await expect(read({ timeoutMs: SHORT_MS })).rejects.toMatchObject({ reason: "timeout" });
  });

  it("that breaks off is a reset, never a short document", async () => {
    answer = (_request, response) =>
      void response.writeHead(200, { "content-length": 100 }).write("part", () => response.socket!.destroy());
    await expect(read()).rejects.toMatchObject({ reason: "reset" });
    answer = (_request, response) => void response.writeHead(200).write("part", () => response.socket!.destroy());
    await expect(read()).rejects.toMatchObject({ reason: "reset" });
  });

  it("lets the connection go when the reader leaves without reading", async () => {
    let closed = Promise.resolve();
    answer = (_request, response) => {
      closed = new Promise((done) => response.on("close", done));
      flood(response);
    };
    const download = await open().download(get());
    download.body.destroy();
    await closed;
    expect(download.body.destroyed).toBe(true);
  });

  it("ends when it is canceled or the outbound closed half way", async () => {
    answer = (_request, response) => void response.writeHead(200).write("part");
    const controller = new AbortController();
    const canceled = await open().download(get({ signal: controller.signal }));
    controller.abort();
    await expect(canceled.body.toArray()).rejects.toMatchObject({ reason: "canceled" });
    const outbound = open();
    const closed = await outbound.download(get());
    await outbound.close();
    await expect(closed.body.toArray()).rejects.toMatchObject({ reason: "canceled" });
  });
});
