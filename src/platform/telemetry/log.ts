// Structured logs, one JSON object a line. Secrets are kept out by never logging headers, bodies, query strings or
// settings; redaction is the second line of defence.
import { type Logger, pino } from "pino";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error" | "child">;

const SECRET_NAMES = [
  "authorization", "cookie", "password", "api_key", "apiKey", "webhook_secret", "secret", "token", "secretKey", "connectionString",
]; // biome-ignore format: a list of words

/** A key that slipped into a message or an error's text. */
const SECRET_TEXT =
  /ext_live_[0-9A-Za-z]{32}|whsec_[0-9A-Za-z+/=]{20,}|(?<=\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)|(?<=[?&]token=)[\w-]+/g;

export function openLog(level: string, destination?: { write(line: string): void }): Log {
  const target = destination ?? { write: (line: string) => process.stdout.write(line) };
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "[secret]" },
    },
    { write: (line: string) => target.write(line.replace(SECRET_TEXT, "[secret]")) },
  );
}
