// MSG: a mail as Outlook stores it, taken apart by msgreader.

import { createRequire } from "node:module";
import type { FieldsData, default as msgreader } from "@kenjiuno/msgreader";
import { Fault } from "../../errors.ts";
import type { Reader } from "../document.ts";
import { type MailAddress, type MailAttachment, mailDocument } from "../mail/message.ts";
import { codePageName } from "../office/code-pages.ts";

// CommonJS with its class as `default`: an import hands that over wrapped or not, depending on who loads it.
const { default: MsgReader } = createRequire(import.meta.url)("@kenjiuno/msgreader") as typeof msgreader;

function open(bytes: Uint8Array): FieldsData {
  let data: FieldsData;
  try {
    // The library keeps views on the buffer it is given, so it gets one of its own.
    data = new MsgReader(new Uint8Array(bytes).buffer).getFileData();
  } catch (cause) {
    throw new Fault("corrupt_document", { cause });
  }
  if (data.error || data.dataType !== "msg")
    throw new Fault("corrupt_document", { detail: "The file holds no Outlook message." });
  return data;
}

/** Exchange addresses ("/O=…/CN=…") are no addresses to anyone outside. */
const address = (...candidates: (string | undefined)[]) =>
  candidates.find((candidate) => candidate?.includes("@")) ?? "";

function recipients(data: FieldsData, type: "to" | "cc" | "bcc"): MailAddress[] {
  return (data.recipients ?? [])
    .filter((recipient) => (recipient.recipType ?? "to") === type)
    .map((recipient) => ({ name: recipient.name ?? "", address: address(recipient.smtpAddress, recipient.email) }));
}

function isoDate(...candidates: (string | undefined)[]): string | null {
  for (const candidate of candidates) {
    const time = candidate ? Date.parse(candidate) : Number.NaN;
    if (!Number.isNaN(time)) return new Date(time).toISOString();
  }
  return null;
}

function htmlOf(data: FieldsData): string {
  if (data.bodyHtml) return data.bodyHtml;
  if (!data.html) return "";
  return new TextDecoder(codePageName(data.internetCodepage ?? 65001) ?? "utf-8").decode(data.html);
}

function attachmentsOf(data: FieldsData): MailAttachment[] {
  return (data.attachments ?? []).map((attachment) => ({
    name: attachment.fileName ?? attachment.fileNameShort ?? attachment.name ?? null,
    mimeType:
      attachment.attachMimeTag ??
      (attachment.innerMsgContent ? "application/vnd.ms-outlook" : "application/octet-stream"),
    size: attachment.contentLength ?? 0,
    inline: attachment.attachmentHidden === true || Boolean(attachment.pidContentId),
    contentId: attachment.pidContentId ?? null,
  }));
}

const inReplyTo = (headers: string | undefined) => /^In-Reply-To:\s*(\S+)/im.exec(headers ?? "")?.[1] ?? null;

export const readMsg: Reader = async ({ bytes }) => {
  const data = open(bytes);
  const sender = { name: data.senderName ?? "", address: address(data.senderSmtpAddress, data.senderEmail) };
  return mailDocument({
    subject: data.subject?.trim() ?? "",
    from: sender.name || sender.address ? [sender] : [],
    to: recipients(data, "to"),
    cc: recipients(data, "cc"),
    bcc: recipients(data, "bcc"),
    replyTo: [],
    date: isoDate(data.clientSubmitTime, data.messageDeliveryTime, data.creationTime),
    dateShown: null,
    messageId: data.messageId ?? null,
    inReplyTo: inReplyTo(data.headers),
    text: data.body ?? "",
    html: htmlOf(data),
    attachments: attachmentsOf(data),
  });
};
