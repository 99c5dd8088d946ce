// RTF: one pass over its tokens with a bounded stack of groups; what each word does stands in a table.

import { Fault } from "../../errors.ts";
import type { Reader } from "../document.ts";
import { newState, type RtfState } from "../office/rtf-state.ts";
import { addText, endParagraph, endStory, endTable, flushBytes, storyOf } from "../office/rtf-stories.ts";
import { nextToken, type RtfToken } from "../office/rtf-tokens.ts";
import { readBehindStar, words } from "../office/rtf-words.ts";
import { singlePage, titleFromBlocks } from "../office/whole.ts";

/** Word writes some 20 levels; each costs an object, and nothing is recursive. */
const MAX_GROUPS = 2000;

function openGroup(state: RtfState): void {
  flushBytes(state);
  state.toSkip = 0;
  if (state.groups.length >= MAX_GROUPS)
    throw new Fault("document_too_complex", { detail: "The groups of the document are nested too deeply." });
  state.groups.push(state.group);
  state.group = { ...state.group, story: null };
}

function closeGroup(state: RtfState): void {
  flushBytes(state);
  state.toSkip = 0;
  if (state.group.story) endStory(state);
  if (state.group.destination === "styles") keepStyle(state);
  state.group = state.groups.pop() ?? state.group;
}

/** "heading 1;" ends with its semicolon. */
function keepStyle(state: RtfState): void {
  if (!state.style) return;
  const { index, style } = state.style;
  style.name = style.name.replace(/;.*$/s, "").trim();
  state.styles.set(index, style);
  state.style = null;
}

const symbols: Record<string, string> = { "~": "\u00a0", _: "-", "\\": "\\", "{": "{", "}": "}" };

function symbol(state: RtfState, sign: string): void {
  const text = symbols[sign];
  if (text !== undefined) {
    if (state.toSkip > 0) state.toSkip--;
    else state.bytes += text === "\u00a0" ? "" : text;
    if (text === "\u00a0") {
      flushBytes(state);
      addText(state, " ");
    }
  } else if (sign === "\n" || sign === "\r") endParagraph(state);
}

function bytes(state: RtfState, value: string): void {
  let text = value;
  if (state.toSkip > 0) {
    const skipped = Math.min(state.toSkip, text.length);
    state.toSkip -= skipped;
    text = text.slice(skipped);
  }
  // Pictures are megabytes of digits.
  if (state.group.destination !== "skip" && state.group.destination !== "info") state.bytes += text;
}

function control(state: RtfState, token: RtfToken, starred: boolean): void {
  flushBytes(state);
  if (starred && !readBehindStar.has(token.value)) {
    state.group.destination = "skip";
    return;
  }
  const inert = state.group.destination === "skip" && token.value !== "sn" && token.value !== "sv";
  if (!inert) words[token.value]?.(state, token.number);
}

function read(rtf: string): RtfState {
  const state = newState();
  const cursor = { rtf, at: 0 };
  let starred = false;
  for (let token = nextToken(cursor); token.type !== "end"; token = nextToken(cursor)) {
    if (token.type === "open") openGroup(state);
    else if (token.type === "close") closeGroup(state);
    else if (token.type === "word") control(state, token, starred);
    else if (token.type === "symbol" && token.value !== "*") symbol(state, token.value);
    else if (token.type === "byte" || token.type === "text") bytes(state, token.value);
    starred = token.type === "symbol" && token.value === "*";
  }
  // A cut-off file leaves groups and stories open.
  while (state.stories.length > 1) endStory(state);
  endParagraph(state);
  storyOf(state).rowOpen = false;
  endTable(storyOf(state));
  return state;
}

/** 2024-03-05-09-30, as the parts were collected, in ISO 8601 without a zone: RTF knows none. */
function isoDate(parts: string | undefined): string | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:-(\d\d))?(?:-(\d\d))?/.exec(parts ?? "");
  return match ? `${match[1]}-${match[2]}-${match[3]}T${match[4] ?? "00"}:${match[5] ?? "00"}:00` : null;
}

export const readRtf: Reader = async ({ bytes: input }) => {
  const rtf = Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString("latin1");
  if (!/^\s*\{\\rtf/.test(rtf.slice(0, 100))) throw new Fault("corrupt_document", { detail: "The file is not RTF." });
  const state = read(rtf);
  const text = storyOf(state).blocks;
  const { title, author, created_at, modified_at, ...rest } = state.info;
  const metadata: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) if (value.trim() !== "") metadata[name] = value.trim();
  const created = isoDate(created_at);
  const modified = isoDate(modified_at);
  if (created) metadata.created_at = created;
  if (modified) metadata.modified_at = modified;
  return {
    title: title?.trim() || titleFromBlocks(text),
    authors: author?.trim() ? [author.trim()] : [],
    language: null,
    published_at: null,
    metadata,
    page_count: 1,
    pages: [singlePage()],
    blocks: [...state.headers, ...text, ...state.notes, ...state.comments, ...state.footers],
  };
};
