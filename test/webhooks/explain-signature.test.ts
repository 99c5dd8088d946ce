import { createHash, createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { explainSignature, type SignatureQuestion } from "../../src/webhooks/explain-signature.ts";
import { decodeSecret, deliveryHeaders, signBody } from "../../src/webhooks/sign.ts";

const current = `whsec_${randomBytes(32).toString("base64")}`;
const previous = `whsec_${randomBytes(32).toString("base64")}`;
const value = { id: "0199", title: "Überblick / « été »", total: 9, cells: [{ row: 0, text: 'a, "b": c' }], data: {} };
const sent = Buffer.from(JSON.stringify(value));

const headersOf = (body: Buffer | string = sent, secret = current) =>
  deliveryHeaders({
    body,
    event: "extraction.completed",
    requestId: "0199",
    eventId: "evt_1",
    timestamp: new Date(1_700_000_000_000),
    secret,
  });
const ask = (more: Partial<SignatureQuestion>) =>
  explainSignature({ body: sent, headers: headersOf(), secrets: { current, previous }, ...more });
const codes = (more: Partial<SignatureQuestion>) => ask(more).mistakes.map(({ code }) => code);
const signed = (signature: string) => ({ headers: { "X-Extract-Signature": signature } });
const hmac = (key: string | Buffer, body: string | Buffer = sent) => createHmac("sha256", key).update(body).digest();
const hex = (key: string | Buffer, body?: string | Buffer) => `sha256=${hmac(key, body).toString("hex")}`;

describe("explainSignature", () => {
  it("says so when it matches, however the header is spelled", () => {
    expect(ask({})).toEqual({ matches: true, mistakes: [] });
    expect(ask({ headers: { "x-extract-signature": [` ${signBody(current, sent)} `] } }).matches).toBe(true);
    expect(ask({ body: sent.toString() }).matches).toBe(true);
  });

  it("explains each mistake in a full sentence", () => {
    const { matches, mistakes } = ask({ headers: {} });
    expect(matches).toBe(false);
    expect(mistakes).toEqual([
      {
        code: "missing_header",
        message: "There is no X-Extract-Signature header. A proxy may have removed it, or the request is not from us.",
      },
    ]);
  });

  it.each([
    ["missing_prefix", hmac(current).toString("hex")],
    ["letter_case", `sha256=${hmac(current).toString("hex").toUpperCase()}`],
    ["letter_case", signBody(current, sent).replace("sha", "SHA")],
    ["base64", `sha256=${hmac(current).toString("base64")}`],
    ["base64", `sha256=${hmac(current).toString("base64url")}`],
    ["standard_signature", headersOf()["webhook-signature"]!],
    ["other_algorithm", `sha1=${createHmac("sha1", current).update(sent).digest("hex")}`],
    ["other_algorithm", createHmac("sha512", current).update(sent).digest("hex")],
    ["not_a_signature", "sha256="],
    ["not_a_signature", signBody(current, sent).slice(0, -1)],
    ["not_a_signature", "Bearer ext_live_x"],
    ["previous_secret", signBody(previous, sent)],
    ["secret_decoded", hex(decodeSecret(current))],
    ["secret_without_prefix", hex(current.slice(6))],
    ["secret_spaces", hex(`${current}\n`)],
    ["secret_spaces", hex(`"${current}"`)],
    ["no_hmac", `sha256=${createHash("sha256").update(sent).digest("hex")}`],
    ["no_hmac", `sha256=${createHash("sha256").update(current).update(sent).digest("hex")}`],
    ["no_match", signBody("whsec_c29tZWJvZHkgZWxzZQ==", sent)],
    ["no_match", signBody(current, "{}")],
  ])("finds %s in %s", (code, signature) => {
    expect(codes(signed(signature))).toEqual([code]);
    expect(ask(signed(signature)).matches).toBe(false);
  });

  it("finds an HMAC over id.timestamp.body", () => {
    const headers = { ...headersOf(), "X-Extract-Signature": hex(current, `evt_1.1700000000.${sent}`) };
    expect(codes({ headers })).toEqual(["id_and_timestamp"]);
  });

  it("names several mistakes at once", () => {
    expect(codes(signed(hmac(previous).toString("hex")))).toEqual(["missing_prefix", "previous_secret"]);
    expect(
      codes({ body: JSON.stringify(value, null, 2), ...signed(hmac(decodeSecret(current)).toString("base64")) }),
    ).toEqual(["missing_prefix", "base64", "secret_decoded", "whitespace"]);
  });

  const text = sent.toString();
  const ascii = text.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const airy =
    '{"id": "0199", "title": "Überblick / « été »", "total": 9, "cells": [{"row": 0, "text": "a, \\"b\\": c"}], "data": {}}';
  const sorted =
    '{"cells":[{"row":0,"text":"a, \\"b\\": c"}],"data":{},"id":"0199","title":"Überblick / « été »","total":9}';
  const rewritten: [code: string[], body: string | Buffer][] = [
    [["whitespace"], JSON.stringify(value, null, 2)],
    [["whitespace"], JSON.stringify(value, null, 4)],
    [["whitespace"], airy],
    [["escapes"], ascii],
    [["escapes"], text.replaceAll("/", "\\/")],
    [["escapes"], ascii.replaceAll("/", "\\/")],
    [["end_of_body"], `${text}\n`],
    [["end_of_body"], `${text}\r\n`],
    [["byte_order_mark"], `\ufeff${text}`],
    [["charset"], Buffer.from(sent.toString("latin1"))],
    [["quoted"], JSON.stringify(text)],
  ];

  it.each(rewritten)("finds %j where our signature meets a changed body", (code, body) => {
    // A string inside a string cannot be undone without knowing what was sent.
    if (code[0] === "quoted") expect(codes({ body, sent })).toEqual(code);
    else expect(codes({ body })).toEqual(code);
  });

  it.each([...rewritten, [["key_order"], sorted] as [string[], string]])(
    "finds %j where the user's own signature is over a changed body",
    (code, body) => {
      expect(codes(signed(hex(current, body)))).toEqual(code);
    },
  );

  it("finds Python's json.dumps with sorted keys and escapes", () => {
    const python =
      '{"cells": [{"row": 0, "text": "a, \\"b\\": c"}], "data": {}, "id": "0199", "title": "\\u00dcberblick / \\u00ab \\u00e9t\\u00e9 \\u00bb", "total": 9}';
    expect(codes(signed(hex(current, python)))).toEqual(["key_order", "whitespace", "escapes"]);
    expect(codes({ body: python, sent })).toEqual(["key_order"]);
  });

  it.each([
    ["line_breaks", "{\r\n}", "{\n}"],
    ["line_breaks", "{\n}", "{\r\n}"],
  ])("finds %s between %j and %j", (code, body, original) => {
    expect(codes({ body, headers: headersOf(original) })).toEqual([code]);
    expect(codes({ body, headers: headersOf(original), sent: original })).toEqual([code]);
  });

  it.each([
    ["key_order", sorted],
    ["truncated", sent.subarray(0, sent.length - 10)],
    ["other_body", text.replace("0199", "0200")],
    ["other_body", text.slice(5)],
    ["rewritten", text.replace('"total":9', '"total":9.0')],
    ["rewritten", text.replace('"total":9', '"total":9,"total":9')],
    ["whitespace", airy],
    ["escapes", ascii],
    ["charset", Buffer.from(sent.toString("latin1"))],
    ["end_of_body", `${text} `],
  ])("finds %s against what was sent", (code, body) => {
    expect(codes({ body, sent })).toEqual([code]);
  });

  it("suspects what it cannot prove", () => {
    expect(codes({ body: "" })).toEqual(["empty_body"]);
    expect(codes({ body: text.slice(0, -10) })).toEqual(["unfinished_body"]);
    expect(codes({ body: "{}", headers: { ...headersOf(), "Content-Length": "500" } })).toEqual(["length_differs"]);
    expect(codes({ body: "{}" })).toEqual(["no_match"]);
  });

  it("explains webhook-signature where it is the only one", () => {
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headersOf();
    const trio = { "Webhook-Id": id, "webhook-timestamp": timestamp };
    const standard = (key: string | Buffer, body: string) => `v1,${hmac(key, body).toString("base64")}`;
    const full = `${id}.${timestamp}.${sent}`;
    const given = (value?: string) => codes({ headers: { ...trio, "webhook-signature": value } });
    expect(given(signature)).toEqual([]);
    expect(given(`v1,${"A".repeat(43)}= ${signature}`)).toEqual([]);
    expect(given(standard(decodeSecret(previous), full))).toEqual(["previous_secret"]);
    expect(given(standard(current, full))).toEqual(["secret_not_decoded"]);
    expect(given(standard(decodeSecret(current), text))).toEqual(["id_or_timestamp_left_out"]);
    expect(given(standard(decodeSecret(current), "x"))).toEqual(["no_match"]);
    expect(given("v2,abc")).toEqual(["no_match"]);
    expect(codes({ headers: { "webhook-signature": signature } })).toEqual(["missing_id_or_timestamp"]);
  });

  it("stays small on hostile bodies", () => {
    const deep = "[".repeat(60_000);
    const broad = `${"[".repeat(60)}${"1,".repeat(60_000)}1${"]".repeat(60)}`;
    const quotes = `"${'\\"'.repeat(60_000)}`;
    for (const body of [deep, deep + "]".repeat(60_000), quotes, broad, Buffer.from([0xff, 0xfe, 0x00])]) {
      expect(ask({ body }).matches).toBe(false);
      expect(ask({ body, sent }).mistakes).toHaveLength(1);
      expect(ask({ body, headers: headersOf(body) }).matches).toBe(true);
    }
    const huge = `${JSON.stringify({ text: "x".repeat(5_000_000) })}`;
    expect(codes({ body: `${huge}\n`, headers: headersOf(huge) })).toEqual(["end_of_body"]);
    expect(codes({ body: huge.slice(0, -9), headers: headersOf(huge), sent: huge })).toEqual(["truncated"]);
  });
});
