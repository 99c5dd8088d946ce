// XLS older than Excel 97, through SheetJS. Only filled cells are looked at, never the range the sheet claims.

import { read as readWorkbook, type WorkBook } from "@e965/xlsx";
import { Fault } from "../../errors.ts";
import { MAX_SHEET_CELLS, newSheet, parseAddress, type Sheet, tooManyCells } from "./sheet.ts";
import type { SheetEntry } from "./xlsx-book.ts";

/** Old Excel had 16,384 rows of 256 columns; the library needs some 300 bytes a cell of ten. */
const MAX_BINARY_BYTES = 20 * 1024 * 1024;

function open(bytes: Uint8Array): WorkBook {
  if (bytes.length > MAX_BINARY_BYTES)
    throw new Fault("document_too_complex", { detail: "The binary workbook is too large to be read safely." });
  try {
    // Rows past the limit of cells cannot be handed on anyway.
    return readWorkbook(bytes, {
      type: "buffer",
      cellFormula: false,
      cellHTML: false,
      cellText: true,
      dense: false,
      sheetRows: MAX_SHEET_CELLS,
    });
  } catch (cause) {
    if (/password|encrypt/i.test(cause instanceof Error ? cause.message : ""))
      throw new Fault("encrypted_document", { cause });
    throw new Fault("corrupt_document", { cause });
  }
}

export function openBinaryBook(bytes: Uint8Array): { sheets: SheetEntry[] } {
  const book = open(bytes);
  const filled = { count: 0 };
  const sheets = book.SheetNames.map((name, at) => {
    const hidden = (book.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0;
    return { name, hidden, read: () => toSheet(book, name, hidden, filled) };
  });
  return { sheets };
}

function toSheet(book: WorkBook, name: string, hidden: boolean, filled: { count: number }): Sheet {
  const sheet = newSheet(name, hidden);
  const source = book.Sheets[name] ?? {};
  for (const address of Object.keys(source)) {
    const place = parseAddress(address);
    if (!place) continue;
    const cell = source[address];
    const text = String(cell.w ?? cell.v ?? "")
      .replace(/\r\n?/g, "\n")
      .trim();
    for (const comment of cell.c ?? []) sheet.comments.push({ address, text: String(comment.t ?? "").trim() });
    if (text === "" || cell.t === "z") continue;
    sheet.cells.push({ ...place, text, isText: cell.t === "s", bold: false });
    if (++filled.count > MAX_SHEET_CELLS) throw tooManyCells();
  }
  for (const { s, e } of source["!merges"] ?? [])
    sheet.merges.push({ row: s.r, column: s.c, rows: e.r - s.r + 1, columns: e.c - s.c + 1 });
  return sheet;
}
