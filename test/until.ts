// Waiting for what another process or a background worker does: looked for often, given up with a clear error.
import { setTimeout as delay } from "node:timers/promises";

const EVERY_MS = 20;
/** Far above what any of it takes, so that a loaded machine does not fail the test. */
const DEADLINE_MS = 60_000;

/** The first answer that is neither undefined, null nor false. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found as Exclude<T, undefined | null | false>;
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await delay(EVERY_MS);
  }
}
