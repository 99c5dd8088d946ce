// Strings of BIFF8: one or two bytes a character, with formatting behind them, and cut anywhere by the end of a record.

export type Chunk = Buffer;

/** A string that lies whole in its record. */
export function readBiffString(data: Buffer, at: number, countBytes: 1 | 2 = 2): string {
  const count = countBytes === 1 ? data[at]! : data.readUInt16LE(at);
  const wide = (data[at + countBytes]! & 1) === 1;
  const start = at + countBytes + 1;
  return data.toString(wide ? "utf16le" : "latin1", start, start + count * (wide ? 2 : 1));
}

/** Reads strings one after the other across records; null at the end. */
export function stringReader(chunks: Chunk[], from: number): () => string | null {
  let chunk = 0;
  let at = from;
  const data = () => chunks[chunk]!;
  const left = () => (chunk < chunks.length ? data().length - at : 0);
  const nextChunk = () => {
    chunk++;
    at = 0;
    return chunk < chunks.length;
  };
  /** Formatting may be cut anywhere and is passed over. */
  const skip = (bytes: number) => {
    let rest = bytes;
    while (rest > left()) {
      rest -= left();
      if (!nextChunk()) return;
    }
    at += rest;
  };
  const header = (bytes: number): Buffer | null => {
    if (left() === 0 && !nextChunk()) return null;
    if (left() < bytes) return null;
    const read = data().subarray(at, at + bytes);
    at += bytes;
    return read;
  };
  const characters = (count: number, wideAtFirst: boolean): string => {
    let text = "";
    let wide = wideAtFirst;
    for (let rest = count; rest > 0; ) {
      const size = wide ? 2 : 1;
      const taken = Math.min(rest, Math.floor(left() / size));
      text += data().toString(wide ? "utf16le" : "latin1", at, at + taken * size);
      at += taken * size;
      rest -= taken;
      if (rest === 0) break;
      // Each record that carries a string on says anew how wide it is.
      if (!nextChunk() || left() === 0) break;
      wide = (data()[0]! & 1) === 1;
      at = 1;
    }
    return text;
  };
  return () => {
    const head = header(3);
    if (!head) return null;
    const count = head.readUInt16LE(0);
    const flags = head[2]!;
    const runs = flags & 8 ? header(2)?.readUInt16LE(0) : 0;
    const extra = flags & 4 ? header(4)?.readUInt32LE(0) : 0;
    if (runs === undefined || extra === undefined || chunk >= chunks.length) return null;
    const text = characters(count, (flags & 1) === 1);
    skip(runs * 4 + extra);
    return text;
  };
}
