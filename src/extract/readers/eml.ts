// EML: a mail in MIME, taken apart by postal-mime.

import PostalMime, { type Address, type Email } from "postal-mime";
import { Fault } from "../../errors.ts";
import type { Reader } from "../document.ts";
import { type MailAddress, type MailAttachment, mailDocument } from "../mail/message.ts";

/** Real mails nest some five deep, forwards of forwards included. */
const MAX_PARTS_DEEP = 50;
const MAX_FORWARDS_DEEP = 5;

function flatten(addresses: Address | Address[] | undefined): MailAddress[] {
  const list = addresses === undefined ? [] : Array.isArray(addresses) ? addresses : [addresses];
  return list.flatMap((entry) => entry.group ?? [{ name: entry.name, address: entry.address ?? "" }]);
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth: MAX_PARTS_DEEP, maxRfc822NestingDepth: MAX_FORWARDS_DEEP });
  } catch (cause) {
    if (/nesting|headers? size/i.test(cause instanceof Error ? cause.message : ""))
      throw new Fault("document_too_complex", { detail: "The parts of the mail are nested too deeply.", cause });
    throw new Fault("corrupt_document", { cause });
  }
}

function refuseEncrypted(email: Email): void {
  const type = email.headers.find((header) => header.key === "content-type")?.value.toLowerCase() ?? "";
  const enveloped = /^application\/(x-)?pkcs7-mime/.test(type) && !type.includes("signed-data");
  if (/^multipart\/encrypted/.test(type) || enveloped) throw new Fault("encrypted_document");
}

function attachmentsOf(email: Email): MailAttachment[] {
  return email.attachments.map((attachment) => ({
    name: attachment.filename,
    mimeType: attachment.mimeType,
    size: typeof attachment.content === "string" ? attachment.content.length : attachment.content.byteLength,
    inline: attachment.related === true || attachment.disposition === "inline",
    contentId: attachment.contentId?.replace(/^<|>$/g, "") ?? null,
  }));
}

/** postal-mime hands a date it cannot read through as it is. */
function isoDate(date: string | undefined): string | null {
  return date && /^\d{4}-\d\d-\d\dT/.test(date) ? date : null;
}

export const readEml: Reader = async ({ bytes }) => {
  const email = await parse(bytes);
  refuseEncrypted(email);
  return mailDocument({
    subject: email.subject?.trim() ?? "",
    from: flatten(email.from ?? email.sender),
    to: flatten(email.to),
    cc: flatten(email.cc),
    bcc: flatten(email.bcc),
    replyTo: flatten(email.replyTo),
    date: isoDate(email.date),
    dateShown: email.headers.find((header) => header.key === "date")?.value.trim() || null,
    messageId: email.messageId ?? null,
    inReplyTo: email.inReplyTo ?? null,
    text: email.text ?? "",
    html: email.html ?? "",
    attachments: attachmentsOf(email),
  });
};
