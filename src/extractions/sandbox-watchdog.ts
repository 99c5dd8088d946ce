// Runs as a thread of a sandbox child and ends the child when the service that started it is gone. A child whose main
// thread is stuck in a loop or in native code never sees its channel close; this thread has its own event loop.

import { workerData } from "node:worker_threads";

const POLL_MS = 500; // one getppid() each: nothing next to a job, and an orphan lives half a second

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL");
}, POLL_MS);
