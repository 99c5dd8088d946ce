// What an RTF reader carries along: the formatting of a group, the story text goes to, fonts, styles and properties.

import type { Block } from "../document.ts";
import type { EdgeRow, EdgeShape } from "./edge-tables.ts";
import { type Inline, newInline } from "./inline.ts";

export interface Paragraph {
  style: number;
  outline: number | undefined;
  inTable: boolean;
  level: number;
  marker: string;
  /** Whether a marker was written, be it empty: then the list says nothing more. */
  markerWritten: boolean;
  listed: boolean;
}

export const newParagraph = (): Paragraph => ({
  style: 0,
  outline: undefined,
  inTable: false,
  level: 0,
  marker: "",
  markerWritten: false,
  listed: false,
});

/** A run of text that ends up as blocks: the body, a note, a header, a text box. */
export interface RtfStory {
  type: "body" | "footnote" | "header" | "footer" | "comment";
  marker: string;
  author: string;
  blocks: Block[];
  inline: Inline;
  /** Boxes and pictures of the paragraph that is being read; they follow it. */
  anchored: Block[];
  paragraph: Paragraph;
  /** Paragraphs of the cell that is being read. */
  cell: Block[];
  rows: EdgeRow[];
  row: { left: number; shapes: EdgeShape[]; cells: EdgeRow["cells"]; header: boolean };
  rowOpen: boolean;
  /** Merge flags for the next cell edge. */
  shape: Pick<EdgeShape, "across" | "down">;
}

export const newStory = (type: RtfStory["type"], marker = "", author = ""): RtfStory => ({
  type,
  marker,
  author,
  blocks: [],
  inline: newInline(),
  anchored: [],
  paragraph: newParagraph(),
  cell: [],
  rows: [],
  row: { left: 0, shapes: [], cells: [], header: false },
  rowOpen: false,
  shape: { across: "none", down: "none" },
});

/** Where the text of a group goes. */
export type Destination =
  | "text" | "skip" | "fonts" | "styles" | "info" | "property" | "instruction" | "marker" | "author" | "shapeName" | "shapeValue"; // biome-ignore format: a list of words

export interface Group {
  destination: Destination;
  /** Set where the group began a story, which ends with it. */
  story: RtfStory | null;
  bold: boolean;
  italic: boolean;
  strike: boolean;
  hidden: boolean;
  font: number;
  /** Fallback characters after each \u. */
  fallback: number;
  field: { instruction: string } | null;
  property: string;
  /** A picture, whose description may come among its properties. */
  figure: Block | null;
}

export const newGroup = (): Group => ({
  destination: "text",
  story: null,
  bold: false,
  italic: false,
  strike: false,
  hidden: false,
  font: 0,
  fallback: 1,
  field: null,
  property: "",
  figure: null,
});

export interface RtfStyle {
  name: string;
  outline: number | undefined;
  parent: number | undefined;
  bold: boolean;
}

export interface RtfState {
  group: Group;
  groups: Group[];
  stories: RtfStory[];
  /** Bytes of text not decoded yet, as Latin-1. */
  bytes: string;
  /** Fallback characters still to pass over. */
  toSkip: number;
  codePage: string;
  fonts: Map<number, string>;
  symbolFonts: Set<number>;
  defaultFont: number;
  styles: Map<number, RtfStyle>;
  style: { index: number; style: RtfStyle } | null;
  fontIndex: number;
  info: Record<string, string>;
  notes: Block[];
  comments: Block[];
  headers: Block[];
  footers: Block[];
  /** Texts of headers and footers that are kept already. */
  running: Set<string>;
  noteCount: number;
  author: string;
  shapeName: string;
}

export const newState = (): RtfState => ({
  group: newGroup(),
  groups: [],
  stories: [newStory("body")],
  bytes: "",
  toSkip: 0,
  codePage: "windows-1252",
  fonts: new Map(),
  symbolFonts: new Set(),
  defaultFont: 0,
  styles: new Map(),
  style: null,
  fontIndex: 0,
  info: {},
  notes: [],
  comments: [],
  headers: [],
  footers: [],
  running: new Set(),
  noteCount: 0,
  author: "",
  shapeName: "",
});

/** \fcharset → what TextDecoder calls it. */
const charsets: Record<number, string> = {
  0: "windows-1252", 77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254",
  163: "windows-1258", 177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250",
}; // biome-ignore format: a table
export const charsetName = (charset: number): string | undefined => charsets[charset];
