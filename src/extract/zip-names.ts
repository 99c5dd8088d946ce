// The names in a ZIP archive, without unpacking anything: from its directory, or from the members' own headers where that is cut off.

// Office packages name their main part among the first few hundred members.
const MAX_NAMES = 5_000;
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;

export function memberNames(bytes: Uint8Array): string[] {
  const names = directoryNames(bytes);
  return names.length > 0 ? names : localNames(bytes);
}

function directoryNames(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const names: string[] = [];
  // The end record is followed by a comment of at most 65,535 bytes.
  const lowest = Math.max(0, bytes.length - 22 - 65_535);
  for (let end = bytes.length - 22; end >= lowest; end--) {
    if (view.getUint32(end, true) !== END_OF_DIRECTORY) continue;
    let at = view.getUint32(end + 16, true);
    while (names.length < MAX_NAMES && at + 46 <= bytes.length && view.getUint32(at, true) === DIRECTORY_ENTRY) {
      const length = view.getUint16(at + 28, true);
      names.push(decodeName(bytes, at + 46, length));
      at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return names;
  }
  return names;
}

function localNames(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(LOCAL_HEADER);
  const names: string[] = [];
  for (let at = 0; names.length < MAX_NAMES; at += 4) {
    at = buffer.indexOf(mark, at);
    if (at < 0 || at + 30 > buffer.length) return names;
    names.push(decodeName(bytes, at + 30, buffer.readUInt16LE(at + 26)));
  }
  return names;
}

const decodeName = (bytes: Uint8Array, start: number, length: number): string =>
  new TextDecoder().decode(bytes.subarray(start, start + length)).replaceAll("\\", "/");
