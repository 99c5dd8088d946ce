// A headless Chromium for tests, with everything off that would reach out of this machine on its own.
import { type Browser, chromium } from "playwright-core";
import { findBrowser } from "./install.ts";

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
