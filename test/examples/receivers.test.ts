// Both reference receivers as processes, called by our own client with our own signatures. Python is part of what is
// promised, so a machine without python3 fails here and says so; it is not skipped.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openOutbound } from "../../src/platform/net/outbound.ts";
import { deliveryHeaders, signBody } from "../../src/webhooks/sign.ts";
import { makeCertificate } from "../certificate.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const otherSecret = `whsec_${randomBytes(32).toString("base64")}`;
const certificate = makeCertificate();
const outbound = openOutbound({ allowPrivate: true, ca: certificate.cert });
const body = Buffer.from('{ "id": "0199", "object":"extraction","status": "completed", "title":"Überblick 日本" }\n');
let folder = "";
let files: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "receivers-"));
  files = ["--cert", join(folder, "cert.pem"), "--key", join(folder, "key.pem")];
  await writeFile(files[1]!, certificate.cert);
  await writeFile(files[3]!, certificate.key);
});
afterAll(async () => {
  await outbound.close();
  await rm(folder, { recursive: true });
});

interface Receiver {
  child: ChildProcessWithoutNullStreams;
  origin: string;
  nextLine(): Promise<string>;
}

const running: ChildProcessWithoutNullStreams[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
    await once(child, "close");
  }
});

const commands = {
  "receiver.mjs": process.execPath,
  "receiver.py": "python3",
} as const;
type Example = keyof typeof commands;
const examples = Object.keys(commands) as Example[];

function launch(example: Example, args: string[], environment: Record<string, string>) {
  const path = join(import.meta.dirname, "../../examples", example);
  return spawn(commands[example], [path, ...args], { env: { PATH: process.env.PATH, ...environment } });
}

async function start(example: Example, args: string[] = []): Promise<Receiver> {
  const child = launch(example, ["--port", "0", ...args], { WEBHOOK_SECRET: secret });
  const started = new Promise<string>((fulfil, reject) => {
    child.once("error", (cause) => reject(new Error(`${commands[example]} is needed to test ${example}`, { cause })));
    child.once("exit", (code) => reject(new Error(`${example} ended with ${code}`)));
    createInterface({ input: child.stderr }).once("line", fulfil);
  });
  const line = await started;
  running.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value as string;
  return { child, origin: line.replace("Listening on ", ""), nextLine };
}

const delivery = { body, event: "extraction.completed", requestId: "0199", eventId: "evt_1", timestamp: new Date() };
async function post(origin: string, headers: Record<string, string>, sent: Buffer = body): Promise<number> {
  const answer = await outbound.request({
    url: origin,
    method: "POST",
    headers,
    body: sent,
    timeoutMs: 20_000,
    maxBytes: 1000,
    onOverflow: "fail",
  });
  return answer.status;
}
const printed = {
  event: "extraction.completed",
  request_id: "0199",
  webhook_id: "evt_1",
  id: "0199",
  status: "completed",
};

describe.each(examples)("%s", (example) => {
  it.each(["http", "https"])("takes a signed event over %s and prints it", async (scheme) => {
    const receiver = await start(example, scheme === "https" ? files : []);
    expect(receiver.origin).toMatch(new RegExp(`^${scheme}://127\\.0\\.0\\.1:\\d+$`));
    expect(await post(receiver.origin, deliveryHeaders({ ...delivery, secret }))).toBe(204);
    expect(JSON.parse(await receiver.nextLine())).toEqual(printed);
  });

  it("answers 401 to every other signature, prints nothing, and goes on", async () => {
    const receiver = await start(example);
    const good = signBody(secret, body);
    const headers = deliveryHeaders({ ...delivery, secret });
    const { "X-Extract-Signature": _, ...unsigned } = headers;
    const signatures = [
      "",
      "sha256=",
      signBody(otherSecret, body),
      signBody(secret, body.subarray(0, body.length - 1)),
      signBody(secret, JSON.stringify(JSON.parse(body.toString()))),
      good.slice("sha256=".length),
      good.slice(0, -1),
      `${good}0`,
      good.toUpperCase(),
      `sha256=${"é".repeat(32)}`,
      `sha256=${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
        .update(body)
        .digest("hex")}`,
    ];
    expect(await post(receiver.origin, unsigned)).toBe(401);
    for (const signature of signatures) {
      expect(`${signature} ${await post(receiver.origin, { ...headers, "X-Extract-Signature": signature })}`).toBe(
        `${signature} 401`,
      );
    }
    expect(await post(receiver.origin, headers, Buffer.concat([body, Buffer.from(" ")]))).toBe(401);
    // The first line printed is that of the one good delivery, the last.
    expect(await post(receiver.origin, { ...headers, "webhook-id": "evt_last" })).toBe(204);
    expect(JSON.parse(await receiver.nextLine())).toEqual({ ...printed, webhook_id: "evt_last" });
  });

  it("holding the old secret, takes what is sent after a rotation", async () => {
    const receiver = await start(example);
    const rotated = deliveryHeaders({ ...delivery, secret: otherSecret, previousSecret: secret });
    expect(await post(receiver.origin, rotated)).toBe(204);
    expect(JSON.parse(await receiver.nextLine())).toEqual(printed);
    expect(await post(receiver.origin, deliveryHeaders({ ...delivery, secret: otherSecret }))).toBe(401);
  });

  it("takes a signed body that is no JSON object", async () => {
    const receiver = await start(example);
    for (const text of ["", "null", "[1]", "not JSON"]) {
      const sent = Buffer.from(text);
      expect(await post(receiver.origin, deliveryHeaders({ ...delivery, body: sent, secret }), sent)).toBe(204);
      expect(JSON.parse(await receiver.nextLine())).toEqual({ ...printed, id: null, status: null });
    }
  });

  it("refuses a body beyond its bound without reading it", async () => {
    const receiver = await start(example);
    const { hostname, port } = new URL(receiver.origin);
    const socket = connect(Number(port), hostname);
    socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${1024 ** 4}\r\n\r\n{}`);
    const [first] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("does not start without a secret", async () => {
    const child = launch(example, ["--port", "0"], {});
    const [errors] = (await once(child.stderr, "data")) as [Buffer];
    const [code] = await once(child, "close");
    expect(code).toBe(2);
    expect(errors.toString()).toContain("Set WEBHOOK_SECRET");
  });
});
