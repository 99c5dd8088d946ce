// RTF as tokens: groups, control words, bytes of text. Never looks further than the next token, whatever the input.

export interface RtfToken {
  type: "open" | "close" | "word" | "symbol" | "byte" | "text" | "end";
  /** Control word or symbol, or text of single bytes as Latin-1. */
  value: string;
  /** The number behind a control word. */
  number: number | null;
}

export interface RtfCursor {
  rtf: string;
  at: number;
}

const wordPattern = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/y;
const textPattern = /[^\\{}\r\n\0]+/y;

function control(cursor: RtfCursor): RtfToken {
  const { rtf } = cursor;
  wordPattern.lastIndex = cursor.at + 1;
  const word = wordPattern.exec(rtf);
  if (word) {
    cursor.at = wordPattern.lastIndex;
    const number = word[2] === undefined ? null : Number(word[2]);
    // Bytes of a picture follow raw and may hold braces.
    if (word[1] === "bin" && number !== null && number > 0) cursor.at += number;
    return { type: "word", value: word[1]!, number };
  }
  const symbol = rtf[cursor.at + 1] ?? "";
  if (symbol === "'") {
    const code = Number.parseInt(rtf.slice(cursor.at + 2, cursor.at + 4), 16);
    cursor.at += 4;
    return { type: "byte", value: Number.isNaN(code) ? "" : String.fromCharCode(code), number: null };
  }
  cursor.at += 2;
  return { type: "symbol", value: symbol, number: null };
}

export function nextToken(cursor: RtfCursor): RtfToken {
  const { rtf } = cursor;
  while (cursor.at < rtf.length) {
    const sign = rtf[cursor.at]!;
    if (sign === "{" || sign === "}") {
      cursor.at++;
      return { type: sign === "{" ? "open" : "close", value: "", number: null };
    }
    if (sign === "\\") return control(cursor);
    textPattern.lastIndex = cursor.at;
    const text = textPattern.exec(rtf);
    if (text) {
      cursor.at = textPattern.lastIndex;
      return { type: "text", value: text[0], number: null };
    }
    cursor.at++; // line ends between tokens mean nothing
  }
  return { type: "end", value: "", number: null };
}
