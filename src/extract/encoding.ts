// Bytes to text in whatever encoding they are: byte order mark, then what is declared, then UTF-8 where it is valid, then a guess.

export interface Decoded {
  text: string;
  /** WHATWG name of the encoding. */
  encoding: string;
  /** Neither marked, declared nor valid UTF-8: read by likelihood. */
  guessed: boolean;
}

export interface DecodeHints {
  /** Charset of a content type or of the document's own markup. */
  declared?: string | null;
  /** The bytes may end inside a character. */
  cut?: boolean;
}

export function decodeText(bytes: Uint8Array, { declared, cut = false }: DecodeHints = {}): Decoded {
  const marked = markedEncoding(bytes);
  if (marked) return { text: decode(bytes, marked), encoding: marked, guessed: false };
  const wide = wideEncoding(bytes);
  if (wide) return { text: decode(bytes, wide), encoding: wide, guessed: true };

  const utf8 = utf8Shape(bytes, cut);
  const named = knownEncoding(declared ?? null);
  // Valid UTF-8 with multibyte characters is no accident, whatever a template or server declares.
  if (utf8.broken === 0 && (utf8.multibyte > 0 || !named || !isMultibyte(named)))
    return { text: decode(bytes, "utf-8"), encoding: "utf-8", guessed: false };
  if (named && named !== "utf-8") return { text: decode(bytes, named), encoding: named, guessed: false };
  // A few damaged bytes in a long UTF-8 text are better shown as such than the whole text misread.
  if (utf8.multibyte > 4 * utf8.broken) return { text: decode(bytes, "utf-8"), encoding: "utf-8", guessed: true };
  const guess = guessEncoding(bytes);
  return { text: decode(bytes, guess), encoding: guess, guessed: true };
}

/** The standard name of an encoding this runtime decodes, or null. */
export function knownEncoding(label: string | null): string | null {
  if (!label) return null;
  try {
    const { encoding } = new TextDecoder(label.trim());
    // A document cannot declare UTF-16 in ASCII letters; the standard reads such a declaration as UTF-8.
    return encoding.startsWith("utf-16") || encoding === "x-user-defined" ? "utf-8" : encoding;
  } catch {
    return null;
  }
}

function markedEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
}

const decode = (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes);

const isMultibyte = (encoding: string) => /^(shift_jis|euc-|gb|big5|iso-2022)/.test(encoding);

// How much of the bytes a guess looks at: more does not change it, and the work stays small for any input.
const SAMPLE_BYTES = 64 * 1024;

/** UTF-16 without its mark: Latin text, digits and line ends leave every other byte zero. */
function wideEncoding(bytes: Uint8Array): string | null {
  const length = Math.min(bytes.length, SAMPLE_BYTES) & ~1;
  if (length < 4) return null;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < length; i += 2) {
    if (bytes[i] === 0) even++;
    if (bytes[i + 1] === 0) odd++;
  }
  const pairs = length / 2;
  if (odd > pairs * 0.4 && even < pairs * 0.05) return "utf-16le";
  return even > pairs * 0.4 && odd < pairs * 0.05 ? "utf-16be" : null;
}

function utf8Shape(bytes: Uint8Array, cut: boolean): { multibyte: number; broken: number } {
  let multibyte = 0;
  let broken = 0;
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i]!;
    if (lead < 0x80) {
      i++;
      continue;
    }
    const length =
      lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    let good = length > 0;
    for (let k = 1; good && k < length; k++) {
      if (i + k >= bytes.length) {
        if (cut) return { multibyte, broken };
        good = false;
      } else if ((bytes[i + k]! & 0xc0) !== 0x80) good = false;
    }
    if (good) multibyte++;
    else broken++;
    i += good ? length : 1;
  }
  return { multibyte, broken };
}

