// Real deliveries, verified by others: the reference receivers, openssl, and the snippets of the guide.
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signBody } from "../../src/webhooks/sign.ts";
import type { TestAccount } from "../caller.ts";
import { makeCertificate } from "../certificate.ts";
import type { ReceivedRequest } from "../https-server.ts";
import { until } from "../until.ts";
import { type DeliveryShown, type Events, startEvents } from "./events.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const certificate = makeCertificate();
let events: Events;
let account: TestAccount;
let folder: string;
/** A delivery as it arrived. */
let received: ReceivedRequest;
let header: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "verified-"));
  await writeFile(join(folder, "cert.pem"), certificate.cert);
  await writeFile(join(folder, "key.pem"), certificate.key);
  events = await startEvents({ certificate });
  account = events.account;
  await events.send(events.to("/received"));
  received = await until("it arrives", () => events.at("/received")[0]);
  header = String(received.headers["x-extract-signature"]);
  await writeFile(join(folder, "body.json"), received.body);
});
afterAll(async () => {
  await events.stop();
  await rm(folder, { recursive: true });
});

const receivers = { "receiver.mjs": process.execPath, "receiver.py": "python3" } as const;

describe.each(Object.entries(receivers))("examples/%s", (example, command) => {
  it("takes what the service sends, and with another secret answers 401, as the delivery says", async () => {
    const start = async (secret: string) => {
      const args = [join(root, "examples", example), "--port", "0", "--cert", "cert.pem", "--key", "key.pem"];
      const child = spawn(command, args, { cwd: folder, env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret } });
      const [line] = (await once(createInterface({ input: child.stderr }), "line")) as [string];
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      return { child, lines, url: line.replace("Listening on ", "").replace("127.0.0.1", "localhost") };
    };
    const good = await start(account.webhookSecret);
    const bad = await start("whsec_c29tZWJvZHkgZWxzZSdz");
    try {
      const id = await events.send(`${good.url}/hook`);
      const delivered: DeliveryShown = await events.attempted(id, 1);
      expect([delivered.status, delivered.attempts[0]!.status]).toEqual(["delivered", 204]);
      expect(JSON.parse((await good.lines.next()).value!)).toEqual({
        event: "extraction.completed",
        request_id: id,
        webhook_id: delivered.id,
        id,
        status: "completed",
      });
      const refused = await events.attempted(await events.send(`${bad.url}/hook`), 1);
      expect([refused.status, refused.attempts[0]!.status]).toEqual(["pending", 401]);
    } finally {
      for (const { child } of [good, bad]) {
        child.kill("SIGKILL");
        await once(child, "close");
      }
    }
  });
});

/** The guide's code block of this language, the first that holds `mark`. */
async function snippet(language: string, mark: string): Promise<string> {
  const guide = await readFile(join(root, "docs/webhooks.md"), "utf8");
  const blocks = [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, name, code]) => ({ name, code: code! }));
  return blocks.find(({ name, code }) => name === language && code.includes(mark))!.code;
}

/** Each is a program that prints one true or false for every argument: a header to check. */
const programs = {
  node: {
    file: "check.mjs",
    write: async () => `${await snippet("js", "isSigned")}
import { readFileSync } from "node:fs";
for (const header of process.argv.slice(2)) console.log(isSigned(readFileSync("body.json"), header, process.env.SECRET));`,
    command: process.execPath,
  },
  python: {
    file: "check.py",
    write: async () => `${await snippet("python", "is_signed")}
import os, sys
for header in sys.argv[1:]:
    print(str(is_signed(open("body.json", "rb").read(), header, os.environ["SECRET"])).lower())`,
    command: "python3",
  },
  java: {
    file: "Main.java",
    write: async () =>
      (await snippet("java", "isSigned")).replace(
        "final class",
        `class Main {
    public static void main(String[] headers) throws Exception {
        byte[] body = java.nio.file.Files.readAllBytes(java.nio.file.Path.of("body.json"));
        for (String header : headers) System.out.println(Signature.isSigned(body, header, System.getenv("SECRET")));
    }
}
final class`,
      ),
    command: "java",
  },
};

// Node and Python are promised, so a machine without them fails here; Java and openssl are asked where they are.
const there = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;
const checked = Object.entries(programs).filter(([name]) => name !== "java" || there("java", "--version"));

describe.each(checked)("the guide's snippet for %s", (_name, { file, write, command }) => {
  it("accepts a delivery and nothing else", async () => {
    await writeFile(join(folder, file), await write());
    const wrong = [
      "",
      header.slice(0, -1),
      `${header}0`,
      header.toUpperCase(),
      header.replace("sha256=", ""),
      signBody("whsec_c29tZWJvZHkgZWxzZSdz", received.body),
      signBody(account.webhookSecret, `${received.body} `),
    ];
    const { stdout } = await run(command, [file, header, ...wrong], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, SECRET: account.webhookSecret },
    });
    expect(stdout.trim().split(/\s+/)).toEqual(["true", ...wrong.map(() => "false")]);
    // Java compiles first, which takes its time on a busy machine.
  }, 120_000);
});

describe("openssl dgst", () => {
  it.runIf(there("openssl", "version"))("computes the same HMAC over the body", () => {
    const command = ["dgst", "-sha256", "-hmac", account.webhookSecret, "body.json"];
    const printed = execFileSync("openssl", command, { cwd: folder, encoding: "utf8" });
    expect(`sha256=${printed.trim().split("= ")[1]}`).toBe(header);
  });
});
