// Whether an error says that the database cannot be reached now: it restarts, fails over, or has no connection left.

/** SQLSTATE classes and codes: connection lost, too many connections, shutting down or starting. */
const AWAY = /^(08|53300|57P0[123])/;
const BROKEN = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT"]);
/** What the driver says without a code. */
const WORDS =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code && AWAY.test(code)) return true;
  // A file that is missing is no database that is.
  if (code && BROKEN.has(code)) return syscall === "connect" || syscall === "read" || syscall === "write";
  return WORDS.test(error.message);
}
