import { describe, expect, it } from "vitest";
import {
  checkVat,
  findEmails,
  findIbans,
  findPhones,
  findUrls,
  findVats,
  isIban,
} from "../../../src/extract/fields/contacts.ts";

const texts = (text: string, found: { start: number; end: number }[]): string[] =>
  found.map(({ start, end }) => text.slice(start, end));

describe("contacts", () => {
  it("e-mail addresses", () => {
    const text = "Write to a.b+c@mail.example.org, or X@Y.com. Not @home or a@b.";
    expect(texts(text, findEmails(text))).toEqual(["a.b+c@mail.example.org", "X@Y.com"]);
  });

  it("web addresses", () => {
    const text = "See https://x.example/a?b=1, www.kings.com.my and acme.io.";
    expect(texts(text, findUrls(text))).toEqual(["https://x.example/a?b=1", "www.kings.com.my", "acme.io"]);
  });

  it.each(["+44 20 7946 0958", "07-3523888", "(555) 010-9999", "0049 171 5550199", "+1.212.555.0100"])(
    "telephone %s",
    (text) => {
      expect(findPhones(`Tel ${text}`)[0]?.value).toBe(text);
    },
  );

  it.each(["25/12/2018", "12-06-2018", "1,234.50", "12.50 13.50", "123"])("%s is no telephone", (text) => {
    expect(findPhones(text).filter((phone) => phone.quality >= 0.6)).toEqual([]);
  });
});

describe("codes with check digits", () => {
  it.each([
    "DE89 3704 0044 0532 0130 00",
    "GB82WEST12345698765432",
    "FR1420041010050500013M02606",
    "NL91ABNA0417164300",
  ])("IBAN %s", (iban) => {
    expect(isIban(iban)).toBe(true);
    expect(findIbans(`IBAN: ${iban} BIC`)[0]?.value).toBe(iban.replaceAll(" ", ""));
  });

  it.each(["DE88 3704 0044 0532 0130 00", "GB82WEST12345698765433", "XX00"])("%s is no IBAN", (iban) => {
    expect(isIban(iban)).toBe(false);
    expect(findIbans(iban)).toEqual([]);
  });

  it.each([
    ["DE136695976", true],
    ["DE136695977", false],
    ["BE0428759497", true],
    ["BE0428759498", false],
    ["PL8567346215", true],
    ["IT00743110157", true],
    ["IT00743110158", false],
    ["DK13585628", true],
    ["FI20774740", true],
    ["PT501964843", true],
    ["ATU13585627", true],
    ["XX123456789", null],
    ["DE12", null],
  ])("VAT %s: %s", (text, valid) => {
    expect(checkVat(text)).toBe(valid);
  });

  it("finds a VAT number and lowers one whose check digit is wrong", () => {
    expect(findVats("USt-IdNr. DE136695976")[0]).toMatchObject({ value: "DE136695976", quality: 1 });
    expect(findVats("USt-IdNr. DE136695977")[0]?.quality).toBeLessThan(0.5);
  });
});
