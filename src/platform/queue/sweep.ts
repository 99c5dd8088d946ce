// Work that comes round: done now and then by every worker, and harmless when two do it at once.
import type { Log } from "../telemetry/log.ts";
import type { Pump } from "./pump.ts";

export interface Round {
  name: string;
  everyMs: number;
  sweep(): Promise<void>;
  log: Log;
}

export function startSweeping({ name, everyMs, sweep, log }: Round): Pump {
  let sweeping: Promise<void> | undefined;
  const wake = () => {
    sweeping ??= sweep()
      .catch((error) => log.warn({ err: error, work: name }, "a sweep failed; the next one tries again"))
      .finally(() => {
        sweeping = undefined;
      });
  };
  const timer = setInterval(wake, everyMs);
  return {
    wake,
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
