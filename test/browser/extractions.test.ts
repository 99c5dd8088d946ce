import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openOutbound } from "../../src/platform/net/outbound.ts";
import { type HttpsServer, startHttpsServer } from "../https-server.ts";
import { startTestService, type TestService } from "../service.ts";
import { openBrowser } from "./browser.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let service: TestService;
let receiver: HttpsServer;
let browser: Browser;
beforeAll(async () => {
  receiver = await startHttpsServer((_request, response) => void response.writeHead(204).end());
  const outbound = openOutbound({ allowPrivate: true, ca: receiver.ca });
  [service, browser] = await Promise.all([
    startTestService({ env: { ALLOW_PRIVATE_NETWORKS: "true" }, world: { outbound } }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.close();
});

async function signIn(): Promise<{ page: Page; context: BrowserContext; apiKey: string; complaints: string[] }> {
  const account = await service.verified();
  const context = await browser.newContext({ baseURL: service.baseUrl, bypassCSP: false });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto("/login");
  await page.getByLabel("E-mail").fill(account.email);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("main").getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  return { page, context, apiKey: account.apiKey, complaints };
}

/** Serious findings of axe, by rule. Scripts of the test run in a world that the page's policy does not bind. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

test("a sample in the playground becomes pages with boxes, and a field lights up its place", async () => {
  const { page, complaints } = await signIn();
  await page.getByRole("link", { name: "Playground" }).click();
  await page.getByRole("button", { name: "An invoice (PDF)" }).click();
  await page.getByText("-F file=@'invoice.pdf'").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Extract" }).click();
  await page.getByRole("tab", { name: "Fields" }).waitFor();

  await expect
    .poll(() => page.evaluate("document.images[0]?.naturalWidth ?? 0"), { timeout: 20_000 })
    .toBeGreaterThan(500);
  const total = page.locator("tr[data-ref='/total']");
  expect(await total.innerText()).toContain("4183.2");
  const box = page.locator("rect.field[data-ref='/total']");
  expect(await box.getAttribute("class")).not.toContain("lit");
  await total.hover();
  expect(await box.getAttribute("class")).toContain("lit");
  await box.hover({ force: true });
  expect(await total.getAttribute("class")).toContain("lit");

  await page.getByRole("tab", { name: "Tables" }).click();
  expect(await page.locator("table.grid th, table.grid td").allInnerTexts()).toContain("Depth sounder DS-40");
  await page.getByRole("tab", { name: "JSON" }).click();
  expect(JSON.parse(await page.locator("pre.json").innerText())).toMatchObject({
    status: "completed",
    data: { total: 4183.2 },
  });
  await page.getByRole("tab", { name: "Fields" }).click();
  expect(await findings(page)).toEqual([]);

  await page.getByRole("link", { name: "Extractions" }).first().click();
  await page.getByRole("link", { name: "invoice.pdf" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("link", { name: "invoice.pdf" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nothing here yet").waitFor();
  expect(complaints).toEqual([]);
});

test("an uploaded page never runs in our origin", async () => {
  const { page, complaints } = await signIn();
  await page.goto("/playground");
  await page.setInputFiles("[name=file]", {
    name: "evil.html",
    mimeType: "text/html",
    buffer: Buffer.from(
      "<h1 onclick=x()>Evil</h1><p>A harmless sentence stands here. <img src=x onerror='document.title=\"owned\"'><script>document.title='owned'</script></p>",
    ),
  });
  await page.getByRole("button", { name: "Extract" }).click();
  await page.getByRole("tab", { name: "Content" }).click();
  await page.locator(".panel").getByText("A harmless sentence").waitFor();
  expect(await page.title()).not.toContain("owned");
  expect(complaints).toEqual([]);
});

test("an asynchronous extraction shows its delivery, and sends it again", async () => {
  const { page, apiKey } = await signIn();
  const answer = await service.call("POST", "/api/v1/extract", {
    key: apiKey,
    json: { text: "Hello", options: { async: true }, webhook_url: `${receiver.origin}/hook` },
  });
  expect(answer.status).toBe(202);
  const { id } = answer.json;
  await service.call("GET", `/api/v1/extractions/${id}?wait=20`, { key: apiKey });
  await expect
    .poll(
      async () =>
        (await service.call("GET", `/api/v1/extractions/${id}/deliveries`, { key: apiKey })).json.data[0]?.status,
      { timeout: 20_000 },
    )
    .toBe("delivered");
  await page.goto(`/dashboard/extractions/${id}`);
  await page.getByRole("heading", { name: "Deliveries" }).waitFor();
  expect(await page.locator("#deliveries").innerText()).toContain("204");
  const before = receiver.requests.length;
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(before + 1);
});

test("a key and a secret are rotated after a question, and shown once", async () => {
  const { page, apiKey, complaints } = await signIn();
  expect(await findings(page)).toEqual([]);
  await page.getByText("Rotate the key", { exact: true }).click();
  await page.getByRole("button", { name: "Yes, rotate the key" }).click();
  const shown = await page.locator("#api-key").innerText();
  expect((await service.call("GET", "/api/v1/account", { key: apiKey })).status).toBe(401);
  expect((await service.call("GET", "/api/v1/account", { key: shown })).status).toBe(200);
  await page.getByText("Rotate the secret", { exact: true }).click();
  await page.getByRole("button", { name: "Yes, rotate the secret" }).click();
  expect(await page.locator("#webhook-secret").innerText()).toMatch(/^whsec_/);
  await page.getByText("for another 24 hours").waitFor();
  await page.goto("/dashboard");
  expect(await page.content()).not.toContain(shown);
  expect(complaints).toEqual([]);
});

test("the default webhook address is saved, checked, and gets a test event", async () => {
  const { page } = await signIn();
  await page.getByLabel("Default for asynchronous extractions").fill("http://example.com/plain");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("must be a public https URL").waitFor();
  await page.getByLabel("Default for asynchronous extractions").fill(`${receiver.origin}/default`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The address is saved.").waitFor();
  await page.getByRole("button", { name: "Send a test event" }).click();
  await page.getByText("A test event is on its way.").waitFor();
  await expect
    .poll(
      () =>
        receiver.requests.some(
          ({ url, headers }) => url === "/default" && headers["x-extract-event"] === "extraction.completed",
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
});
