// Mails over SMTP, on connections that are kept open.
import { createTransport } from "nodemailer";
import type { Mailer } from "./mail.ts";

const TIMEOUT_MS = 20_000;

export function openSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail });
    },
    async close() {
      transport.close();
    },
  };
}
