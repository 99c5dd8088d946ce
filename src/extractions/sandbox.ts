// The pool of child processes that extractions run in. A job that hangs, crashes or eats memory costs its own child and
// nothing else; the pool replaces the child at once. How a child is locked up: sandbox-process.ts.

import { join } from "node:path";
import { type ErrorCode, Fault } from "../errors.ts";
import { measureMemory } from "./sandbox-memory.ts";
import { type Child, type ChildEnd, startChild } from "./sandbox-process.ts";
import type { FromChild, Progress, SandboxJob, SandboxResult } from "./sandbox-protocol.ts";
import { explain, isResult, judge, toFault, toProgress } from "./sandbox-verdict.ts";

export type { Progress, SandboxJob, SandboxResult } from "./sandbox-protocol.ts";

/** A child fills 1 GB in about a second, so a look every 100 ms stops it 100 MB above its cap. Elsewhere a look is a process. */
const MEMORY_LOOK_MS = process.platform === "linux" ? 100 : 500;
/** A child that kept more than this share of the cap after a job is replaced: the next job gets its whole cap. */
const KEPT_MEMORY_SHARE = 0.5;
const MAX_WAITING = 1000; // callers look at `idle` first; this only bounds a mistake
const START_TIMEOUT_MS = 60_000; // 0.3 s alone, seconds on a machine under full load
/** Children that die before they are ready: waiting jobs are turned away after this many in a row. */
const MAX_FAILED_STARTS = 3;
const RESTART_DELAY_MS = 200; // doubles with each failed start in a row …
const MAX_RESTART_DELAY_MS = 30_000; // … up to here
/** A child may die between two jobs, just as it is handed one. Such a job goes to another child, this often. */
const MAX_HANDOVERS = 3;

export interface SandboxSettings {
  /** How many extractions run at once. */
  size: number;
  /** Resident memory a child may reach. */
  memoryBytes: number;
  /** Jobs after which a child is replaced, against slow leaks in native libraries. */
  recycleAfter: number;
  /** Files and folders inputs may be read from; a child can read nothing else but the program. */
  readable: string[];
  /** Another program for the children. */
  childModule?: string;
  log: SandboxLog;
}

