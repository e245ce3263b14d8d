// Which addresses may be connected to (catalog.md, 'web'). Only global unicast passes; an IPv4 address inside an IPv6
// one is judged as itself. Pure.
import ipaddr from "ipaddr.js";

/** Why an address is refused, in a word for programs. */
export type AddressKind = "private" | "loopback" | "link_local" | "metadata" | "multicast" | "reserved";

/**
 * Services of clouds that hand out credentials or configuration to whoever asks. Not all lie in a private range, and
 * no setting opens them all at once.
 */
const METADATA = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

/** Ranges of ipaddr.js that `allow_private_networks` opens. */
const PRIVATE_RANGES: Readonly<Record<string, AddressKind>> = {
  loopback: "loopback",
  private: "private",
  uniqueLocal: "private",
  carrierGradeNat: "private",
};

/** The well-known prefix of NAT64 (RFC 6052): the last 32 bits are the IPv4 address that is reached. */
const NAT64 = ipaddr.IPv6.parse("64:ff9b::");
/** What has been given out as global unicast; everything beside it has a special meaning. */
const GLOBAL = ipaddr.IPv6.parse("2000::");

/** What is wrong with an address; undefined for a public one. `text` is an address as the system writes it. */
export function specialKindOf(text: string): AddressKind | undefined {
  if (!ipaddr.isValid(text)) return "reserved";
  const address = embeddedIPv4(ipaddr.parse(text));
  if (METADATA.has(address.toString())) return "metadata";
  const range = address.range();
  if (range === "linkLocal") return "link_local";
  if (range === "multicast" || range === "broadcast") return "multicast";
  const privateKind = PRIVATE_RANGES[range];
  if (privateKind !== undefined) return privateKind;
  if (range !== "unicast") return "reserved";
  // Compatible (::a.b.c.d), site-local and other forgotten forms are unicast to ipaddr.js.
  return address instanceof ipaddr.IPv6 && !address.match(GLOBAL, 3) ? "reserved" : undefined;
}

/** Whether `allow_private_networks` opens addresses of this kind. */
export function isOpenedByPrivateNetworks(kind: AddressKind): boolean {
  return kind === "private" || kind === "loopback";
}

function embeddedIPv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(NAT64, 96)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}
