import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText, knownEncoding } from "../../src/extract/encoding.ts";

const hex = (bytes: string) => Buffer.from(bytes.replaceAll(" ", ""), "hex");

/** Encodes by searching each character's byte in the decoder's own table. */
function encodeSingle(text: string, encoding: string): Uint8Array {
  const table = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) table.set(new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte);
  return Uint8Array.from([...text], (char) => table.get(char) ?? 0x3f);
}

/** Encodes two-byte characters by searching the decoder's whole table. */
function encodeDouble(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, number[]>();
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      try {
        const char = decoder.decode(Uint8Array.of(lead, trail));
        if (char.length === 1 && !table.has(char)) table.set(char, [lead, trail]);
      } catch {
        // Not a character of this encoding.
      }
    }
  return Uint8Array.from([...text].flatMap((char) => (char < "\x80" ? [char.charCodeAt(0)] : table.get(char)!)));
}

describe("marks and declarations", () => {
  test("byte order marks", () => {
    expect(decodeText(hex("efbbbf 68 c3a9"))).toMatchObject({ text: "hé", encoding: "utf-8", guessed: false });
    expect(decodeText(hex("fffe 6800 e900"))).toMatchObject({ text: "hé", encoding: "utf-16le" });
    expect(decodeText(hex("feff 0068 00e9"))).toMatchObject({ text: "hé", encoding: "utf-16be" });
  });

  test("UTF-16 without a mark", () => {
    expect(decodeText(Buffer.from("Plain words, twice over.", "utf16le")).encoding).toBe("utf-16le");
  });

  test("what is declared, unless the bytes are UTF-8 beyond doubt", () => {
    expect(decodeText(hex("e9"), { declared: "iso-8859-1" }).text).toBe("é");
    expect(decodeText(hex("c3a9"), { declared: "iso-8859-1" }).text).toBe("é");
    expect(decodeText(hex("93fa 967b"), { declared: "shift_jis" }).text).toBe("日本");
  });

  test("a few damaged bytes do not turn a UTF-8 text into another", () => {
    const bytes = Buffer.concat([
      Buffer.from("Grüße aus Köln und Düsseldorf ".repeat(20)),
      hex("ff fe 80"),
      Buffer.from("schön"),
    ]);
    const { text, encoding } = decodeText(bytes);
    expect(encoding).toBe("utf-8");
    expect(text).toContain("Grüße aus Köln");
  });

  test("unknown labels are none, and no text declares UTF-16 in ASCII", () => {
    expect([knownEncoding("klingon"), knownEncoding(null), knownEncoding("utf-16"), knownEncoding("latin1")]).toEqual([
      null,
      null,
      "utf-8",
      "windows-1252",
    ]);
  });

  test("any text comes back from UTF-8 and UTF-16", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."a1 \n", "é", "中", "😀", "\u200b"), minLength: 1 }), (text) => {
        expect(decodeText(Buffer.from(`\uFEFF${text}`, "utf16le")).text).toBe(text);
        expect(decodeText(Buffer.from(`\uFEFF${text}`)).text).toBe(text);
      }),
      { numRuns: 40 },
    );
  });
});

describe("guesses", () => {
  test.each([
    ["windows-1252", "Après l’été, les élèves français étudient à l’école – c’est très agréable, où qu’ils soient."],
    ["windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl jsem těžce a šel dál."],
    ["windows-1251", "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему."],
    ["koi8-r", "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему."],
    ["windows-1253", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα."],
    ["windows-1255", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם."],
    ["windows-1256", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا عقلا وضميرا."],
  ])("%s", (encoding, text) => {
    expect(decodeText(encodeSingle(text, encoding))).toEqual({ text, encoding, guessed: true });
  });

  test.each([
    ["shift_jis", "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"],
    ["euc-jp", "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"],
    ["gb18030", "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。"],
    ["euc-kr", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."],
  ])("%s", (encoding, text) => {
    expect(decodeText(encodeDouble(text, encoding)).text).toBe(text);
  });
});
