import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { CLOSED_IPV4, CLOSED_IPV6, isPublicAddress } from "../../../src/platform/net/addresses.ts";

// First and last address of every range that must stay closed, written out by hand and not taken from the table.
const closed: [what: string, first: string, last: string][] = [
  ["this network", "0.0.0.0", "0.255.255.255"],
  ["private 10/8", "10.0.0.0", "10.255.255.255"],
  ["carrier-grade NAT", "100.64.0.0", "100.127.255.255"],
  ["loopback", "127.0.0.0", "127.255.255.255"],
  ["Azure host agent", "168.63.129.16", "168.63.129.16"],
  ["link-local and metadata", "169.254.0.0", "169.254.255.255"],
  ["private 172.16/12", "172.16.0.0", "172.31.255.255"],
  ["protocol assignments", "192.0.0.0", "192.0.0.255"],
  ["documentation 1", "192.0.2.0", "192.0.2.255"],
  ["AS112 delegation", "192.31.196.0", "192.31.196.255"],
  ["AMT", "192.52.193.0", "192.52.193.255"],
  ["6to4 relays", "192.88.99.0", "192.88.99.255"],
  ["private 192.168/16", "192.168.0.0", "192.168.255.255"],
  ["AS112", "192.175.48.0", "192.175.48.255"],
  ["benchmarking", "198.18.0.0", "198.19.255.255"],
  ["documentation 2", "198.51.100.0", "198.51.100.255"],
  ["documentation 3", "203.0.113.0", "203.0.113.255"],
  ["multicast", "224.0.0.0", "239.255.255.255"],
  ["reserved", "240.0.0.0", "255.255.255.254"],
  ["broadcast", "255.255.255.255", "255.255.255.255"],

  ["unspecified v6", "::", "::"],
  ["loopback v6", "::1", "::1"],
  ["IPv4-compatible", "::", "::ffff:ffff"],
  ["IPv4-compatible loopback", "::127.0.0.0", "::127.255.255.255"],
  ["IPv4-compatible of a public address", "::8.8.8.8", "::8.8.8.8"],
  ["mapped loopback", "::ffff:127.0.0.0", "::ffff:127.255.255.255"],
  ["mapped private", "::ffff:10.0.0.0", "::ffff:10.255.255.255"],
  ["mapped metadata", "::ffff:169.254.0.0", "::ffff:169.254.255.255"],
  ["mapped unspecified", "::ffff:0:0", "::ffff:0.255.255.255"],
  ["mapped broadcast", "::ffff:255.255.255.255", "::ffff:ffff:ffff"],
  ["translated (RFC 6145)", "::ffff:0:0:0", "::ffff:0:ffff:ffff"],
  ["NAT64", "64:ff9b::", "64:ff9b::ffff:ffff"],
  ["NAT64 of a public address", "64:ff9b::8.8.8.8", "64:ff9b::8.8.8.8"],
  ["local NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["discard", "100::", "100::ffff:ffff:ffff:ffff"],
  ["dummy prefix", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"],
  ["below global unicast", "::1:0:0:0", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["benchmarking v6", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"],
  ["AMT v6", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["AS112 v6", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"],
  ["ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ORCHIDv2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["drone ids", "2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["protocol assignments v6", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["documentation v6", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["6to4 of loopback", "2002:7f00:1::", "2002:7f00:1:ffff:ffff:ffff:ffff:ffff"],
  ["AS112 v6 direct", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"],
  ["6bone", "3ffe::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["documentation v6, large", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["above global unicast", "4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["AWS metadata v6", "fd00:ec2::254", "fd00:ec2::254"],
  ["link-local v6", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["multicast v6", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

// The neighbours just outside the closed ranges, and addresses that people really use.
const open = [
  "1.0.0.0",
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "168.63.129.15",
  "168.63.129.17",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.0.3.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "203.0.112.255",
  "203.0.114.0",
  "223.255.255.255",
  "2000::",
  "2001:200::",
  "2001:4860:4860::8888",
  "2003::1",
  "2600:1901:0:38d7::",
  "2606:4700:4700::1111",
  "2a00:1450:4001:82b::200e",
  "3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  "3fff:1000::",
  "::ffff:8.8.8.8",
  "::ffff:808:808",
];

const notAddresses = [
  "",
  "localhost",
  "example.com",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "8.8.8.8.",
  " 8.8.8.8",
  "8.8.8.8/32",
  "08.08.08.08",
  "[2606:4700:4700::1111]",
  "fe80::1%eth0",
  "2606:4700:4700::1111%eth0",
  "2606:4700:4700::1111%25eth0",
  "2606:4700:4700::1111%",
];

describe("isPublicAddress", () => {
  it.each(closed)("%s is closed from %s to %s", (_what, first, last) => {
    expect(isPublicAddress(first)).toBe(false);
    expect(isPublicAddress(last)).toBe(false);
  });

  it.each(open)("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(notAddresses)("%j is no canonical address, so not public", (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it("closes first and last address of every row of its own table", () => {
    for (const [cidr] of CLOSED_IPV4) {
      expect(isPublicAddress(ipaddr.IPv4.networkAddressFromCIDR(cidr).toString())).toBe(false);
      expect(isPublicAddress(ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString())).toBe(false);
    }
    for (const [cidr] of CLOSED_IPV6) {
      expect(isPublicAddress(ipaddr.IPv6.networkAddressFromCIDR(cidr).toString())).toBe(false);
      expect(isPublicAddress(ipaddr.IPv6.broadcastAddressFromCIDR(cidr).toString())).toBe(false);
    }
  });

  it("is never more open than the library's own classification", () => {
    for (const [, first, last] of closed) {
      for (const text of [first, last]) {
        const range = ipaddr.process(text).range();
        if (range !== "unicast") expect(`${text} ${isPublicAddress(text)}`).toBe(`${text} false`);
      }
    }
    for (const text of open) expect(`${text} ${ipaddr.process(text).range()}`).toBe(`${text} unicast`);
  });
});
