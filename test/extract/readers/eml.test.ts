import { describe, expect, it } from "vitest";
import { readEml } from "../../../src/extract/readers/eml.ts";
import { outline, read } from "../office/make.ts";

const headers = `From: Ann Example <ann@a.example>
To: "Bob B." <bob@b.example>, carl@c.example
Cc: Team: d@d.example, e@e.example;
Subject: =?utf-8?Q?Offer_f=C3=BCr_M=C3=A4rz?=
Date: Tue, 5 Mar 2024 10:20:30 +0100
Message-ID: <one@a.example>
In-Reply-To: <zero@b.example>
MIME-Version: 1.0
`;
const readMail = (text: string) => read(readEml, "eml", Buffer.from(text.replace(/\n/g, "\r\n")));
const plain = (body: string) => readMail(`${headers}Content-Type: text/plain; charset=utf-8\n\n${body}`);

describe("readEml", () => {
  it("reads headers, addresses and date", async () => {
    const { title, authors, published_at, metadata, blocks } = await plain("Hello\n");
    expect({ title, authors, published_at }).toEqual({
      title: "Offer für März",
      authors: ["Ann Example"],
      published_at: "2024-03-05T09:20:30.000Z",
    });
    expect(metadata).toEqual({
      from: [{ name: "Ann Example", address: "ann@a.example" }],
      to: [{ name: "Bob B.", address: "bob@b.example" }, { name: "", address: "carl@c.example" }],
      cc: [{ name: "", address: "d@d.example" }, { name: "", address: "e@e.example" }],
      message_id: "<one@a.example>",
      in_reply_to: "<zero@b.example>",
      attachments: [],
    }); // biome-ignore format: one mail
    expect(outline(blocks)).toEqual([
      "title: Offer für März",
      "paragraph: From: Ann Example <ann@a.example>\nTo: Bob B. <bob@b.example>, carl@c.example\nCc: d@d.example, e@e.example\nDate: Tue, 5 Mar 2024 10:20:30 +0100",
      "paragraph: Hello",
    ]);
  });

  it("sets quoted lines and their announcement apart, also between answers", async () => {
    const { blocks } = await plain(
      "Yes.\n\nOn Mon, Bob <bob@b.example>\nwrote:\n> Can we?\n>> before\n\nNo, later.\n\n> And then?\nMaybe.\n",
    );
    expect(outline(blocks.slice(2))).toEqual([
      "paragraph: Yes.",
      "paragraph (quote): On Mon, Bob <bob@b.example>\nwrote:",
      "paragraph (quote): Can we?\nbefore",
      "paragraph: No, later.",
      "paragraph (quote): And then?",
      "paragraph: Maybe.",
    ]);
  });

  it.each([
    "-----Original Message-----\nFrom: Bob",
    "From: Bob\nSent: Monday\nTo: Ann",
    "Von: Bob\nGesendet: Montag\nAn: Ann",
    "---------- Forwarded message ---------\nFrom: Bob",
  ])("takes everything below %j as quoted", async (separator) => {
    const { blocks } = await plain(`Mine.\n\n${separator}\n\nTheirs.\n`);
    expect(blocks.slice(2).map((block) => block.role ?? "own")).toEqual(["own", "quote", "quote"]);
    expect(blocks.at(-1)!.text).toBe("Theirs.");
  });

  it("does not take prose for a quote", async () => {
    const { blocks } = await plain("From: here to there.\n\nOn Monday we wrote:\nnothing.\n");
    expect(blocks.filter((block) => block.role).length).toBe(0);
  });

  const mixed = (html: string) => `${headers}Content-Type: multipart/mixed; boundary="m"

--m
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain

plain words
--a
Content-Type: text/html; charset=utf-8

${html}
--a--
--m
Content-Type: application/pdf; name="offer.pdf"
Content-Disposition: attachment; filename="offer.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--m
Content-Type: image/png
Content-ID: <logo@a>
Content-Disposition: inline; filename="logo.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--m--
`;

  it("prefers the HTML with its tables and quotes, names attachments with kind and size", async () => {
    const html =
      '<p>See <b>this</b>:</p><table border="1"><tr><th>Item</th><th>Price</th></tr><tr><td>Pen</td><td>2.00</td></tr></table><img src="cid:logo@a" alt="Logo"><div>On Mon, Bob wrote:</div><blockquote><p>Can we?</p></blockquote>';
    const { blocks, metadata } = await readMail(mixed(html));
    expect(outline(blocks.slice(2))).toEqual([
      "paragraph: See this:",
      "table: 0,0 H Item | 0,1 H Price | 1,0 Pen | 1,1 2.00",
      "figure: Logo",
      "paragraph (quote): On Mon, Bob wrote:",
      "paragraph (quote): Can we?",
    ]);
    expect(metadata.attachments).toEqual([
      { name: "offer.pdf", kind: "pdf", mime_type: "application/pdf", size: 9, inline: false },
      { name: "logo.png", kind: "png", mime_type: "image/png", size: 8, inline: true, content_id: "logo@a" },
    ]);
  });

  it("sets apart what Outlook quotes in HTML without a block quote", async () => {
    const { blocks } = await readMail(
      mixed("<p>Mine</p><p><b>From:</b> Bob<br><b>Sent:</b> Monday<br><b>To:</b> Ann</p><p>Theirs</p>"),
    );
    expect(blocks.slice(2).map((block) => block.role ?? "own")).toEqual(["own", "quote", "quote"]);
  });

  it("takes the text where the HTML shows nothing", async () => {
    const { blocks } = await readMail(mixed("<div> </div>"));
    expect(outline(blocks.slice(2))).toEqual(["paragraph: plain words"]);
  });

  it("refuses encrypted mails and parts nested without end", async () => {
    const encrypted = `${headers}Content-Type: multipart/encrypted; boundary="x"\n\n--x--\n`;
    await expect(readMail(encrypted)).rejects.toMatchObject({ code: "encrypted_document" });
    const deep = Array.from(
      { length: 60 },
      (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\n\n--b${n}\n`,
    ).join("");
    await expect(readMail(headers + deep)).rejects.toMatchObject({ code: "document_too_complex" });
  });
});
