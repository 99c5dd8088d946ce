// Those in this process who wait for an extraction to end, by its id.
import type { Ended } from "./end.ts";

type Settle = (ended: Ended | null) => void;

export class Waiters {
  readonly #byId = new Map<string, Set<Settle>>();
  #closed = false;

  /** What `tell` brings, or null when the time is over. */
  wait(id: string, timeoutMs: number): Promise<Ended | null> {
    if (this.#closed) return Promise.resolve(null);
    return new Promise((resolve) => {
      const settle: Settle = (ended) => {
        clearTimeout(timer);
        const all = this.#byId.get(id);
        all?.delete(settle);
        if (all?.size === 0) this.#byId.delete(id);
        resolve(ended);
      };
      const timer = setTimeout(settle, timeoutMs, null);
      const all = this.#byId.get(id) ?? new Set();
      all.add(settle);
      this.#byId.set(id, all);
    });
  }

  tell(id: string, ended: Ended | null): void {
    for (const settle of [...(this.#byId.get(id) ?? [])]) settle(ended);
  }

  ids(): string[] {
    return [...this.#byId.keys()];
  }

  /** Nobody waits any longer. */
  close(): void {
    this.#closed = true;
    for (const id of this.ids()) this.tell(id, null);
  }
}
