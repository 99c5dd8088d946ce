import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    // Real processes, databases and browsers on a shared machine: once more before a failure counts. What is broken fails twice.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
