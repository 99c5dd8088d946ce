// Amounts that must agree: subtotal and tax make the total, what was paid less the change is the total.

import type { Finder } from "./finder.ts";
import type { Want } from "./plan.ts";
import type { Candidate } from "./spans.ts";

export function reviewTotals(_wants: Map<string, Want>, _found: Map<string, Candidate[]>, _finder: Finder): void {}
