// Finds the Chromium that the browser tests drive, and installs Debian's where there is none and we may.
// Run by `npm test` before the tests; they take the path from here too.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const MAC = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

export function findBrowser(): string | undefined {
  const { CHROMIUM_PATH, PATH = "" } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const folders = PATH.split(delimiter);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC].find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (error || status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}

if (import.meta.main && !findBrowser()) {
  if (process.getuid?.() !== 0 || !isProgram("/usr/bin/apt-get")) {
    console.error("The browser tests need Chromium or Chrome: install one, or set CHROMIUM_PATH to it.");
    process.exit(1);
  }
  console.log("No browser found: installing Debian's Chromium for the browser tests.");
  run("apt-get", "update", "-qq");
  run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium");
}
