// Everything that runs in this process, and everyone here who waits for an extraction to end, wherever it runs.
import { join } from "node:path";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { type Pump, startPump } from "../platform/queue/pump.ts";
import { type Ended, end } from "./end.ts";
import {
  BEAT_MS,
  beat,
  claimDue,
  type Extraction,
  findEnded,
  handBack,
  LEASE_MS,
  MAX_LOSSES,
  passTurns,
} from "./extractions.ts";
import { type Running, run } from "./run.ts";
import { Sandbox } from "./sandbox.ts";
import { Waiters } from "./waiters.ts";

/** Jobs after which a child is replaced; one that keeps too much memory goes earlier. */
const RECYCLE_AFTER = 5_000;
/** What still runs after this is handed to another process. */
const GRACE_MS = 5_000;

/** Room for one extraction, kept for whoever holds it. */
export interface Place {
  /** Runs an extraction that is already leased to this process. */
  start(extraction: Extraction): void;
  /** Once, and after `start` of no effect. */
  release(): void;
}

export interface Runner {
  /** Null where there is no room now, where others are due before, and where this process only answers HTTP. */
  takePlace(): Place | null;
  /** How it ended, if it did so here; null when it ended elsewhere, the time is over or this process stops: then look. */
  waitForEnd(id: string, timeoutMs: number): Promise<Ended | null>;
  stop(): Promise<void>;
}

export function startRunner(app: App): Runner {
  const sandbox = app.config.role === "web" ? null : openSandbox(app);
  const running = new Map<string, Running>();
  const held = new Set<Promise<void>>();
  const waiters = new Waiters();
  /** Places in use or kept for someone. */
  let taken = 0;
  /** More may be due than was claimed last. */
  let behind = true;
  let stopping = false;

  const free = () => (sandbox && !stopping ? Math.min(app.config.jobsAtOnce - taken, sandbox.idle) : 0);

  const runOne = async (extraction: Extraction) => {
    const job: Running = { extraction, abort: new AbortController(), progress: null };
    running.set(extraction.id, job);
    app.metrics.running.set(running.size);
    try {
      const ended = await runOrGiveUp(app, sandbox!, job);
      waiters.tell(extraction.id, ended);
    } catch (error) {
      await putOff(app, extraction, error, stopping);
    } finally {
      running.delete(extraction.id);
      app.metrics.running.set(running.size);
      taken--;
      if (behind) pump?.wake();
    }
  };

  const pump: Pump | null = sandbox
    ? startPump({
        name: "extractions",
        atOnce: app.config.jobsAtOnce,
        log: app.log,
        async claim(room) {
          const places = Math.min(room, free());
          if (places <= 0) return [];
          behind = false;
          taken += places;
          let claimed: Extraction[] = [];
          try {
            await passTurns(app);
            claimed = await claimDue(app, places);
          } finally {
            taken -= places - claimed.length;
          }
          if (claimed.length === places) behind = true;
          return claimed;
        },
        run: runOne,
      })
    : null;
  const heart = setInterval(() => void giveSigns(app, running), BEAT_MS);

  app.database.listen("extractions", () => {
    behind = true;
    pump?.wake();
  });
  app.database.listen("extraction_ended", (id) => {
    // After a lost connection anything may have ended.
    if (id === null) return void lookFor(app, waiters, waiters.ids());
    const own = running.get(id);
    if (!own) return waiters.tell(id, null);
    // Canceled or deleted by its owner, possibly on another machine; or the echo of our own end, which is about to be told.
    own.abort.abort();
  });

  return {
    takePlace() {
      if (behind || free() <= 0) return null;
      taken++;
      let used = false;
      return {
        start(extraction) {
          used = true;
          const done = runOne(extraction).finally(() => held.delete(done));
          held.add(done);
        },
        release() {
          if (used) return;
          used = true;
          taken--;
          if (behind) pump?.wake();
        },
      };
    },
    async waitForEnd(id, timeoutMs) {
      const ended = waiters.wait(id, timeoutMs);
      // What runs elsewhere may have ended before we began to listen.
      if (!running.has(id)) await lookFor(app, waiters, [id]);
      return ended;
    },
    async stop() {
      stopping = true;
      const idle = Promise.all([pump?.stop(), ...held]);
      const grace = setTimeout(() => {
        for (const { abort } of running.values()) abort.abort(new Fault("not_ready"));
        void sandbox?.close();
        waiters.close();
      }, GRACE_MS);
      await idle;
      clearTimeout(grace);
      clearInterval(heart);
      waiters.close();
      await sandbox?.close();
    },
  };
}

function openSandbox(app: App): Sandbox {
  return new Sandbox({
    size: app.config.jobsAtOnce,
    memoryBytes: app.config.jobMemoryMb * 2 ** 20,
    recycleAfter: RECYCLE_AFTER,
    readable: [join(app.config.dataDir, "blobs")],
    childModule: app.childModule,
    log: app.log,
  });
}

function runOrGiveUp(app: App, sandbox: Sandbox, job: Running): Promise<Ended | null> {
  const { extraction } = job;
  if (extraction.losses < MAX_LOSSES) return run(app, sandbox, job);
  return end(app, extraction, extraction.runs, { status: "failed", fault: new Fault("extraction_crashed") });
}

/** What broke was not the document. Where no child can work nothing is lost by waiting; anything else counts as a loss. */
async function putOff(app: App, extraction: Extraction, error: unknown, stopping: boolean): Promise<void> {
  app.log.warn({ err: error, extraction: extraction.id }, "an extraction was put off");
  const blameless = error instanceof Fault && (error.code === "not_ready" || error.code === "overloaded");
  if (!stopping && !blameless) return;
  await handBack(app, extraction, { delayMs: stopping ? 0 : LEASE_MS }).catch((cause) =>
    app.log.warn({ err: cause, extraction: extraction.id }, "an extraction could not be handed back"),
  );
}

async function lookFor(app: App, waiters: Waiters, ids: string[]): Promise<void> {
  const ended = await findEnded(app, ids).catch((error) => {
    app.log.warn({ err: error }, "could not look who has ended");
    return [];
  });
  for (const id of ended) waiters.tell(id, null);
}

/** What turns out to be no longer ours is stopped: canceled, deleted, or taken for lost and run by another. */
async function giveSigns(app: App, running: Map<string, Running>): Promise<void> {
  if (running.size === 0) return;
  const jobs = [...running.values()];
  const beats = jobs.map(({ extraction: { id, runs }, progress }) => ({ id, runs, progress }));
  try {
    const ours = await beat(app, beats);
    for (const { extraction, abort } of jobs) if (!ours.has(extraction.id)) abort.abort();
  } catch (error) {
    app.log.warn({ err: error }, "no sign of life could be given");
  }
}
