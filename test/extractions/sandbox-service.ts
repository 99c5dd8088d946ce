// A process that uses a sandbox and prints the id of its child. "idle": the child waits for a job, and nothing else keeps
// the process alive. "close": it closes the sandbox and says so. "spin": the child is stuck in a loop.

import { makeJob, openSandbox } from "./sandbox-setup.ts";

const sandbox = openSandbox({ size: 1 });
const { json } = await sandbox.run(makeJob("pid"), { deadlineMs: 60_000 });
const pid = json.toString();
const mode = process.argv[2];
if (mode === "idle") console.log(pid);
if (mode === "close") await sandbox.close().then(() => console.log(pid));
if (mode === "spin") {
  await sandbox.run(makeJob("progress, then spin"), { deadlineMs: 600_000, onProgress: () => console.log(pid) });
}
