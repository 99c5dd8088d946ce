// The control words of RTF that mean something here, each with what it does. All others are passed over.

import type { Block } from "../document.ts";
import { codePageName } from "./code-pages.ts";
import { charsetName, type Destination, newStory, type RtfState, type RtfStory } from "./rtf-state.ts";
import { addText, endCell, endParagraph, endRow, flushBytes, resetParagraph, storyOf } from "./rtf-stories.ts";

type Word = (state: RtfState, number: number | null) => void;

const on = (number: number | null) => number !== 0;
const say =
  (text: string): Word =>
  (state) =>
    addText(state, text);
const to =
  (destination: Destination): Word =>
  (state) => {
    state.group.destination = destination;
  };
const property =
  (name: string): Word =>
  (state) => {
    state.group.destination = "property";
    state.group.property = name;
  };

function beginStory(state: RtfState, story: RtfStory): void {
  // A story inside what is passed over is passed over too.
  if (state.group.destination === "skip" || state.stories.length > 30) {
    state.group.destination = "skip";
    return;
  }
  state.group.destination = "text";
  state.group.story = story;
  state.group.field = null;
  state.group.hidden = false;
  state.stories.push(story);
}

const story =
  (type: RtfStory["type"]): Word =>
  (state) =>
    beginStory(state, newStory(type));

const datePart =
  (index: number): Word =>
  (state, number) => {
    if (state.group.destination !== "property") return;
    const parts = (state.info[state.group.property] ?? "----").split("-");
    parts[index] = String(number ?? 0).padStart(2, "0");
    state.info[state.group.property] = parts.join("-");
  };

const merge =
  (axis: "across" | "down", value: "start" | "continue"): Word =>
  (state) => {
    storyOf(state).shape[axis] = value;
  };

function beginMarker(state: RtfState): void {
  state.group.destination = "marker";
  storyOf(state).paragraph.markerWritten = true;
}

function startRow(state: RtfState): void {
  flushBytes(state);
  const at = storyOf(state);
  at.row = { left: 0, shapes: [], cells: at.row.cells, header: false };
  at.rowOpen = true;
}

/** No table of a real document is wider. */
const MAX_EDGES = 1000;

