import { describe, expect, it } from "vitest";
import { readMsg } from "../../../src/extract/readers/msg.ts";
import { compound } from "../office/compound.ts";
import { outline, read } from "../office/make.ts";

const wide = (text: string) => Buffer.from(text, "utf16le");
/** 100 ns since 1601. */
const TIME_OF_2024_03_05 = (BigInt(Date.UTC(2024, 2, 5)) + 11_644_473_600_000n) * 10_000n;

/** The stream of fixed-size properties; a message's has 32 bytes before them, a recipient's or attachment's 8. */
function properties(headBytes: number, list: [tag: number, value: bigint][]): Buffer {
  const bytes = Buffer.alloc(headBytes + list.length * 16);
  list.forEach(([tag, value], n) => {
    bytes.writeUInt32LE(tag, headBytes + n * 16);
    bytes.writeUInt32LE(6, headBytes + n * 16 + 4);
    bytes.writeBigUInt64LE(value, headBytes + n * 16 + 8);
  });
  return bytes;
}

function message(body: Record<string, Uint8Array>): Buffer {
  return compound({
    "__properties_version1.0": properties(32, [[0x00390040, TIME_OF_2024_03_05]]),
    "__substg1.0_0037001F": wide("Offer"),
    "__substg1.0_0C1A001F": wide("Ann Example"),
    "__substg1.0_0C1F001F": wide("/O=EXCHANGE/CN=ANN"),
    "__substg1.0_5D01001F": wide("ann@a.example"),
    "__recip_version1.0_#00000000/__properties_version1.0": properties(8, [[0x0c150003, 1n]]),
    "__recip_version1.0_#00000000/__substg1.0_3001001F": wide("Bob"),
    "__recip_version1.0_#00000000/__substg1.0_39FE001F": wide("bob@b.example"),
    "__recip_version1.0_#00000001/__properties_version1.0": properties(8, [[0x0c150003, 2n]]),
    "__recip_version1.0_#00000001/__substg1.0_3001001F": wide("Carl"),
    "__recip_version1.0_#00000001/__substg1.0_3003001F": wide("carl@c.example"),
    "__attach_version1.0_#00000000/__properties_version1.0": properties(8, []),
    "__attach_version1.0_#00000000/__substg1.0_3707001F": wide("offer.pdf"),
    "__attach_version1.0_#00000000/__substg1.0_370E001F": wide("application/pdf"),
    "__attach_version1.0_#00000000/__substg1.0_37010102": Buffer.from("%PDF-1.4\n"),
    ...body,
  });
}

describe("readMsg", () => {
  it("reads sender, recipients, date, text with quotes apart, attachments", async () => {
    const bytes = message({
      "__substg1.0_1000001F": wide("Hello Bob\r\n\r\n-----Original Message-----\r\nFrom: Bob\r\n\r\nHi"),
    });
    const { title, authors, published_at, metadata, blocks } = await read(readMsg, "msg", bytes);
    expect({ title, authors, published_at }).toEqual({
      title: "Offer",
      authors: ["Ann Example"],
      published_at: "2024-03-05T00:00:00.000Z",
    });
    expect(metadata).toMatchObject({
      from: [{ name: "Ann Example", address: "ann@a.example" }],
      to: [{ name: "Bob", address: "bob@b.example" }],
      cc: [{ name: "Carl", address: "carl@c.example" }],
      attachments: [{ name: "offer.pdf", kind: "pdf", mime_type: "application/pdf", size: 9, inline: false }],
    });
    expect(outline(blocks.slice(2))).toEqual([
      "paragraph: Hello Bob",
      "paragraph (quote): -----Original Message-----\nFrom: Bob",
      "paragraph (quote): Hi",
    ]);
  });

  it("prefers HTML, in its own code page", async () => {
    const html = Buffer.from("<h1>Gr\u00fc\u00dfe</h1><p>text</p>", "latin1");
    const bytes = message({
      "__properties_version1.0": properties(32, [[0x3fde0003, 1252n]]),
      "__substg1.0_10130102": html,
      "__substg1.0_1000001F": wide("plain"),
    });
    const { blocks } = await read(readMsg, "msg", bytes);
    expect(outline(blocks.slice(2))).toEqual(["heading 1: Grüße", "paragraph: text"]);
  });

  it("calls what is no message corrupt", async () => {
    const bytes = message({}).subarray(0, 1024);
    await expect(read(readMsg, "msg", bytes)).rejects.toMatchObject({ code: "corrupt_document" });
  });
});
