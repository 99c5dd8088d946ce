// How much memory a process holds, as the system sees it: native libraries allocate outside of V8's heap, so only the
// resident size tells.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

const PS_TIMEOUT_MS = 2000;

/** Bytes by process id; a process that is gone is left out. */
export async function measureMemory(pids: number[]): Promise<Map<number, number>> {
  if (pids.length === 0) return new Map();
  return process.platform === "linux" ? readProc(pids) : await askPs(pids);
}

function readProc(pids: number[]): Map<number, number> {
  const memory = new Map<number, number>();
  for (const pid of pids) {
    try {
      // Sync on purpose: 20 µs, against a trip through the thread pool that a busy service may have filled.
      const status = readFileSync(`/proc/${pid}/status`, "latin1");
      // Swapped pages count: a child must not escape its cap by pushing the machine into swap.
      memory.set(pid, readKilobytes(status, "VmRSS") + readKilobytes(status, "VmSwap"));
    } catch {
      // The process has ended between two looks.
    }
  }
  return memory;
}

function readKilobytes(status: string, field: string): number {
  const start = status.indexOf(`${field}:`);
  return start < 0 ? 0 : Number.parseInt(status.slice(start + field.length + 1, start + 40), 10) * 1024;
}

function askPs(pids: number[]): Promise<Map<number, number>> {
  return new Promise((resolve) => {
    const command = ["-o", "pid=,rss=", "-p", pids.join(",")];
    execFile("ps", command, { timeout: PS_TIMEOUT_MS }, (_error, stdout) => {
      // ps fails when one of the processes is gone and still lists the others.
      const memory = new Map<number, number>();
      for (const line of stdout.split("\n")) {
        const [pid, kilobytes] = line.trim().split(/\s+/).map(Number);
        if (pid && kilobytes !== undefined) memory.set(pid, kilobytes * 1024);
      }
      resolve(memory);
    });
  });
}
