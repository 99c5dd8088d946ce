// Property modifiers of the binary Word format: a code and an operand whose length the code tells.

export type Sprms = Map<number, Buffer>;

export const sprm = {
  outline: 0x2640,
  level: 0x260a,
  list: 0x460b,
  inTable: 0x2416,
  rowEnd: 0x2417,
  tableDepth: 0x6649,
  tableHeader: 0x3404,
  tableShape: 0xd608,
  storedElsewhere: 0x6646,
  tableStoredElsewhere: 0x646b,
  bold: 0x0835,
  italic: 0x0836,
  strike: 0x0837,
  hidden: 0x083c,
  deleted: 0x0800,
  special: 0x0855,
  symbol: 0x6a09,
} as const;

const operandBytes = [1, 1, 2, 4, 2, 2, -1, 3];

/** The last modifier of a kind wins. */
export function readSprms(bytes: Buffer): Sprms {
  const sprms: Sprms = new Map();
  let at = 0;
  while (at + 2 < bytes.length) {
    const code = bytes.readUInt16LE(at);
    let length = operandBytes[code >> 13]!;
    let start = at + 2;
    if (length < 0) {
      // The table's shape has a length of two bytes, one too long.
      const wide = code === sprm.tableShape || code === 0xd606;
      if (start + (wide ? 2 : 1) > bytes.length) break;
      length = wide ? bytes.readUInt16LE(start) - 1 : bytes[start]!;
      start += wide ? 2 : 1;
    }
    sprms.set(code, bytes.subarray(start, start + Math.max(0, length)));
    at = start + Math.max(0, length);
  }
  return sprms;
}

export function flag(sprms: Sprms, code: number): boolean {
  const operand = sprms.get(code);
  // 0x81 turns over what the style says, which for body text is off.
  return operand !== undefined && (operand[0] === 1 || operand[0] === 0x81);
}

export function number(sprms: Sprms, code: number): number | undefined {
  const operand = sprms.get(code);
  if (!operand || operand.length === 0) return undefined;
  return operand.length >= 4 ? operand.readInt32LE(0) : operand.length >= 2 ? operand.readInt16LE(0) : operand[0];
}
