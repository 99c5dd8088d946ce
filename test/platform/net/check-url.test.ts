import { describe, expect, it } from "vitest";
import { checkUrl } from "../../../src/platform/net/outbound.ts";

const loopback = [
  "https://127.0.0.1/",
  "https://127.0.0.1./",
  "https://127.1/",
  "https://127.0.1/",
  "https://127.255.255.254/",
  "https://2130706433/",
  "https://017700000001/",
  "https://0x7f000001/",
  "https://0x7F.0.0.0x1/",
  "https://0177.0.0.1/",
  "https://0177.0x0.0.1/",
  "https://%31%32%37.0.0.1/",
  "https://１２７.０.０.１/",
  "https://127。0。0。1/",
  "https://0/",
  "https://0.0.0.0/",
  "https://[::1]/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[::]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::127.0.0.1]/",
  "https://[2002:7f00:1::]/",
];
const privateLiterals = [
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://2852039166/",
  "https://0xa9fea9fe/",
  "https://192.168.1/",
  "https://100.100.100.200/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
];
const localNames = [
  "https://localhost/",
  "https://LOCALHOST/",
  "https://localhost./",
  "https://app.localhost/",
  "https://localhost.localdomain/",
  "https://printer.local/",
  "https://metadata.google.internal/",
  "https://router.home.arpa/",
  "https://receiver/hook",
  "https://ⓛocalhost/",
];

describe("checkUrl", () => {
  it.each(loopback)("refuses loopback spelled %s", (url) => {
    expect(checkUrl(url)).toBe("must not be a private address");
  });

  it.each(privateLiterals)("refuses the private literal %s", (url) => {
    expect(checkUrl(url)).toBe("must not be a private address");
  });

  it.each(localNames)("refuses the local name %s", (url) => {
    expect(checkUrl(url)).toBe("must name a public host");
  });

  it.each([...loopback, ...privateLiterals, ...localNames])("lets %s through where private is allowed", (url) => {
    expect(checkUrl(url, { allowPrivate: true, requireHttps: true })).toBe(null);
  });

  it.each([
    "https://example.com/hook",
    "https://example.com./hook",
    "https://example.com:8443/hook?a=1#fragment",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]:8443/",
    "https://nothing.invalid/",
    "https://bücher.example/",
    "https://example.com/@user",
    "https://example.com/?next=http://user:pass@127.0.0.1/",
    "https://127.0.0.1.example.com/",
    "https://localhost.example.com/",
  ])("takes %s", (url) => {
    expect(checkUrl(url, { requireHttps: true })).toBe(null);
  });

  it("requires https where asked, also where private is allowed", () => {
    const url = "http://example.com/";
    expect(checkUrl(url)).toBe(null);
    expect(checkUrl(url, { requireHttps: true })).toBe("must start with https://");
    expect(checkUrl(url, { requireHttps: true, allowPrivate: true })).toBe("must start with https://");
  });

  it.each(["ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "gopher://h.com/"])(
    "refuses the scheme of %s",
    (url) => {
      expect(checkUrl(url, { allowPrivate: true })).toBe("must start with https:// or http://");
    },
  );

  it.each([
    "https://user:secret@example.com/",
    "https://user@example.com/",
    "https://:secret@example.com/",
    "https://@example.com/",
    "https:///@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com:443@127.0.0.1/",
    "https://example.com%23@127.0.0.1/",
  ])("refuses the userinfo of %s", (url) => {
    expect(checkUrl(url, { allowPrivate: true })).toBe("must not carry credentials (user:password@)");
  });

  it.each(["", "example.com", "/hook", "//example.com/", "https://", "https:///", "https://exa mple.com/"])(
    "refuses %j as incomplete",
    (url) => {
      expect(checkUrl(url)).toBe("must be a complete and well-formed URL");
    },
  );

  it.each([
    "https://[fe80::1%25eth0]/",
    "https://[::1",
    "https://1.2.3.4.5/",
    "https://256.0.0.1/",
    "https://a:99999/",
  ])("refuses %s as malformed", (url) => {
    expect(checkUrl(url)).toBe("must be a complete and well-formed URL");
  });

  it.each([
    " https://example.com/",
    "https://example.com/ ",
    "https://example.com/\n",
    "https://exam\tple.com/",
    "https://example.com\\@127.0.0.1/",
    "https:\\\\127.0.0.1/",
    "https://example.com/\u0000",
  ])("refuses %j, which a parser would quietly change", (url) => {
    expect(checkUrl(url)).toBe("must not contain control characters, backslashes or surrounding spaces");
  });

  it("bounds the length at 2048 characters", () => {
    const url = (length: number) => `https://example.com/${"a".repeat(length - 20)}`;
    expect(url(2048)).toHaveLength(2048);
    expect(checkUrl(url(2048))).toBe(null);
    expect(checkUrl(url(2049))).toBe("must not be longer than 2048 characters");
  });
});
