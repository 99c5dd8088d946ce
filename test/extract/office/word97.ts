// Makes a Word 97 file in code: header, text, one page each of paragraph and character properties, styles and one list.

import { compound } from "./compound.ts";

const TEXT_AT = 0x800;
const PARAGRAPH_PAGE = 2;
const CHARACTER_PAGE = 3;
const PAGE = 512;

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
const bytes = (...values: number[]) => Buffer.from(values);

/** Property modifiers, as a paragraph or run carries them. */
export const sprms = {
  list: (index: number, level: number) => Buffer.concat([u16(0x460b, index), u16(0x260a), bytes(level)]),
  outline: (level: number) => Buffer.concat([u16(0x2640), bytes(level)]),
  cell: Buffer.concat([u16(0x2416), bytes(1)]),
  /** @param edges of the row; merges of each cell: 1 << 5 goes on from above, 3 << 5 begins. */
  row(edges: number[], merges: number[], header = false) {
    const shape = Buffer.concat([
      bytes(merges.length),
      u16(...edges),
      ...merges.map((m) => Buffer.concat([u16(m), Buffer.alloc(18)])),
    ]);
    return Buffer.concat([
      u16(0x2416),
      bytes(1),
      u16(0x2417),
      bytes(1),
      ...(header ? [u16(0x3404), bytes(1)] : []),
      u16(0xd608, shape.length + 1),
      shape,
    ]);
  },
  bold: Buffer.concat([u16(0x0835), bytes(1)]),
  hidden: Buffer.concat([u16(0x083c), bytes(1)]),
};

export interface Paragraph {
  /** With its mark: \r, or \x07 for a cell or row. */
  text: string;
  style?: number;
  sprms?: Buffer;
}

export interface Run {
  length: number;
  sprms?: Buffer;
}

function page(ends: number[], entries: Buffer[], slotBytes: number): Buffer {
  const whole = Buffer.alloc(PAGE);
  u32(TEXT_AT, ...ends.map((end) => TEXT_AT + end)).copy(whole);
  let free = PAGE - 2;
  entries.forEach((entry, n) => {
    free = (free - entry.length) & ~1;
    entry.copy(whole, free);
    whole[(ends.length + 1) * 4 + n * slotBytes] = free / 2;
  });
  whole[PAGE - 1] = ends.length;
  return whole;
}

function paragraphEntry({ style = 0, sprms: own = Buffer.alloc(0) }: Paragraph): Buffer {
  const data = Buffer.concat([u16(style), own]);
  // An odd length counts in halves from one, an even one behind a zero.
  return data.length % 2 === 1
    ? Buffer.concat([bytes((data.length + 1) / 2), data])
    : Buffer.concat([bytes(0, data.length / 2), data]);
}

function style(sti: number, name: string, base: number): Buffer {
  const std = Buffer.concat([
    u16(sti, (base << 4) | 1, 2, 0, 0, name.length),
    Buffer.from(`${name}\0`, "utf16le"),
    u16(2, 0),
  ]);
  return Buffer.concat([u16(std.length), std]);
}

/** Styles 0 Normal, 1 heading 1 under a foreign name, 2 built on it, 3 the title. */
const styles = Buffer.concat([
  u16(4, 4, 10),
  style(0, "Standard", 0xfff),
  style(1, "berschrift", 0),
  style(0xffe, "Mine", 1),
  style(62, "Titel", 0),
]);

const listLevel = Buffer.concat([u32(3), bytes(0, 0), Buffer.alloc(18), bytes(0, 0, 0, 0), u16(2, 0, 0x2e)]);
const lists = Buffer.concat([u16(1), u32(77, 0), Buffer.alloc(18), bytes(1, 0)]);
const listOverrides = Buffer.concat([u32(1), u32(77, 0, 0), bytes(0, 0, 0, 0), u32(0xffffffff)]);

export interface Word97 {
  paragraphs: Paragraph[];
  /** Of the whole text, from its start; the rest is plain. */
  runs?: Run[];
  footnotes?: { at: number; text: string }[];
  encrypted?: boolean;
  version?: number;
}

export function word97({ paragraphs, runs = [], footnotes = [], encrypted = false, version = 0xc1 }: Word97): Buffer {
  const body = paragraphs.map((p) => p.text).join("");
  const notes = footnotes.map((note) => note.text).join("");
  const text = body + notes;
  const all = notes ? [...paragraphs, { text: notes }] : paragraphs;
  let end = 0;
  const paragraphEnds = all.map((p) => (end += p.text.length));
  end = 0;
  const runEnds = [...runs.map((r) => (end += r.length)), text.length];
  const tables: Record<number, Buffer> = {
    1: styles,
    12: u32(TEXT_AT, TEXT_AT + text.length, CHARACTER_PAGE),
    13: u32(TEXT_AT, TEXT_AT + text.length, PARAGRAPH_PAGE),
    33: Buffer.concat([
      bytes(2),
      u32(16),
      u32(0, text.length),
      u16(0),
      u32(((TEXT_AT * 2) | 0x40000000) >>> 0),
      u16(0),
    ]),
    73: lists,
    74: listOverrides,
  };
  if (footnotes.length > 0) {
    let at = 0;
    tables[2] = Buffer.concat([u32(...footnotes.map((note) => note.at), body.length), u16(...footnotes.map(() => 1))]);
    tables[3] = u32(0, ...footnotes.map((note) => (at += note.text.length)));
  }
  const main = Buffer.alloc(Math.max(0x1800, TEXT_AT + text.length));
  u16(0xa5ec, version).copy(main);
  u16(0x0200 | (encrypted ? 0x0100 : 0)).copy(main, 0x0a);
  u32(body.length, notes.length).copy(main, 0x4c);
  const side: Buffer[] = [];
  let place = 0;
  for (const [index, table] of Object.entries(tables)) {
    u32(place, table.length).copy(main, 0x9a + Number(index) * 8);
    // The levels of the lists stand right behind their table.
    const stored = index === "73" ? Buffer.concat([table, listLevel]) : table;
    side.push(stored);
    place += stored.length;
  }
  Buffer.from(text, "latin1").copy(main, TEXT_AT);
  page(paragraphEnds, all.map(paragraphEntry), 13).copy(main, PARAGRAPH_PAGE * PAGE);
  const characters = [...runs, {}].map((r: Partial<Run>) =>
    Buffer.concat([bytes(r.sprms?.length ?? 0), r.sprms ?? Buffer.alloc(0)]),
  );
  page(runEnds, characters, 1).copy(main, CHARACTER_PAGE * PAGE);
  return compound({ WordDocument: main, "1Table": Buffer.concat([...side, Buffer.alloc(4096)]) });
}
