// The options of an extraction as callers write them, checked into those the engine takes; and how a mistake in them is told.
import { z } from "zod";
import { Fault } from "../errors.ts";
import { defaultOptions, type ExtractOptions } from "../extract/extract.ts";
import { presetNames } from "../extract/fields/presets.ts";
import { parts } from "../extract/output/result.ts";

/** Page numbers in options[pages]; far above any limit on pages, and small enough to list. */
const MAX_PAGE_NUMBERS = 10_000;

const yes = new Set([true, "true", "1", 1]);
const no = new Set([false, "false", "0", 0]);
const Flag = z.unknown().transform((value, context) => {
  if (yes.has(value as never)) return true;
  if (no.has(value as never)) return false;
  context.addIssue("must be true or false");
  return z.NEVER;
});

/** "a,b" or ["a", "b"]. */
const list = <T extends string>(item: z.ZodType<T>) =>
  z.preprocess(
    (value) => (typeof value === "string" ? value.split(",").map((word) => word.trim()) : value),
    z.array(item).min(1).max(20),
  );

const Pages = z.string().transform((text, context) => {
  const numbers = new Set<number>();
  for (const range of text.split(",")) {
    const [, from, to] = /^\s*(\d{1,7})\s*(?:-\s*(\d{1,7})\s*)?$/.exec(range) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (!first || last < first || last - first + numbers.size > MAX_PAGE_NUMBERS) {
      context.addIssue("must be page numbers and ranges, such as 1-3,7");
      return z.NEVER;
    }
    for (let page = first; page <= last; page++) numbers.add(page);
  }
  return [...numbers].sort((a, b) => a - b);
});

export const Options = z.strictObject({
  async: Flag.optional(),
  pages: Pages.optional(),
  ocr: z.enum(["auto", "always", "never"]).optional(),
  languages: list(z.string().min(1).max(20)).optional(),
  main_content: Flag.optional(),
  preset: z.enum(presetNames as [string, ...string[]]).optional(),
  password: z.string().max(1000).optional(),
  include: list(z.enum(parts as unknown as [(typeof parts)[number], ...(typeof parts)[number][]])).optional(),
});

/** What the engine takes, with its defaults for what was not said. */
export function engineOptions({ async: _, password: __, ...said }: z.infer<typeof Options>): ExtractOptions {
  const chosen = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return { ...defaultOptions, ...(chosen as Partial<ExtractOptions>) };
}

export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw unusable(
    result.error.issues.flatMap((issue) => {
      const pointer = issue.path.map((step) => `/${String(step)}`).join("");
      return issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ pointer: `${pointer}/${key}`, message: "is not a parameter" }))
        : [{ pointer, message: issue.message }];
    }),
  );
}

export function unusable(errors: { pointer: string; message: string }[]): Fault {
  return new Fault("invalid_request", {
    detail: errors.map(({ pointer, message }) => `${pointer.slice(1) || "body"}: ${message}`).join("; "),
    errors,
  });
}
