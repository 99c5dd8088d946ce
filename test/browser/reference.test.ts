import type { Browser } from "playwright-core";
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

test("/docs shows every operation, under its own strict policy, and asks no other host for anything", async () => {
  const page = await browser.newPage({ baseURL: service.baseUrl, viewport: { width: 1280, height: 1600 } });
  page.setDefaultTimeout(40_000);
  const foreign: string[] = [];
  const complaints: string[] = [];
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(service.baseUrl) || /^(data|blob):/.test(url)) return route.continue();
    foreign.push(url);
    return route.abort();
  });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto("/docs");
  await page.getByRole("heading", { name: "Extraction Service", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Extract a document" }).first().waitFor();
  await page.getByRole("heading", { name: "Extract a document" }).first().waitFor();
  expect(complaints).toEqual([]);
  expect(foreign).toEqual([]);
}, 90_000);
