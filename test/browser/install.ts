// Finds the programs of others that the tests drive, and installs Debian's where there are none and we may: Chromium for the
// pages, curl for the examples in the guides, Python for the reference receiver. Run by `npm test` before the tests.
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

const inPath = (name: string) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => isProgram(join(folder, name)));

/** Debian's package → whether the machine has what it brings. */
const needed: Record<string, () => boolean> = {
  chromium: () => findBrowser() !== undefined,
  curl: () => inPath("curl"),
  python3: () => inPath("python3"),
};

if (import.meta.main) {
  const missing = Object.keys(needed).filter((name) => !needed[name]!());
  if (missing.length && (process.getuid?.() !== 0 || !isProgram("/usr/bin/apt-get"))) {
    console.error(
      `The tests need ${missing.join(" and ")}: install it first (a browser elsewhere is named by CHROMIUM_PATH).`,
    );
    process.exit(1);
  }
  if (missing.length) {
    console.log(`Installing Debian's ${missing.join(", ")} for the tests.`);
    run("apt-get", "update", "-qq");
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", ...missing);
  }
}
