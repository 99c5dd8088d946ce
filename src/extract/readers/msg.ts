// MSG: a mail as Outlook stores it: properties as streams of a compound file, recipients and attachments in folders of their own.
// By our own hands: the library hangs and fills the memory on damaged files.

import { Fault } from "../../errors.ts";
import type { Reader } from "../document.ts";
import { type MailAddress, type MailAttachment, mailDocument } from "../mail/message.ts";
import { codePageName } from "../office/code-pages.ts";
import { type CompoundFile, openCompoundFile } from "../office/compound-file.ts";

/** Property numbers of the specification, those that are read. */
const tag = {
  subject: "0037", submitTime: 0x0039, headers: "007D", senderName: "0C1A", senderAddress: "0C1F", recipientType: 0x0c15, deliveryTime: 0x0e06,
  body: "1000", html: "1013", messageId: "1035", inReplyTo: "1042", name: "3001", address: "3003", creationTime: 0x3007, attachedData: "3701", fileNameShort: "3704",
  fileName: "3707", mimeType: "370E", contentId: "3712", smtpAddress: "39FE", codePage: 0x3fde, stringCodePage: 0x3ffd, senderSmtp: "5D01", hidden: 0x7ffe,
} as const; // biome-ignore format: a table

/** A mail to a list of thousands keeps a folder for each. */
const MAX_FOLDERS = 5000;

interface Properties {
  text(property: string): string;
  bytes(property: string): Buffer | null;
  number(property: number): bigint | null;
}

/** @param head bytes before the fixed properties: 32 for the message, 8 in its folders. */
function propertiesOf(file: CompoundFile, folder: string, head: number, encoding: string): Properties {
  const fixed = file.stream(`${folder}__properties_version1.0`) ?? Buffer.alloc(0);
  const numbers = new Map<number, bigint>();
  for (let at = head; at + 16 <= fixed.length; at += 16)
    numbers.set(fixed.readUInt16LE(at + 2), fixed.readBigUInt64LE(at + 8));
  const stream = (property: string, type: string) => file.stream(`${folder}__substg1.0_${property}${type}`);
  return {
    text(property) {
      const wide = stream(property, "001F");
      if (wide) return wide.toString("utf16le").replace(/\0+$/, "");
      const narrow = stream(property, "001E");
      return narrow ? new TextDecoder(encoding).decode(narrow).replace(/\0+$/, "") : "";
    },
    bytes: (property) => stream(property, "0102"),
    number: (property) => numbers.get(property) ?? null,
  };
}

function folders(file: CompoundFile, prefix: string): string[] {
  const found = new Set<string>();
  for (const name of file.names) if (name.startsWith(prefix)) found.add(name.slice(0, name.indexOf("/") + 1));
  return [...found].sort().slice(0, MAX_FOLDERS);
}

/** Exchange addresses ("/O=…/CN=…") are no addresses to anyone outside. */
const address = (...candidates: string[]) => candidates.find((candidate) => candidate.includes("@"))?.trim() ?? "";

const recipientLists = { 1: "to", 2: "cc", 3: "bcc" } as const;

function readRecipients(file: CompoundFile, encoding: string): Record<"to" | "cc" | "bcc", MailAddress[]> {
  const lists = { to: [] as MailAddress[], cc: [] as MailAddress[], bcc: [] as MailAddress[] };
  for (const folder of folders(file, "__recip_version1.0_")) {
    const properties = propertiesOf(file, folder, 8, encoding);
    const type = Number((properties.number(tag.recipientType) ?? 1n) & 0xfn) as 1 | 2 | 3;
    lists[recipientLists[type] ?? "to"].push({
      name: properties.text(tag.name).trim(),
      address: address(properties.text(tag.smtpAddress), properties.text(tag.address)),
    });
  }
  return lists;
}

function readAttachments(file: CompoundFile, encoding: string): MailAttachment[] {
  return folders(file, "__attach_version1.0_").map((folder) => {
    const properties = propertiesOf(file, folder, 8, encoding);
    const text = (property: string) => properties.text(property).trim() || null;
    const data = properties.bytes(tag.attachedData);
    const contentId = text(tag.contentId);
    // A mail inside the mail is a folder, not a stream.
    const kept = data ? "application/octet-stream" : "application/vnd.ms-outlook";
    return {
      name: text(tag.fileName) ?? text(tag.fileNameShort) ?? text(tag.name),
      mimeType: text(tag.mimeType) ?? kept,
      size: data?.length ?? 0,
      inline: contentId !== null || ((properties.number(tag.hidden) ?? 0n) & 1n) === 1n,
      contentId,
    };
  });
}

/** 100 ns since 1601 → ms since 1970. */
const EPOCH_MS = 11_644_473_600_000;

function isoDate(...times: (bigint | null)[]): string | null {
  for (const time of times) {
    const ms = time === null ? 0 : Number(time / 10_000n) - EPOCH_MS;
    if (ms > 0 && ms < 8.64e15) return new Date(ms).toISOString();
  }
  return null;
}

function readHtml(properties: Properties): string {
  const bytes = properties.bytes(tag.html);
  if (!bytes) return properties.text(tag.html);
  const page = Number((properties.number(tag.codePage) ?? 65_001n) & 0xffffn);
  return new TextDecoder(codePageName(page) ?? "utf-8").decode(bytes);
}

export const readMsg: Reader = async ({ bytes }) => {
  const file = openCompoundFile(bytes);
  if (!file.stream("__properties_version1.0"))
    throw new Fault("corrupt_document", { detail: "The file holds no Outlook message." });
  const page = Number((propertiesOf(file, "", 32, "windows-1252").number(tag.stringCodePage) ?? 1252n) & 0xffffn);
  const encoding = codePageName(page) ?? "windows-1252";
  const properties = propertiesOf(file, "", 32, encoding);
  const text = (property: string) => properties.text(property).trim();
  const sender = { name: text(tag.senderName), address: address(text(tag.senderSmtp), text(tag.senderAddress)) };
  return mailDocument({
    subject: text(tag.subject),
    from: sender.name || sender.address ? [sender] : [],
    ...readRecipients(file, encoding),
    replyTo: [],
    date: isoDate(
      properties.number(tag.submitTime),
      properties.number(tag.deliveryTime),
      properties.number(tag.creationTime),
    ),
    dateShown: null,
    messageId: text(tag.messageId) || null,
    inReplyTo: text(tag.inReplyTo) || /^In-Reply-To:\s*(\S+)/im.exec(text(tag.headers))?.[1] || null,
    text: properties.text(tag.body),
    html: readHtml(properties),
    attachments: readAttachments(file, encoding),
  });
};
