// Which of the text kinds a text is, from what it shows at its start. What is certain from the text goes before the name;
// what is only likely goes after it.

import type { Kind } from "./document.ts";

export interface Sniffed {
  /** The start of the text, decoded. */
  text: string;
  /** Whether that is all of it. */
  whole: boolean;
  /** What the name or the content type says. */
  said: Kind | null;
}

const textKinds: ReadonlySet<Kind> = new Set(["html", "markdown", "text", "csv", "json", "xml", "eml", "rtf"]);

export function sniffText({ text, whole, said }: Sniffed): Kind | null {
  const start = text.replace(/^\uFEFF/, "").trimStart();
  if (/^\{\\rtf\d/.test(start)) return "rtf";
  const markup = sniffMarkup(start);
  if (markup && said !== "markdown") return markup;
  if (sniffJson(start, whole)) return "json";
  if (sniffMail(start) && (said === null || said === "eml" || said === "text")) return "eml";
  if (said && textKinds.has(said)) return said;
  // A name that promises a binary kind over a text is a wrong name or a broken file.
  if (said && start !== "") return null;
  if (markup) return markup;
  if (
    /<(p|div|table|h[1-6]|article|section|ul|body)[\s>]/i.test(start) &&
    /<\/(p|div|table|h[1-6]|article|section|ul|body)>/i.test(start)
  )
    return "html";
  if (sniffTable(start)) return "csv";
  return sniffMarkdown(start) ? "markdown" : "text";
}

function sniffMarkup(start: string): Kind | null {
  const bare = start.replace(/^(?:<\?[^>]*>|<!--[\s\S]*?-->|\s+)+/, "");
  if (/^<!doctype\s+html/i.test(bare) || /^<(html|head|body)[\s>]/i.test(bare)) return "html";
  if (/^<\?xml[\s?]/i.test(start) || /^<!doctype\s+[\w:.-]+[\s>[]/i.test(bare)) return "xml";
  return /^<([A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*\s+xmlns(:\w+)?\s*=/.test(bare) ? "xml" : null;
}

function sniffJson(start: string, whole: boolean): boolean {
  if (!/^(\{\s*("|\})|\[\s*([[{"\d\-\]]|true|false|null))/.test(start)) return false;
  if (!whole) return /^\{\s*"(?:[^"\\]|\\.)*"\s*:|^\[\s*[[{"]/.test(start);
  try {
    JSON.parse(start);
    return true;
  } catch {
    return false;
  }
}

const mailHeaders =
  /^(from|to|cc|subject|date|received|return-path|message-id|mime-version|delivered-to|reply-to|content-type|x-[\w-]+|dkim-signature|sender)$/i;

function sniffMail(start: string): boolean {
  const lines = start.replace(/^From .*\r?\n/, "").split(/\r?\n/, 40);
  const names = new Set<string>();
  for (const line of lines) {
    if (line === "") break;
    if (/^\s/.test(line)) continue;
    const name = /^([A-Za-z][\w-]*):/.exec(line)?.[1];
    if (!name) return false;
    if (mailHeaders.test(name)) names.add(name.toLowerCase());
  }
  return (
    names.size >= 3 &&
    (names.has("from") || names.has("received") || names.has("message-id") || names.has("mime-version"))
  );
}

/** Three lines or more, each with the same number of the same separator. Commas are common in prose: they must be two a line. */
function sniffTable(start: string): boolean {
  const lines = start.split(/\r?\n/, 30).filter((line) => line !== "");
  if (lines.length > 4 && !start.endsWith("\n")) lines.pop();
  if (lines.length < 3) return false;
  return [
    ["\t", 1],
    [";", 1],
    ["|", 2],
    [",", 2],
  ].some(([separator, least]) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, "").split(separator as string).length - 1);
    return counts[0]! >= (least as number) && counts.every((count) => count === counts[0]);
  });
}

const markdownSigns = [
  /^#{1,6} \S/m,
  /^(```|~~~)/m,
  /\[[^\]\n]{1,300}\]\((https?:|\/|#|\.)[^)\s]{0,500}\)/,
  /^\|.*\|\s*\n\|[\s:|-]+\|/m,
  /^[-*+] \S.*\n[-*+] \S/m,
  /(^|\s)\*\*[^*\s][^*\n]*\*\*/,
];

const sniffMarkdown = (start: string): boolean => markdownSigns.filter((sign) => sign.test(start)).length >= 2;
