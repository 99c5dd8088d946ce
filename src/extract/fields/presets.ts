// The named schemas of ours. Each is an ordinary JSON Schema a caller could have sent.

import { article } from "./presets/article.ts";
import { contract } from "./presets/contract.ts";
import { invoice } from "./presets/invoice.ts";
import { receipt } from "./presets/receipt.ts";
import { resume } from "./presets/resume.ts";

const presets: Record<string, unknown> = { receipt, invoice, article, resume, contract };

export const presetNames: readonly string[] = Object.keys(presets);

export function presetSchema(name: string): unknown | undefined {
  return Object.hasOwn(presets, name) ? presets[name] : undefined;
}
