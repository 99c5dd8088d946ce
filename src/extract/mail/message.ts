// A mail as both readers (EML, MSG) hand it over, and the document it becomes: subject, who and when, the body, its quotes apart.

import { Fault } from "../../errors.ts";
import type { Block, Document } from "../document.ts";
import { endings, mimeTypes } from "../signatures.ts";
import { readBlocks } from "../web/blocks.ts";
import { parseDom } from "../web/dom.ts";
import { separateQuotes, textBlocks } from "./quotes.ts";

export interface MailAddress {
  name: string;
  address: string;
}

export interface MailAttachment {
  name: string | null;
  mimeType: string;
  size: number;
  inline: boolean;
  contentId: string | null;
}

export interface Message {
  subject: string;
  from: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  replyTo: MailAddress[];
  /** ISO 8601, or null. */
  date: string | null;
  /** The date as the mail writes it, in the sender's own time. */
  dateShown: string | null;
  messageId: string | null;
  inReplyTo: string | null;
  text: string;
  html: string;
  attachments: MailAttachment[];
}

/** A mail to a list may name thousands; the rest is counted. */
const MAX_SHOWN_ADDRESSES = 100;

const written = ({ name, address }: MailAddress) =>
  name && address && name !== address ? `${name} <${address}>` : name || address;

function headerLines(message: Message): string[] {
  const lines: string[] = [];
  for (const [label, list] of [
    ["From", message.from],
    ["To", message.to],
    ["Cc", message.cc],
  ] as const) {
    if (list.length === 0) continue;
    const shown = list.slice(0, MAX_SHOWN_ADDRESSES).map(written).join(", ");
    const more = list.length - MAX_SHOWN_ADDRESSES;
    lines.push(`${label}: ${shown}${more > 0 ? ` and ${more} more` : ""}`);
  }
  const date = message.dateShown ?? message.date;
  if (date) lines.push(`Date: ${date}`);
  return lines;
}

const plainMimeTypes = new Map(Object.entries(mimeTypes).map(([kind, type]) => [type as string, kind]));

function kindOf({ name, mimeType }: MailAttachment): string | null {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name ?? "")?.[1]?.toLowerCase();
  return (ending && endings[ending]) || plainMimeTypes.get(mimeType) || null;
}

function describe(attachment: MailAttachment): Record<string, unknown> {
  const { name, mimeType, size, inline, contentId } = attachment;
  return {
    name,
    kind: kindOf(attachment),
    mime_type: mimeType,
    size,
    inline,
    ...(contentId ? { content_id: contentId } : {}),
  };
}

/** HTML says more about structure; the text part stands in where the HTML shows nothing. */
function bodyBlocks({ html, text }: Message): { blocks: Block[]; language: string | null } {
  if (html.trim() !== "") {
    const page = parseDom(html);
    const blocks = readBlocks(page.body, { baseUrl: null });
    const language = page.documentElement?.getAttribute("lang") || null;
    const shown = blocks.filter((block) => block.text.trim() !== "" || block.table);
    if (shown.length > 0) return { blocks: separateQuotes(shown), language };
  }
  return { blocks: textBlocks(text), language: null };
}

function addressLists(message: Message): Record<string, MailAddress[]> {
  const { from, to, cc, bcc, replyTo } = message;
  const lists = { from, to, cc, bcc, reply_to: replyTo };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

export function mailDocument(message: Message): Document {
  const lines = headerLines(message);
  const { blocks: body, language } = bodyBlocks(message);
  const at = { page: 1, bbox: null };
  const head: Block[] = [];
  if (message.subject) head.push({ type: "title", text: message.subject, ...at });
  if (lines.length > 0) head.push({ type: "paragraph", text: lines.join("\n"), ...at });
  if (head.length === 0 && body.length === 0 && message.attachments.length === 0) throw new Fault("empty_document");
  return {
    title: message.subject || null,
    authors: message.from.map(({ name, address }) => name || address),
    language,
    published_at: message.date,
    metadata: {
      ...addressLists(message),
      ...(message.messageId ? { message_id: message.messageId } : {}),
      ...(message.inReplyTo ? { in_reply_to: message.inReplyTo } : {}),
      attachments: message.attachments.map(describe),
    },
    page_count: 1,
    pages: [{ number: 1, width: null, height: null, unit: null, rotation: 0, ocr: false }],
    blocks: [...head, ...body],
  };
}
