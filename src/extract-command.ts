// `extract FILE`: the same JSON as the service's, without server or account.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { ConfigError } from "./config.ts";
import { Fault } from "./errors.ts";
import { defaultLimits, extract } from "./extract/extract.ts";
import { checked, engineOptions, Options } from "./http/options.ts";

const flags = {
  schema: { type: "string" },
  pages: { type: "string" },
  ocr: { type: "string" },
  languages: { type: "string" },
  main_content: { type: "string" },
  preset: { type: "string" },
  password: { type: "string" },
  include: { type: "string" },
} as const;

export async function extractCommand(args: string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const [file] = positionals;
  if (!file || positionals.length > 1)
    throw new ConfigError("usage: extract FILE [--schema FILE.json] [--preset NAME] [--pages 1-3] …");
  const { schema, ...said } = values;
  try {
    const options = checked(Options, said);
    const bytes = await readFile(file);
    const request = {
      bytes,
      name: basename(file),
      contentType: null,
      url: null,
      options: { ...engineOptions(options), password: options.password ?? null },
      schema: schema === undefined ? null : await readSchema(schema),
      limits: defaultLimits,
    };
    const result = await extract(request, showProgress);
    const source = {
      ...result.source,
      name: request.name,
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      url: null,
    };
    process.stdout.write(`${JSON.stringify({ ...result, source }, null, process.stdout.isTTY ? 2 : undefined)}\n`);
  } catch (error) {
    if (error instanceof Fault) throw new ConfigError(`${error.code}: ${error.detail ?? error.message}`);
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new ConfigError(`there is no file ${(error as NodeJS.ErrnoException).path}`);
    throw error;
  } finally {
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: flags });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

/** JSON itself, or the name of a file that holds it. */
async function readSchema(text: string): Promise<unknown> {
  try {
    return JSON.parse(text.trimStart().startsWith("{") ? text : await readFile(text, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ConfigError("--schema must be JSON or the name of a JSON file");
    throw error;
  }
}

function showProgress(stage: string, done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${stage}${total > 1 ? ` ${done} of ${total}` : ""}`);
}
