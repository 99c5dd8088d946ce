// The examples in the guides are run as they stand there.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guides } from "../src/http/pages/guides.ts";
import type { TestAccount } from "./caller.ts";
import { startTestService, type TestService } from "./service.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string) => readFileSync(new URL(`../docs/${name}.md`, import.meta.url), "utf8");

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService();
  account = await service.verified();
});
afterAll(() => service.stop());

const examples = ["quick-start", "extractions"].flatMap((name) =>
  [...read(name).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script], at) => ({ name, at, script: script! })),
);

describe("every shell example answers what the guide says", () => {
  test.each(examples)("$name, example $at", async ({ script }) => {
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], {
      cwd: root,
      env: { ...process.env, BASE_URL: service.baseUrl, API_KEY: account.apiKey },
    });
    const answer = JSON.parse(stdout);
    expect(answer).not.toHaveProperty("code");
    if (script.includes("/register")) expect(answer.api_key).toMatch(/^ext_live_/);
    else if (script.includes("respond-async")) expect(["queued", "processing"]).toContain(answer.status);
    else expect(answer).toMatchObject({ document: { page_count: 1 }, engine: { version: expect.any(String) } });
    if (script.includes("schema.json"))
      expect(answer.data).toMatchObject({ total: 4183.2, iban: "GB29NWBK60161331926819" });
    if (script.includes("due_date")) expect(answer.data).toEqual({ total: 4183.2, due_date: "2026-11-13" });
  });
});

describe("guides are pages", () => {
  test.each(Object.keys(guides))("%s", async (name) => {
    const page = await service.call("GET", `/guides/${name}`);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<article class="guide"><h1>[^<]+<\/h1>/);
    const raw = await service.call("GET", `/guides/${name}.md`);
    expect(raw.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(raw.text.startsWith("# ")).toBe(true);
  });

  test("links between guides lead somewhere", async () => {
    for (const name of Object.keys(guides)) {
      const { text } = await service.call("GET", `/guides/${name}`);
      const links = [...text.matchAll(/href="(\/[^"#]*)/g)].map(([, path]) => path!);
      for (const path of new Set(links))
        expect([path, [200, 301].includes((await service.call("GET", path)).status)]).toEqual([path, true]);
    }
  });

  test("llms.txt names every guide", async () => {
    const { text } = await service.call("GET", "/llms.txt");
    for (const name of Object.keys(guides)) expect(text).toContain(`${service.baseUrl}/guides/${name}.md`);
  });
});
