#!/usr/bin/env node
// The commands. Each is one function; what they share is how they end: cleanly, with one clear line when something is wrong.
// Each loads only what it needs, so that a wrong setting is told at once.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { type Config, ConfigError, describeSettings, loadEnvFile, readConfig } from "./config.ts";

// Halves the time to start; kept inside of our own folder, because others could write to a shared one.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)));

const commands: Record<string, { run(args: string[]): Promise<void>; says: string }> = {
  serve: { run: () => serve(readConfig()), says: "starts the service (the same as npm start)" },
  worker: {
    run: () => serve(readConfig(undefined, "worker")),
    says: "starts a worker without HTTP, on DATABASE_URL",
  },
  extract: {
    run: async (args) => (await import("./extract-command.ts")).extractCommand(args),
    says: "FILE [--schema FILE.json] … prints what the service would answer, without it",
  },
  migrate: { run: () => migrate(readConfig()), says: "brings the database to this version's shape" },
  settings: {
    run: async () => void process.stdout.write(describeSettings()),
    says: "prints every setting with its default and reason",
  },
};

async function serve(config: Config): Promise<void> {
  await (await import("./serve.ts")).serve(config);
}

async function migrate(config: Config): Promise<void> {
  const { openApp } = await import("./app.ts");
  const app = await openApp(config);
  await app.close();
  console.log("The database is up to date.");
}

const [name = "help", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) {
  Promise.try(() => {
    loadEnvFile();
    return command.run(args);
  }).catch((error) => {
    console.error(error instanceof ConfigError ? `extraction-service: ${error.message}` : error);
    process.exit(1);
  });
} else {
  for (const [known, { says }] of Object.entries(commands)) console.log(`${known.padEnd(10)} ${says}`);
  process.exitCode = name === "help" ? 0 : 1;
}