/** Letters that are common in the languages each encoding is used for, lower case first; they outweigh what merely decodes. */
const singleByte: Record<string, string> = {
  "windows-1252": "éèàçêëîïôûùâœüöäßñóáíúãõåøæ¿¡’“”–—…«»€ÉÀÇÜÖÄÑÓÁÍÃÅØ°§´",
  "windows-1250": "ąćęłńóśźżčřšžýěůáíéúťďňőűăâîșțşţôľ„”–—",
  "windows-1251": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ№«»–—ОЕАИНТСРВЛКМДПУЯ",
  "koi8-r": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
  ibm866: "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъ",
  "windows-1253": "αοιετσνηυρπκμλςωγδθχφβξζψόίέάήώύΑΟΕΤΣΝ’«»–",
  "windows-1254": "ışğüöçİŞĞÜÖÇâî’“”",
  "windows-1255": "יוהלאתמברשנכדעחקפגצטזסםןךץף–",
  "windows-1256": "اليمنوتربدعسفكقحجهشخصضطذزءئأإةىغ،ـ",
  "windows-874": "กขคงจชซญดตถทธนบปพฟภมยรลวศษสหอะาิีึืุูเแโใไ่้์ั็",
};

const multiByte: Record<string, RegExp> = {
  shift_jis: /[\u3040-\u30ff]/g,
  "euc-jp": /[\u3040-\u30ff]/g,
  gb18030: /[的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里]/g,
  big5: /[的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里]/g,
  "euc-kr": /[\uac00-\ud7a3]/g,
};

function guessEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const scored = [
    ...Object.keys(multiByte).map((encoding) => [encoding, scoreMultiByte(sample, encoding)] as const),
    ...Object.keys(singleByte).map((encoding) => [encoding, scoreSingleByte(sample, encoding)] as const),
  ];
  // In a tie the first stands; windows-1252 is what unlabelled text most often is, so it must be beaten.
  let best: readonly [string, number] = ["windows-1252", scoreSingleByte(sample, "windows-1252")];
  for (const candidate of scored) if (candidate[1] > best[1]) best = candidate;
  return best[0];
}

/** Share of the non-ASCII bytes that the typical characters explain; 0 as soon as much does not decode at all. */
function scoreMultiByte(sample: Uint8Array, encoding: string): number {
  const text = decode(sample, encoding);
  const wide = text.match(/[^\x00-\x7f]/g)?.length ?? 0;
  const broken = text.match(/[\uFFFD\uE000-\uF8FF\u0080-\u009f]/g)?.length ?? 0;
  // Half-width katakana is what Latin text looks like in Shift_JIS.
  const halfWidth = text.match(/[\uff61-\uff9f]/g)?.length ?? 0;
  if (wide === 0 || broken > wide * 0.02 || halfWidth > wide * 0.3) return 0;
  const typical = text.match(multiByte[encoding]!)?.length ?? 0;
  const ideographs = text.match(/[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7a3\u3000-\u303f\uff00-\uff60]/g)?.length ?? 0;
  return ideographs < wide * 0.8 ? 0 : 0.9 + (typical / wide) * 0.5;
}

function scoreSingleByte(sample: Uint8Array, encoding: string): number {
  const text = decode(sample, encoding);
  const common = singleByte[encoding]!;
  let high = 0;
  let score = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char < "\x80") continue;
    high++;
    const at = common.indexOf(char.toLowerCase());
    if (at >= 0) score += at < 12 ? 1 : 0.8;
    else if (!/\p{L}/u.test(char)) score -= /[\x80-\x9f\uFFFD\u2500-\u25ff]/.test(char) ? 2 : 0.3;
    // A capital after a small letter, or a sign inside a word, is how a wrong table shows.
    if (/\p{Lu}/u.test(char) && /\p{Ll}/u.test(text[i - 1] ?? "")) score -= 1;
    if (/[^\p{L}\p{M}’]/u.test(char) && /\p{L}/u.test(text[i - 1] ?? "") && /\p{Ll}/u.test(text[i + 1] ?? ""))
      score -= 1;
  }
  return high === 0 ? 0 : score / high;
}
