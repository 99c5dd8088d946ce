// Everything that runs in this process, and everyone here who waits for an extraction to end, wherever it runs.
import { join } from "node:path";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { type Pump, startPump } from "../platform/queue/pump.ts";
import { end } from "./end.ts";
import {
  BEAT_MS,
  type Beat,
  beat,
  claimDue,
  type Extraction,
  handBack,
  isTerminal,
  MAX_LOSSES,
} from "./extractions.ts";
import { type Running, run } from "./run.ts";
import { Sandbox } from "./sandbox.ts";

/** Jobs after which a child is replaced; one that keeps too much memory goes earlier. */
const RECYCLE_AFTER = 5_000;
/** What still runs after this is handed to another process. */
const GRACE_MS = 5_000;

export interface Runner {
  /** Free places here, now; none where this process only answers HTTP. */
  hasRoom(): boolean;
  /** Runs an extraction that this process already holds. */
  start(extraction: Extraction): void;
  /** True once it has ended, false when the time is over first or this process stops. */
  waitForEnd(id: string, timeoutMs: number): Promise<boolean>;
  wake(): void;
  stop(): Promise<void>;
}

export function startRunner(app: App): Runner {
  const works = app.config.role !== "web";
  const sandbox = works ? openSandbox(app) : null;
  const running = new Map<string, Running>();
  const waiters = new Waiters();
  let stopping = false;

  const runOne = async (extraction: Extraction) => {
    const job: Running = { extraction, abort: new AbortController(), progress: null };
    running.set(extraction.id, job);
    app.metrics.running.set(running.size);
    try {
      if (extraction.losses >= MAX_LOSSES)
        await end(app, extraction, extraction.runs, { status: "failed", fault: new Fault("extraction_crashed") });
      else await run(app, sandbox!, job);
    } catch (error) {
      // Not the document's fault: the sandbox is closing, or the database is away. The lease brings it back.
      app.log.warn({ err: error, extraction: extraction.id }, "an extraction was put off");
      if (stopping) await handBack(app, extraction);
    } finally {
      running.delete(extraction.id);
      app.metrics.running.set(running.size);
    }
  };

  const held = new Set<Promise<void>>();
  const hasRoom = () => works && !stopping && running.size < app.config.jobsAtOnce;
  const pump: Pump | null = works
    ? startPump({
        name: "extractions",
        atOnce: app.config.jobsAtOnce,
        log: app.log,
        claim: async (room) => claimDue(app, Math.min(room, app.config.jobsAtOnce - running.size)),
        run: runOne,
      })
    : null;
  const heart = setInterval(() => void giveSigns(app, running), BEAT_MS);

  app.database.listen("extractions", () => pump?.wake());
  app.database.listen("extraction_ended", (id) => {
    if (id === null) return waiters.all();
    waiters.one(id);
    // Canceled or deleted by its owner, possibly on another machine.
    running.get(id)?.abort.abort();
  });

  return {
    hasRoom,
    start(extraction) {
      const done = runOne(extraction).finally(() => {
        held.delete(done);
        waiters.one(extraction.id);
        pump?.wake();
      });
      held.add(done);
    },
    async waitForEnd(id, timeoutMs) {
      const ended = waiters.wait(id, timeoutMs);
      // What runs elsewhere may have ended before we began to listen.
      if (!running.has(id) && (await hasEnded(app, id))) waiters.one(id);
      return ended;
    },
    wake: () => pump?.wake(),
    async stop() {
      stopping = true;
      const idle = Promise.all([pump?.stop(), ...held]);
      const grace = setTimeout(() => void sandbox?.close(), GRACE_MS);
      waiters.close(GRACE_MS);
      await idle;
      clearTimeout(grace);
      clearInterval(heart);
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
    log: app.log,
  });
}

async function hasEnded(app: App, id: string): Promise<boolean> {
  const row = await app.db.selectFrom("extractions").select("status").where("id", "=", id).executeTakeFirst();
  return !row || isTerminal(row.status);
}

async function giveSigns(app: App, running: Map<string, Running>): Promise<void> {
  if (running.size === 0) return;
  const beats: Beat[] = [...running.values()].map(({ extraction, progress }) => ({
    id: extraction.id,
    runs: extraction.runs,
    progress,
  }));
  await beat(app, beats).catch((error) => app.log.warn({ err: error }, "no sign of life could be given"));
}

/** Callers who wait, by extraction. */
class Waiters {
  readonly #byId = new Map<string, Set<(ended: boolean) => void>>();

  wait(id: string, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (ended: boolean) => {
        clearTimeout(timer);
        const set = this.#byId.get(id);
        set?.delete(settle);
        if (set?.size === 0) this.#byId.delete(id);
        resolve(ended);
      };
      const timer = setTimeout(() => settle(false), timeoutMs);
      const set = this.#byId.get(id) ?? new Set();
      set.add(settle);
      this.#byId.set(id, set);
    });
  }

  one(id: string): void {
    for (const settle of [...(this.#byId.get(id) ?? [])]) settle(true);
  }

  /** After a lost connection anything may have ended: let everyone look. */
  all(): void {
    for (const id of [...this.#byId.keys()]) this.one(id);
  }

  close(afterMs: number): void {
    setTimeout(() => {
      for (const set of [...this.#byId.values()]) for (const settle of [...set]) settle(false);
    }, afterMs).unref();
  }
}
