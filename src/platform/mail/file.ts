// Where no SMTP server is set: each mail is a file that any mail program opens, and a line in the log that names the file.
import { randomUUIDv7 } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../telemetry/log.ts";
import type { Mailer } from "./mail.ts";

export function openFileMailer(folder: string, from: string, log: Log): Mailer {
  return {
    async send({ to, subject, text }) {
      const id = randomUUIDv7();
      const file = join(folder, `${id}.eml`);
      // Written plainly, without the encodings of the wire, so that the link in it can be clicked or cut out as it stands.
      const message = [
        `From: ${from}`,
        `To: ${to}`,
        `Subject: ${subject}`,
        `Date: ${new Date().toUTCString()}`,
        `Message-ID: <${id}@extraction-service>`,
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "",
        text,
      ].join("\n");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Moved into place, so that whoever watches the folder never reads half a mail.
      await writeFile(`${file}.part`, message, { mode: 0o600 });
      await rename(`${file}.part`, file);
      log.info({ to, subject, file }, "mail written to a file; set SMTP_URL to send it");
    },
    async close() {},
  };
}
