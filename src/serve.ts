// A running service: opened, listening, working in the background, and ended in the reverse order.
import type { AddressInfo } from "node:net";
import { startForgetting } from "./accounts/forget.ts";
import { startMailing } from "./accounts/mails.ts";
import { type App, openApp, type World } from "./app.ts";
import { startBilling } from "./billing/billing.ts";
import { type Config, ConfigError } from "./config.ts";
import { eraseDelivered, startErasing } from "./extractions/erase.ts";
import { startRunner } from "./extractions/runner.ts";
import { buildServer } from "./http/server.ts";
import type { Pump } from "./platform/queue/pump.ts";

import { startDelivering } from "./webhooks/deliver.ts";

/** The whole shutdown stays below the 10 seconds that most supervisors grant. */
const SHUTDOWN_MS = 9_000;

export interface Service {
  app: App;
  pumps: Pump[];
  stop(): Promise<void>;
}

export async function startService(config: Config, world: World = {}): Promise<Service> {
  const app = await openApp(config, world);
  const state = { draining: false };
  const runner = startRunner(app);
  const server = config.role === "worker" ? null : await buildServer(app, runner, state);
  try {
    await server?.listen({ port: config.port, host: config.host });
  } catch (error) {
    await runner.stop();
    await app.close();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      code === "EADDRINUSE"
        ? `port ${config.port} is taken; set PORT to another`
        : `HOST ${config.host} and PORT ${config.port} cannot be listened on: ${message}`,
      { cause: error },
    );
  }
  const { port } = (server?.server.address() ?? { port: config.port }) as AddressInfo;
  if (!config.baseUrl) app.baseUrl = `http://${reachable(config.host)}:${port}`;
  const pumps = config.role === "web" ? [] : startWork(app);
  return {
    app,
    pumps,
    async stop() {
      state.draining = true;
      await Promise.all([server?.close(), runner.stop(), ...pumps.map((pump) => pump.stop())]);
      await app.close();
    },
  };
}

const startWork = (app: App): Pump[] => [
  startMailing(app),
  startForgetting(app),
  startErasing(app),
  ...startBilling(app),
  startDelivering(app, (extractionId) => eraseDelivered(app, extractionId)),
];

/** Where a browser on this machine reaches what listens there. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** Runs until told to stop. A signal that comes while it starts is obeyed too, or the database would be left running. */
export async function serve(config: Config): Promise<void> {
  const told = Promise.withResolvers<string>();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
      told.resolve(signal);
    });
  const { app, stop } = await startService(config);
  if (config.role !== "worker")
    console.log(
      `\nExtraction Service ${config.version}\n  sign up   ${app.baseUrl}/register\n  API docs  ${app.baseUrl}/docs\n`,
    );
  app.log.info({ signal: await told.promise }, "stopping");
  await stop();
  process.exit(0);
}