export interface SandboxLog {
  debug(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface RunSettings {
  /** Counted from the moment a child takes the job. */
  deadlineMs: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

interface Run extends RunSettings {
  job: SandboxJob;
  handovers: number;
  resolve(result: SandboxResult): void;
  reject(fault: Fault): void;
}

/** A place for one child, kept filled until it has a successor or the sandbox closes. */
interface Slot {
  child: Child | null;
  state: "starting" | "ready" | "ending";
  jobs: number;
  run: Run | null;
  /** The child has said that it received the job. */
  started: boolean;
  memoryBytes: number;
  timer: NodeJS.Timeout | undefined;
  /** Takes over as soon as it is ready; until then this one goes on working. */
  successor: Slot | null;
}

export class Sandbox {
  readonly #settings: Required<SandboxSettings>;
  readonly #slots: Slot[] = [];
  readonly #waiting: Run[] = [];
  #failedStarts = 0;
  #memoryTimer: NodeJS.Timeout | undefined;
  #closed = false;
  #empty = Promise.withResolvers<void>();

  constructor(settings: SandboxSettings) {
    this.#settings = {
      ...settings,
      childModule: settings.childModule ?? join(import.meta.dirname, "sandbox-child.ts"),
    };
    for (let place = 0; place < settings.size; place++) this.#add();
  }

  /** Jobs that would run at once; children that are starting count, they take a job in a moment. */
  get idle(): number {
    return this.#closed || this.#broken ? 0 : Math.max(0, this.#free - this.#waiting.length);
  }

  run(job: SandboxJob, settings: RunSettings): Promise<SandboxResult> {
    if (this.#closed || this.#broken) return Promise.reject(new Fault("not_ready"));
    if (settings.signal?.aborted) return Promise.reject(new Fault("extraction_canceled"));
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(new Fault("overloaded"));
    return new Promise((resolve, reject) => {
      const cancel = () => this.#cancel(run);
      const run: Run = {
        ...settings,
        job,
        handovers: 0,
        resolve(result) {
          settings.signal?.removeEventListener("abort", cancel);
          resolve(result);
        },
        reject(fault) {
          settings.signal?.removeEventListener("abort", cancel);
          reject(fault);
        },
      };
      settings.signal?.addEventListener("abort", cancel);
      this.#waiting.push(run);
      this.#assign();
    });
  }

  /** Ends all children at once. What still runs is rejected with not_ready: let it end before, or run it again. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const run of this.#waiting.splice(0)) run.reject(new Fault("not_ready"));
    for (const slot of this.#slots) this.#discard(slot, new Fault("not_ready"));
    this.#watchMemory();
    this.#sayWhenEmpty();
    // Children do not keep the process alive, but whoever closes wants to see the end of it.
    const hold = setInterval(() => {}, 1000);
    await this.#empty.promise;
    clearInterval(hold);
  }

  #sayWhenEmpty(): void {
    if (this.#slots.every((slot) => slot.child === null)) this.#empty.resolve();
  }

  get #free(): number {
    return this.#settings.size - this.#slots.filter((slot) => slot.run !== null).length;
  }

  /** No child can be started: jobs are turned away until one can. */
  get #broken(): boolean {
    return this.#failedStarts >= MAX_FAILED_STARTS && this.#slots.every((slot) => slot.state !== "ready");
  }

  #add(): Slot {
    const slot: Slot = {
      ...{ child: null, state: "ending", jobs: 0, run: null, started: false },
      ...{ memoryBytes: 0, timer: undefined, successor: null },
    };
    this.#slots.push(slot);
    this.#fill(slot);
    return slot;
  }

  #fill(slot: Slot): void {
    const { childModule, memoryBytes, readable, log } = this.#settings;
    slot.jobs = 0;
    slot.state = "starting";
    const events = {
      message: (message: FromChild) => slot.child === child && this.#hear(slot, message),
      end: (end: ChildEnd) => this.#bury(slot, end),
    };
    let child: Child;
    try {
      child = startChild({ childModule, memoryBytes, readable }, events);
    } catch (error) {
      // The system has no memory or no process left for one more.
      this.#bury(slot, { code: null, signal: null, output: "", error: error as Error });
      return;
    }
    slot.child = child;
    slot.timer = setTimeout(() => {
      log.error({ pid: child.pid }, "sandbox child is not ready in time");
      child.kill();
    }, START_TIMEOUT_MS).unref();
  }

  #assign(): void {
    for (const slot of this.#slots) {
      if (this.#waiting.length === 0 || this.#free === 0) break;
      if (slot.state !== "ready" || slot.run !== null) continue;
      const run = this.#waiting.shift()!;
      slot.run = run;
      slot.started = false;
      slot.memoryBytes = 0;
      slot.timer = setTimeout(() => this.#stop(slot, run, "extraction_timeout"), run.deadlineMs);
      slot.child!.send(run.job);
    }
    this.#watchMemory();
  }

  #hear(slot: Slot, message: FromChild): void {
    if (message.type === "ready") {
      if (slot.state !== "starting") return;
      clearTimeout(slot.timer);
      slot.state = "ready";
      this.#failedStarts = 0;
      this.#relieve();
      this.#assign();
      return;
    }
    const run = slot.run;
    if (run === null) return; // already decided: the deadline or a cancel came first
    if (message.type === "started") slot.started = true;
    if (message.type === "progress") run.onProgress?.(toProgress(message));
    if (message.type === "fault") this.#settle(slot, message.keptBytes, () => run.reject(toFault(message)));
    if (message.type !== "result") return;
    const { keptBytes, type: _, ...result } = message;
    if (isResult(result)) this.#settle(slot, keptBytes, () => run.resolve(result));
    else this.#stop(slot, run, "extraction_crashed");
  }

  #settle(slot: Slot, keptBytes: number, settle: () => void): void {
    clearTimeout(slot.timer);
    slot.run = null;
    slot.jobs += 1;
    this.#logOutput(slot.child!);
    if (keptBytes > this.#settings.memoryBytes * KEPT_MEMORY_SHARE) this.#discard(slot, null);
    else if (slot.jobs >= this.#settings.recycleAfter) slot.successor ??= this.#add();
    settle();
    this.#relieve();
    this.#assign();
  }

  /** Ends the children that have done their share and whose successors are warm. */
  #relieve(): void {
    for (const slot of this.#slots) {
      if (slot.successor?.state === "ready" && slot.run === null) this.#discard(slot, null);
    }
  }

