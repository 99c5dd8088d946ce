import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigError, describeSettings, readConfig, settings, tabulateSettings } from "../src/config.ts";

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

test(".env.example and docs/settings.md are what the table of settings says", () => {
  expect(read(".env.example")).toBe(describeSettings());
  expect(read("docs/settings.md")).toContain(`\n\n${tabulateSettings()}`);
});

test("the example is a configuration that can be used as it stands", () => {
  const env = Object.fromEntries(
    read(".env.example")
      .split("\n")
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(Object.keys(env).length).toBeGreaterThan(15);
  expect(readConfig(env)).toEqual(readConfig({}));
});

test("defaults are those of the contract", () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    rateLimitPerMinute: 60,
    webhookMaxAttempts: 3,
    webhookRetryDelaysMs: [30_000, 120_000, 300_000],
    webhookTimeoutMs: 30_000,
    allowPrivateNetworks: false,
    role: "all",
  });
});

test.for([
  [{ PORT: "70000" }, /^PORT must be a whole number from 0 to 65535$/],
  [{ PORT: "3e3" }, /^PORT must/],
  [{ BASE_URL: "example.com" }, /^BASE_URL must be a URL/],
  [
    { DATABASE_URL: "mysql://h/d", SECRET_KEY: "k".repeat(32) },
    /^DATABASE_URL must be a URL that starts with postgres/,
  ],
  [{ DATABASE_URL: "postgres://h/d" }, /^SECRET_KEY is required with DATABASE_URL/],
  [{ SECRET_KEY: "short" }, /^SECRET_KEY must have at least 32 characters$/],
  [{ ROLE: "boss" }, /^ROLE must be one of all, web, worker$/],
  [{ ROLE: "worker" }, /^ROLE worker needs DATABASE_URL/],
  [{ ALLOW_PRIVATE_NETWORKS: "yes" }, /^ALLOW_PRIVATE_NETWORKS must be true or false$/],
  [{ WEBHOOK_RETRY_DELAYS: "30,x" }, /^WEBHOOK_RETRY_DELAYS must be/],
  [{ MAIL_FROM: "nobody" }, /^MAIL_FROM must be an e-mail address/],
  [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL must be one of/],
] as const)("%o is refused with one line that names the setting", ([env, line]) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(line);
});

test("no message repeats the value of a secret", () => {
  const value = "hunter2";
  for (const { name } of Object.values(settings)) {
    try {
      readConfig({ [name]: value });
    } catch (error) {
      expect((error as Error).message).not.toContain(value);
    }
  }
});

test("the settings cannot be changed once they are read", () => {
  expect(() => Object.assign(readConfig({}), { port: 1 })).toThrow(TypeError);
});
