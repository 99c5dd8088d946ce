// One bound on everything an exchange does: time, the caller's signal, closing. Its end, whichever it is, runs what was
// registered to be let go.

import { OutboundError } from "./outbound-error.ts";

export interface Deadline {
  signal: AbortSignal;
  /** Runs at the end, whichever it is: done, out of time, canceled. */
  onEnd(act: (reason: Error) => void): void;
  abort(reason: OutboundError): void;
  end(): void;
}

export function startDeadline(timeoutMs: number, outer: AbortSignal | undefined, onOver: () => void): Deadline {
  const controller = new AbortController();
  const acts: ((reason: Error) => void)[] = [];
  const finish = (reason: Error) => {
    clearTimeout(timer);
    outer?.removeEventListener("abort", cancel);
    for (const act of acts.splice(0)) act(reason);
    onOver();
  };
  const abort = (reason: OutboundError) => {
    controller.abort(reason);
    finish(reason);
  };
  const cancel = () => abort(new OutboundError("canceled"));
  const timer = setTimeout(() => abort(new OutboundError("timeout")), timeoutMs);
  outer?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    onEnd: (act) => void acts.push(act),
    abort,
    end: () => finish(new Error("The exchange is over")),
  };
}
