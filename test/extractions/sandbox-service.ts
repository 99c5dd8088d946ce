// A process that uses a sandbox and prints the id of its child. "idle": the child waits for a job, and nothing else keeps
// the process alive. "spin": the child is stuck in a loop.

import { makeJob, openSandbox } from "./sandbox-setup.ts";

const sandbox = openSandbox({ size: 1 });
const { json } = await sandbox.run(makeJob("pid"), { deadlineMs: 60_000 });
const pid = json.toString();
if (process.argv[2] === "idle") console.log(pid);
else await sandbox.run(makeJob("progress, then spin"), { deadlineMs: 600_000, onProgress: () => console.log(pid) });
