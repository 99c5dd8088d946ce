// What in a mail is somebody else's: lines behind ">", the line that announces them, and everything below a forwarded header.

import type { Block } from "../document.ts";

/** "On Tue, Ann wrote:", as the common programs say it in the languages they come in. */
const announcement =
  /^(on|am|le|el|il|op|em|den|dne|w dniu)\b[\s\S]{5,300}(wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napsal(\(a\))?|napisał(\(a\))?)\s*[\s\S]{0,80}:\s*$/i;
const announcementAtEnd = /^[^\n]{3,200}(wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev):\s*$/i;

/** The rule that Outlook and others put over what they quote whole. */
const separator =
  /^[-_*\s]{2,80}(original message|original appointment|forwarded message|begin forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original)\b[\s\S]{0,60}$|^begin forwarded message:/i;

/** A header block inside the body: From and Sent or Date, in that order, line by line or run together. */
const innerHeader =
  /^(from|von|de|da|van|fra|från):\s[\s\S]{1,300}?\b(sent|gesendet|date|datum|envoyé|enviado( el)?|data|inviato|verzonden|sendt|skickat):\s/i;

const isAnnouncement = (text: string) => announcement.test(text.trim()) || announcementAtEnd.test(text.trim());
const opensQuote = (text: string) => separator.test(text.trim()) || innerHeader.test(text.trim());

/** Marks the quoted part of blocks read from HTML, where block quotes are marked already. */
export function separateQuotes(blocks: Block[]): Block[] {
  const from = blocks.findIndex((block, at) => at > 0 && block.role !== "quote" && startsInnerHeader(blocks, at));
  return blocks.map((block, at) => {
    if (block.role === "quote") return block;
    const announces = isAnnouncement(block.text) && blocks[at + 1]?.role === "quote";
    return announces || (from >= 0 && at >= from) ? { ...block, role: "quote" } : block;
  });
}

/** The lines of an inner header may be a block each: the next few are looked at with it. */
function startsInnerHeader(blocks: Block[], at: number): boolean {
  const text = blocks[at]!.text;
  if (opensQuote(text)) return true;
  if (!/^(from|von|de|da|van|fra|från):\s/i.test(text)) return false;
  return opensQuote(
    blocks
      .slice(at, at + 3)
      .map((block) => block.text)
      .join("\n"),
  );
}

interface Segment {
  quoted: boolean;
  lines: string[];
}

/** Runs of lines with and without ">"; once a whole message is quoted below, the rest is. */
function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let quotedBelow = false;
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  lines.forEach((line, at) => {
    const marked = /^\s?>/.test(line);
    // The headers of a quoted message are tried as the few lines they are.
    if (!marked && at > 0 && !quotedBelow)
      quotedBelow = opensQuote(line) || innerHeader.test(lines.slice(at, at + 4).join("\n"));
    const quoted = marked || quotedBelow;
    const plain = marked ? line.replace(/^(\s?>)+ ?/, "") : line;
    const last = segments.at(-1);
    if (last && (last.quoted === quoted || (last.quoted && line.trim() === ""))) last.lines.push(plain);
    else segments.push({ quoted, lines: [plain] });
  });
  return segments;
}

const paragraphsOf = (lines: string[]) =>
  lines
    .map((line) => line.trimEnd())
    .join("\n")
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => paragraph.replace(/^\n+|\n+$/g, ""))
    .filter((paragraph) => paragraph.trim() !== "");

/** A plain text body as paragraphs, its quotes apart. */
export function textBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const segments = segmentsOf(text);
  segments.forEach(({ quoted, lines }, at) => {
    const paragraphs = paragraphsOf(lines);
    paragraphs.forEach((paragraph, n) => {
      const announces = n === paragraphs.length - 1 && segments[at + 1]?.quoted === true && isAnnouncement(paragraph);
      const block: Block = { type: "paragraph", text: paragraph.trim(), page: 1, bbox: null };
      blocks.push(quoted || announces ? { ...block, role: "quote" } : block);
    });
  });
  return blocks;
}
