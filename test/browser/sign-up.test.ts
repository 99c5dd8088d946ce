import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../service.ts";
import { openBrowser } from "./browser.ts";

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function openPage(): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ baseURL: service.baseUrl });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints };
}

test("A key is obtained by signing up on the sign-up page, verifying the email, then copying the key from the dashboard", async () => {
  const { page, complaints } = await openPage();
  await page.goto("/register");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("a long enough password");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Check your mail" }).waitFor();

  const { link } = await service.mail("ada@example.com");
  await page.goto(link!);
  await page.getByRole("button", { name: "Verify my address" }).click();
  await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Password").fill("a long enough password");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("button", { name: "Create my API key" }).click();

  const shown = await page.locator("#api-key").innerText();
  expect(shown).toMatch(/^ext_live_[0-9A-Za-z]{32}$/);
  await page.getByRole("region", { name: "Your API key" }).getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(shown);
  expect((await service.call("GET", "/api/v1/account", { key: shown })).status).toBe(200);

  await page.reload();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  expect(await page.content()).not.toContain(shown);
  expect(await page.content()).toContain(shown.slice(0, 12));
  expect((await service.call("GET", "/api/v1/account", { key: shown })).status).toBe(200);

  await page.getByRole("button", { name: "Log out" }).click();
  await page.waitForURL("/");
  await page.goto("/dashboard");
  expect(new URL(page.url()).pathname).toBe("/login");
  expect(complaints).toEqual([]);
});
