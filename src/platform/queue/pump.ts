// Drives work that waits in a table. A claim takes due rows and moves their `run_at` into the future, so that a row whose
// worker dies comes due again by itself. See docs/decisions/0001-the-row-is-the-job.md.
import type { Log } from "../telemetry/log.ts";

/** Rows whose time has come without an announcement: retries, and what a dead worker held. */
const POLL_MS = 1_000;

export interface Pump {
  /** Something new may be due. */
  wake(): void;
  /** Claims no more; resolves when what runs has ended. */
  stop(): Promise<void>;
}

export interface Work<Job> {
  name: string;
  /** How many may run at once. */
  atOnce: number;
  claim(room: number): Promise<Job[]>;
  /** Must record its own failures; what it throws is only logged, and the row comes due again after its lease. */
  run(job: Job): Promise<void>;
  log: Log;
}

export function startPump<Job>({ name, atOnce, claim, run, log }: Work<Job>): Pump {
  const running = new Set<Promise<void>>();
  let stopped = false;
  let woken = true;
  let rest: PromiseWithResolvers<void> | undefined;

  const wake = () => {
    woken = true;
    rest?.resolve();
  };

  const begin = (job: Job) => {
    const done = run(job)
      .catch((error) => log.error({ err: error, work: name }, "a job broke; its row comes due again"))
      .finally(() => {
        running.delete(done);
        wake();
      });
    running.add(done);
  };

  const loop = async () => {
    while (!stopped) {
      woken = false;
      const room = atOnce - running.size;
      const jobs =
        room > 0
          ? await claim(room).catch((error) => {
              log.warn({ err: error, work: name }, "no work could be claimed");
              return [];
            })
          : [];
      for (const job of jobs) begin(job);
      // More may be due than one claim takes; a failed or empty one waits, so that a broken database is not hammered.
      if (jobs.length > 0) continue;
      if (woken || stopped) continue;
      rest = Promise.withResolvers();
      const timer = setTimeout(wake, POLL_MS);
      await rest.promise;
      clearTimeout(timer);
    }
  };
  const finished = loop();

  return {
    wake,
    async stop() {
      stopped = true;
      wake();
      await finished;
      await Promise.allSettled(running);
    },
  };
}
