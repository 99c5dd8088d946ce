// Starts one sandbox child and locks it up: no secrets in its environment, no right to write files, start processes or
// open sockets, a capped heap, low priority. What it prints is kept, the last few kilobytes of it.

import { type ChildProcess, fork } from "node:child_process";
import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { FromChild, SandboxJob } from "./sandbox-protocol.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The program and nothing else of its folder: `.env` and the data folder often lie beside it. */
const PROGRAM = ["src", "node_modules", "package.json"].map((name) => join(ROOT, name));

/** Share of the memory cap V8 may take. Above it V8 aborts and says so; the rest is for native libraries. */
const HEAP_SHARE = 0.75;
const MAX_OUTPUT_LENGTH = 8 * 1024; // V8's last words before an out-of-memory abort are 3 KB
const SHELL = "/bin/sh";
/** No core file of the size of the job for each crash; no file written even by native code (-f 0: EFBIG). */
const LIMIT_AND_EXEC = 'ulimit -c 0; ulimit -f 0; exec "$@"';

export interface ChildSettings {
  childModule: string;
  memoryBytes: number;
  /** Files and folders with inputs. */
  readable: string[];
}

export interface ChildEvents {
  message(message: FromChild): void;
  /** Once, also when the child could not be started at all. */
  end(end: ChildEnd): void;
}

export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
  error?: Error;
}

export interface Child {
  pid: number | undefined;
  send(job: SandboxJob): void;
  kill(): void;
  /** What the child printed since the last call. */
  takeOutput(): string;
}

export function startChild(settings: ChildSettings, events: ChildEvents): Child {
  const flags = listFlags(settings);
  const limited = existsSync(SHELL);
  const child = fork(settings.childModule, [String(process.pid)], {
    execPath: limited ? SHELL : process.execPath,
    execArgv: limited ? ["-c", LIMIT_AND_EXEC, "sh", process.execPath, ...flags] : flags,
    // UTC: the same document must not read differently on another machine. Two malloc arenas: with one a core, glibc
    // keeps far more freed memory than native libraries ever give back.
    env: { TZ: "UTC", LANG: "C.UTF-8", MALLOC_ARENA_MAX: "2" },
    cwd: "/",
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  if (child.pid !== undefined) yieldToService(child.pid);
  release(child);

  let output = "";
  const keepTail = (text: string) => {
    output = (output + text).slice(-MAX_OUTPUT_LENGTH);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", keepTail);

  let ended = false;
  const end = (ending: Omit<ChildEnd, "output">) => {
    if (ended) return;
    ended = true;
    events.end({ ...ending, output });
  };
  child.on("message", (message) => events.message(message as FromChild));
  // "close" and not "exit": only then has all of stderr arrived, which tells out of memory from a crash.
  child.on("close", (code, signal) => end({ code, signal }));
  child.on("error", (error) => child.pid === undefined && end({ code: null, signal: null, error }));

  return {
    pid: child.pid,
    // A child that is gone reports through its end; the callback keeps the failed send from being thrown.
    send: (job) => void child.send(job, () => {}),
    kill: () => void child.kill("SIGKILL"),
    takeOutput() {
      const taken = output;
      output = "";
      return taken;
    },
  };
}

function listFlags({ childModule, memoryBytes, readable }: ChildSettings): string[] {
  // Paths count as they are written and as the module loader resolves them, where links are in between.
  const written = [...PROGRAM, dirname(childModule), ...readable];
  const paths = new Set(written.flatMap((path) => [path, resolveLinks(path)]));
  return [
    `--max-old-space-size=${Math.floor((memoryBytes * HEAP_SHARE) / 2 ** 20)}`,
    "--permission",
    "--allow-addons", // liteparse, onnxruntime and sharp are native
    "--allow-worker", // the watchdog
    "--disable-warning=SecurityWarning", // the two flags above, at every start
    "--disable-warning=ExperimentalWarning",
    // With and without the star: a folder that does not exist yet would be taken for a file.
    ...[...paths].flatMap((path) => [`--allow-fs-read=${path}`, `--allow-fs-read=${join(path, "*")}`]),
  ];
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Before the child has threads, so that all of them inherit it. Both are courtesies: a system that refuses is fine. */
function yieldToService(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    // When the machine runs out of memory the kernel takes a child, whose job fails, and not the service or database.
    if (process.platform === "linux") writeFileSync(`/proc/${pid}/oom_score_adj`, "800");
  } catch {}
}

/** An idle child must not keep the service from ending; a running job has timers that do. */
function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as (Readable & { unref?(): void }) | null)?.unref?.();
}
