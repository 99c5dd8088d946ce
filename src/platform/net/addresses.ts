// Which IP addresses the service may connect to: only global unicast ones. The table is the IANA special-purpose
// registries plus what clouds and translators add; a name is never judged here, only an address.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Every closed IPv4 range; what is in none of them is public. */
export const CLOSED_IPV4: readonly (readonly [cidr: string, what: string])[] = [
  ["0.0.0.0/8", "this network, unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "carrier-grade NAT, some clouds' metadata"],
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "Azure's host agent, public by number only"],
  ["169.254.0.0/16", "link-local, metadata"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "protocol assignments, metadata"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "AMT"],
  ["192.88.99.0/24", "6to4 relays"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "AS112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved, broadcast"],
];

/** Only this block of IPv6 is handed out as global unicast; loopback, local, translated and multicast lie outside it. */
export const GLOBAL_IPV6 = "2000::/3";

/** Closed ranges inside GLOBAL_IPV6. */
export const CLOSED_IPV6: readonly (readonly [cidr: string, what: string])[] = [
  ["2001::/23", "protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, drone ids"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4, carries any IPv4 address"],
  ["2620:4f:8000::/48", "AS112"],
  ["3ffe::/16", "the former 6bone"],
  ["3fff::/20", "documentation"],
];

const closedIpv4 = CLOSED_IPV4.map(([cidr]) => ipaddr.IPv4.parseCIDR(cidr));
const globalIpv6 = ipaddr.IPv6.parseCIDR(GLOBAL_IPV6);
const closedIpv6 = CLOSED_IPV6.map(([cidr]) => ipaddr.IPv6.parseCIDR(cidr));

/** Takes canonical spellings only: `127.1`, `0x7f.1`, a zone id (`fe80::1%eth0`) and names are not public. */
export function isPublicAddress(text: string): boolean {
  if (text.includes("%")) return false;
  const family = isIP(text);
  if (family === 4) return isPublicIpv4(ipaddr.IPv4.parse(text));
  if (family !== 6) return false;

  // ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8; URL writes every IPv6 address as hex groups only.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]/`).hostname.slice(1, -1));
  // The system connects ::ffff:a.b.c.d over IPv4, so the embedded address decides.
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  return address.match(globalIpv6) && !closedIpv6.some((range) => address.match(range));
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return !closedIpv4.some((range) => address.match(range));
}
