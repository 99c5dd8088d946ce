// Ends a sandbox child when the service that started it is gone. A child whose main thread is stuck in a loop or in native
// code never sees its channel close; a thread of its own does not depend on it.

import { Worker } from "node:worker_threads";

const POLL_MS = 500; // one getppid() each, 0.5 ms of processor time a second; an orphan lives half a second
/** Plain JavaScript in a string and not a file: a thread that loads TypeScript costs 19 MB in place of 9. */
const WATCHDOG = `
  const { workerData } = require("node:worker_threads");
  setInterval(() => {
    if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL");
  }, ${POLL_MS});
`;

export function watchParent(parentPid: number): void {
  // SIGKILL and not exit(): exit handlers of native libraries may wait for threads that are stuck.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  new Worker(WATCHDOG, { eval: true, workerData: parentPid, resourceLimits }).unref();
}