export const words: Record<string, Word> = {
  // text
  par: (state) => endParagraph(state),
  sect: (state) => endParagraph(state),
  line: say("\n"),
  page: say("\n"),
  column: say("\n"),
  tab: say("\t"),
  emdash: say("—"),
  endash: say("–"),
  emspace: say(" "),
  enspace: say(" "),
  qmspace: say(" "),
  lquote: say("‘"),
  rquote: say("’"),
  ldblquote: say("“"),
  rdblquote: say("”"),
  bullet: say("•"),
  u: (state, number) => {
    const code = ((number ?? 0) + 65_536) % 65_536;
    if (code !== 0) addText(state, String.fromCharCode(code));
    state.toSkip = state.group.fallback;
  },
  uc: (state, number) => {
    state.group.fallback = Math.min(Math.max(0, number ?? 1), 20);
  },
  // characters
  plain: (state) => {
    const { group } = state;
    Object.assign(group, { bold: false, italic: false, strike: false, hidden: false, font: state.defaultFont });
  },
  b: (state, number) => {
    state.group.bold = on(number);
    if (state.group.destination === "styles" && state.style) state.style.style.bold = on(number);
  },
  i: (state, number) => {
    state.group.italic = on(number);
  },
  strike: (state, number) => {
    state.group.strike = on(number);
  },
  v: (state, number) => {
    state.group.hidden = on(number);
  },
  deleted: (state, number) => {
    state.group.hidden = on(number);
  },
  f: (state, number) => {
    state.group.font = number ?? 0;
    if (state.group.destination === "fonts") state.fontIndex = number ?? 0;
  },
  // paragraphs
  pard: (state) => {
    // A marker's own formatting is not the paragraph's.
    if (state.group.destination !== "marker") resetParagraph(storyOf(state));
  },
  s: (state, number) => {
    if (state.group.destination === "styles")
      state.style = { index: number ?? 0, style: { name: "", outline: undefined, parent: undefined, bold: false } };
    else storyOf(state).paragraph.style = number ?? 0;
  },
  sbasedon: (state, number) => {
    if (state.style && number !== 222) state.style.style.parent = number ?? undefined;
  },
  outlinelevel: (state, number) => {
    if (state.group.destination === "styles" && state.style) state.style.style.outline = number ?? undefined;
    else storyOf(state).paragraph.outline = number ?? undefined;
  },
  ilvl: (state, number) => {
    storyOf(state).paragraph.level = Math.min(Math.max(0, number ?? 0), 8);
  },
  ls: (state, number) => {
    storyOf(state).paragraph.listed = (number ?? 0) > 0;
  },
  intbl: (state) => {
    storyOf(state).paragraph.inTable = true;
  },
  // tables
  trowd: startRow,
  trleft: (state, number) => {
    storyOf(state).row.left = number ?? 0;
  },
  trhdr: (state) => {
    storyOf(state).row.header = true;
  },
  clmgf: merge("across", "start"),
  clmrg: merge("across", "continue"),
  clvmgf: merge("down", "start"),
  clvmrg: merge("down", "continue"),
  cellx: (state, number) => {
    const at = storyOf(state);
    if (at.row.shapes.length < MAX_EDGES) at.row.shapes.push({ edge: number ?? 0, ...at.shape });
    at.shape = { across: "none", down: "none" };
  },
  cell: endCell,
  row: (state) => endRow(storyOf(state)),
  nestcell: say("\t"),
  nestrow: (state) => endParagraph(state, true),
  // the header of the file
  ansicpg: (state, number) => {
    state.codePage = codePageName(number ?? 0) ?? state.codePage;
  },
  mac: (state) => {
    state.codePage = "macintosh";
  },
  deff: (state, number) => {
    state.defaultFont = number ?? 0;
    state.group.font = number ?? 0;
  },
  fcharset: (state, number) => {
    if (state.group.destination !== "fonts") return;
    if (number === 2) state.symbolFonts.add(state.fontIndex);
    const name = charsetName(number ?? 0);
    if (name && number !== 0) state.fonts.set(state.fontIndex, name);
  },
  // destinations
  fonttbl: to("fonts"),
  stylesheet: to("styles"),
  info: to("info"),
  title: property("title"),
  author: property("author"),
  subject: property("subject"),
  keywords: property("keywords"),
  doccomm: property("description"),
  category: property("category"),
  company: property("company"),
  manager: property("manager"),
  operator: property("last_modified_by"),
  creatim: property("created_at"),
  revtim: property("modified_at"),
  yr: datePart(0),
  mo: datePart(1),
  dy: datePart(2),
  hr: datePart(3),
  min: datePart(4),
  field: (state) => {
    state.group.field = { instruction: "" };
  },
  fldinst: to("instruction"),
  fldrslt: (state) => {
    if (state.group.destination === "instruction") state.group.destination = "text";
  },
  listtext: beginMarker,
  pntext: beginMarker,
  footnote: (state) => {
    const marker = String(++state.noteCount);
    addText(state, `[${marker}]`);
    beginStory(state, newStory("footnote", marker));
  },
  atnauthor: (state) => {
    state.author = "";
    state.group.destination = "author";
  },
  annotation: (state) => beginStory(state, newStory("comment", "", state.author.trim())),
  shptxt: story("body"),
  pict: (state) => {
    const figure: Block = { type: "figure", text: "", page: 1, bbox: null };
    if (state.group.destination === "text" && !state.group.hidden) {
      flushBytes(state);
      storyOf(state).anchored.push(figure);
    }
    state.group.destination = "skip";
    state.group.figure = figure;
  },
  sn: (state) => {
    state.group.destination = state.group.figure ? "shapeName" : "skip";
  },
  sv: (state) => {
    state.group.destination = state.group.figure ? "shapeValue" : "skip";
  },
};

for (const name of ["header", "headerl", "headerr", "headerf"]) words[name] = story("header");
for (const name of ["footer", "footerl", "footerr", "footerf"]) words[name] = story("footer");
for (const name of ["colortbl", "listtable", "listoverridetable", "objdata", "nonshppict", "bkmkstart", "bkmkend", "themedata", "datastore", "generator", "xe", "tc", "template", "private1", "objclass", "objname", "passwordhash"])
  words[name] = to("skip"); // biome-ignore format: a list of words

/** Destinations behind \* that are read; every other one behind it is passed over. */
export const readBehindStar = new Set([
  "fldinst", "annotation", "atnauthor", "shppict", "shpinst", "shptxt", "picprop", "sp", "ud", "moMath", "moMathPara", "footnote", "title", "author", "subject", "keywords", "company", "manager", "category", "operator",
]); // biome-ignore format: a list of words
