// Markdown (CommonMark's blocks, GFM's tables) as elements. Goes line by line; the inline markup is read by markdown-inline.ts.

import type { Block, Cell, Reader, Table } from "../document.ts";
import { parseInline } from "./markdown-inline.ts";
import { decodeSource, pageless } from "./text.ts";

export const readMarkdown: Reader = async (source, reading) => {
  const text = decodeSource(source, reading);
  const front = /^---\n([\s\S]{0,65536}?)\n(?:---|\.\.\.)(?:\n|$)/.exec(text);
  const about = front ? frontMatter(front[1]!) : {};
  const blocks = parseMarkdown(front ? text.slice(front[0].length) : text);
  const { title, author, authors, date, lang, language, ...metadata } = about;
  const heading = blocks.find((block) => block.type === "heading" && block.level === 1);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date ?? "")?.[0] ?? null;
  return pageless(blocks, {
    title: title ?? heading?.text ?? null,
    authors: [...list(authors), ...list(author)],
    language: lang ?? language ?? null,
    published_at: day,
    metadata,
  });
};

const list = (value: string | undefined): string[] =>
  (value ?? "")
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((name) => name.trim().replace(/^["']|["']$/g, ""))
    .filter(Boolean);

/** Only "key: value" lines; anything more is YAML's business. */
function frontMatter(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/^([A-Za-z][\w-]{0,60}):[ \t]*(.+)$/gm)].slice(0, 100);
  return Object.fromEntries(
    pairs.map(([, key, value]) => [key!.toLowerCase(), value!.trim().replace(/^(["'])(.*)\1$/, "$2")]),
  );
}

// Quotes and lists inside each other: deeper markers are read as text.
const MAX_NESTING = 30;

interface Context {
  depth: number;
  quote: boolean;
  nesting: number;
}

export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.replace(/\t/g, "    "));
  parseLines(lines, { depth: 0, quote: false, nesting: 0 }, blocks);
  return blocks;
}

const isBlank = (line: string): boolean => line.trim() === "";
const indentOf = (line: string): number => line.length - line.trimStart().length;
const fenceAt = (line: string) => /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/.exec(line);
const headingAt = (line: string) => /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(line);
const itemAt = (line: string) => /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)(.*)$/.exec(line);
const isRule = (line: string): boolean => /^ {0,3}([-*_])( *\1){2,} *$/.test(line);
const isTableRule = (line: string): boolean =>
  /^ {0,3}\|?( *:?-+:? *\|)+( *:?-+:? *)?$/.test(line) && line.includes("-");

function parseLines(lines: string[], context: Context, blocks: Block[]): void {
  let paragraph: string[] = [];
  const push = (block: Omit<Block, "page" | "bbox">) => {
    const whole: Block = { ...block, page: 1, bbox: null };
    if (context.quote) whole.role = "quote";
    blocks.push(whole);
  };
  const endParagraph = (type: "paragraph" | "heading" = "paragraph", level?: number) => {
    const inline = parseInline(joinLines(paragraph));
    paragraph = [];
    for (const image of inline.images) push({ type: "figure", text: image.text, url: image.url });
    if (inline.text === "") return;
    push({
      type,
      text: inline.text,
      ...(inline.marks.length ? { marks: inline.marks } : {}),
      ...(level ? { level } : {}),
    });
  };

  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    if (isBlank(line)) {
      endParagraph();
      continue;
    }
    const fence = fenceAt(line);
    if (fence) {
      endParagraph();
      const close = new RegExp(`^ {0,3}${fence[1]![0]}{${fence[1]!.length},} *$`);
      const body: string[] = [];
      for (i++; i < lines.length && !close.test(lines[i]!); i++) body.push(cutIndent(lines[i]!, indentOf(line)));
      const language = fence[2]!.trim().split(/\s/)[0];
      push({ type: "code", text: body.join("\n"), ...(language ? { language } : {}) });
      continue;
    }
    if (paragraph.length === 0 && indentOf(line) >= 4) {
      const body: string[] = [];
      for (; i < lines.length && (isBlank(lines[i]!) || indentOf(lines[i]!) >= 4); i++)
        body.push(cutIndent(lines[i]!, 4));
      i--;
      push({ type: "code", text: body.join("\n").replace(/\n+$/, "") });
      continue;
    }
    const heading = headingAt(line);
    if (heading) {
      endParagraph();
      paragraph = [heading[2] ?? ""];
      endParagraph("heading", heading[1]!.length);
      continue;
    }
    if (paragraph.length > 0 && /^ {0,3}(=+|-+) *$/.test(line)) {
      endParagraph("heading", line.trim()[0] === "=" ? 1 : 2);
      continue;
    }
    if (isRule(line)) {
      endParagraph();
      continue;
    }
    if (/^ {0,3}>/.test(line) && context.nesting < MAX_NESTING) {
      endParagraph();
      const body: string[] = [];
      // A line without ">" goes on with the quote's last paragraph.
      for (; i < lines.length && !isBlank(lines[i]!) && (/^ {0,3}>/.test(lines[i]!) || isLazy(lines[i]!)); i++)
        body.push(lines[i]!.replace(/^ {0,3}> ?/, ""));
      i--;
      parseLines(body, { ...context, quote: true, nesting: context.nesting + 1 }, blocks);
      continue;
    }
    const item = itemAt(line);
    if (
      item &&
      context.nesting < MAX_NESTING &&
      (paragraph.length === 0 || (item[4] !== "" && !/^\d*[2-9]\d*[.)]/.test(item[2]!)))
    ) {
      endParagraph();
      i = readItem(lines, i, item, context, blocks);
      continue;
    }
    if (
      paragraph.length === 0 &&
      line.includes("|") &&
      isTableRule(lines[i + 1] ?? "") &&
      splitRow(line).length === splitRow(lines[i + 1]!).length
    ) {
      const rows: string[] = [line];
      for (i += 2; i < lines.length && !isBlank(lines[i]!) && lines[i]!.includes("|"); i++) rows.push(lines[i]!);
      i--;
      push({ type: "table", text: "", table: makeTable(rows) });
      continue;
    }
    paragraph.push(line);
  }
  endParagraph();
}

const isLazy = (line: string): boolean =>
  !fenceAt(line) && !headingAt(line) && !itemAt(line) && !isRule(line) && indentOf(line) < 4;

const cutIndent = (line: string, most: number): string => line.slice(Math.min(most, indentOf(line)));

/** Soft breaks become spaces, two spaces or a backslash at the end a meant break. */
function joinLines(lines: string[]): string {
  return lines
    .map((line, i) =>
      i === lines.length - 1
        ? line.trim()
        : /( {2,}|\\)$/.test(line)
          ? `${line.trim().replace(/\\$/, "")}\n`
          : `${line.trim()} `,
    )
    .join("");
}

/** Reads the item that begins at line `at`; its first paragraph is the item, further blocks follow. Returns its last line. */
function readItem(lines: string[], at: number, item: RegExpExecArray, context: Context, blocks: Block[]): number {
  const marker = item[2]!;
  const width = item[1]!.length + marker.length + (item[4] === "" ? 1 : Math.min(item[3]!.length, 4));
  const body = [item[4] === "" ? "" : lines[at]!.slice(width)];
  let i = at + 1;
  for (; i < lines.length; i++) {
    const line = lines[i]!;
    if (isBlank(line)) {
      const next = lines.slice(i + 1, i + 3).find((other) => !isBlank(other));
      if (next === undefined || indentOf(next) < width) break;
      body.push("");
    } else if (indentOf(line) >= width) body.push(line.slice(width));
    else if (!isBlank(body.at(-1)!) && isLazy(line) && !line.trimStart().startsWith(">")) body.push(line.trimStart());
    else break;
  }
  const inner: Block[] = [];
  const depth = context.depth + 1;
  parseLines(body, { ...context, depth, nesting: context.nesting + 1 }, inner);
  const first = inner[0]?.type === "paragraph" ? inner.shift() : undefined;
  const shown = /^\d/.test(marker) ? marker : "•";
  const text = first?.text.replace(/^\[( |x|X)\] /, (box) => (box[1] === " " ? "☐ " : "☑ ")) ?? "";
  if (text !== "" || inner.length === 0) {
    const shift = (first?.text.length ?? 0) - text.length;
    const marks = first?.marks?.map((mark) => ({
      ...mark,
      start: Math.max(0, mark.start - shift),
      end: mark.end - shift,
    }));
    const block: Block = { type: "list_item", text, marker: shown, level: depth, page: 1, bbox: null };
    if (marks?.length) block.marks = marks;
    if (context.quote) block.role = "quote";
    if (text !== "") blocks.push(block);
  }
  for (const block of inner) {
    // A further paragraph belongs to the item's text, on a line of its own.
    const last = blocks.at(-1);
    if (block.type === "paragraph" && last?.type === "list_item" && last.level === depth) appendTo(last, block);
    else blocks.push(block);
  }
  return i - 1;
}

function appendTo(item: Block, { text, marks = [] }: Block): void {
  const shift = item.text.length + 1;
  item.text += `\n${text}`;
  if (marks.length)
    item.marks = [
      ...(item.marks ?? []),
      ...marks.map((mark) => ({ ...mark, start: mark.start + shift, end: mark.end + shift })),
    ];
}

function splitRow(line: string): string[] {
  const bare = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return bare.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

function makeTable(rows: string[]): Table {
  const lines = rows.map(splitRow);
  const columns = lines[0]!.length;
  const cells: Cell[] = lines.flatMap((line, row) =>
    line.slice(0, columns).map((text, column) => ({
      row,
      column,
      row_span: 1,
      column_span: 1,
      text: parseInline(text.replace(/<br\s*\/?>/gi, "\n")).text,
      header: row === 0,
      bbox: null,
    })),
  );
  return { page: 1, bbox: null, rows: lines.length, columns, caption: null, cells };
}