  #cancel(run: Run): void {
    const waiting = this.#waiting.indexOf(run);
    if (waiting >= 0) {
      this.#waiting.splice(waiting, 1);
      run.reject(new Fault("extraction_canceled"));
      return;
    }
    const slot = this.#slots.find((slot) => slot.run === run);
    if (slot) this.#stop(slot, run, "extraction_canceled");
  }

  #stop(slot: Slot, run: Run, code: ErrorCode): void {
    if (slot.run !== run) return;
    this.#settings.log.debug({ pid: slot.child?.pid, code, memoryBytes: slot.memoryBytes }, "sandbox child is killed");
    this.#discard(slot, new Fault(code, { detail: explain(code, this.#allow(run)) }));
  }

  #allow({ deadlineMs }: Run): { deadlineMs: number; memoryBytes: number } {
    return { deadlineMs, memoryBytes: this.#settings.memoryBytes };
  }

  /** The job is over at once, even where the system takes its time to end the process; its place is filled once it has. */
  #discard(slot: Slot, fault: Fault | null): void {
    clearTimeout(slot.timer);
    slot.state = "ending";
    const run = slot.run;
    slot.run = null;
    slot.child?.kill();
    if (fault) run?.reject(fault);
  }

  #bury(slot: Slot, end: ChildEnd): void {
    clearTimeout(slot.timer);
    const { run, state, child } = slot;
    slot.child = null;
    slot.run = null;
    if (this.#closed) {
      this.#sayWhenEmpty();
      return;
    }
    if (state === "starting") this.#countFailedStart(end);
    if (run && !slot.started && run.handovers < MAX_HANDOVERS) {
      run.handovers += 1;
      this.#waiting.unshift(run);
    } else if (run) {
      const code = judge(end, slot.memoryBytes, this.#allow(run));
      this.#settings.log.warn({ pid: child?.pid, fault: code, ...end }, "sandbox child ended in the middle of a job");
      run.reject(new Fault(code, { detail: explain(code, this.#allow(run)), cause: end }));
    }
    if (slot.successor) this.#slots.splice(this.#slots.indexOf(slot), 1);
    else if (this.#failedStarts === 0) this.#fill(slot);
    else slot.timer = setTimeout(() => this.#fill(slot), this.#restartDelayMs()).unref();
    this.#assign();
  }

  #countFailedStart(end: ChildEnd): void {
    this.#failedStarts += 1;
    this.#settings.log.error({ ...end, failedStarts: this.#failedStarts }, "sandbox child did not start");
    if (this.#broken) for (const run of this.#waiting.splice(0)) run.reject(new Fault("not_ready", { cause: end }));
  }

  #restartDelayMs(): number {
    return Math.min(RESTART_DELAY_MS * 2 ** (this.#failedStarts - 1), MAX_RESTART_DELAY_MS);
  }

  /** Runs only while there is work; being a live timer it also keeps the process from ending under a waiting job. */
  #watchMemory(): void {
    const work = this.#waiting.length > 0 || this.#slots.some((slot) => slot.run !== null);
    if (work && this.#memoryTimer === undefined) {
      this.#memoryTimer = setInterval(() => void this.#lookAtMemory(), MEMORY_LOOK_MS);
    }
    if (!work) {
      clearInterval(this.#memoryTimer);
      this.#memoryTimer = undefined;
    }
  }

  async #lookAtMemory(): Promise<void> {
    this.#watchMemory();
    const busy = this.#slots.flatMap((slot) =>
      slot.run && slot.child?.pid ? [{ slot, run: slot.run, pid: slot.child.pid }] : [],
    );
    const memory = await measureMemory(busy.map(({ pid }) => pid));
    for (const { slot, run, pid } of busy) {
      if (slot.run !== run) continue;
      slot.memoryBytes = memory.get(pid) ?? slot.memoryBytes;
      if (slot.memoryBytes > this.#settings.memoryBytes) this.#stop(slot, run, "extraction_out_of_memory");
    }
  }

  #logOutput(child: Child): void {
    const output = child.takeOutput();
    if (output !== "") this.#settings.log.debug({ pid: child.pid, output }, "sandbox child printed");
  }
}
