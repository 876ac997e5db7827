import { BlockList, isIP } from "node:net"

/** The kind of an address. `embedded` is an IPv6 address that contains an IPv4 one for a translator. */
export type AddressKind =
  | "public"
  | "metadata"
  | "loopback"
  | "private"
  | "link-local"
  | "multicast"
  | "unspecified"
  | "embedded"
  | "reserved"

/** An IP address in its one canonical spelling; an IPv4-mapped IPv6 address is the IPv4 address it maps. */
export interface Address {
  address: string
  family: 4 | 6
}

// The first kind that holds an address names it. Sources: the IANA special-purpose address registries (RFC 6890),
// RFC 6052 and 8215 (NAT64), 3056 (6to4), 4380 (Teredo), 2765 (::ffff:0:0:0/96), 9637 (3fff::/20).
const RANGES: readonly [Exclude<AddressKind, "public">, readonly string[]][] = [
  // AWS, GCP, Azure and most others; AWS ECS; Azure WireServer; Alibaba; Oracle; AWS and GCP over IPv6.
  ["metadata", ["169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "192.0.0.192"]],
  ["metadata", ["fd00:ec2::254", "fd20:ce::254"]],
  ["loopback", ["127.0.0.0/8", "::1"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]],
  ["link-local", ["169.254.0.0/16", "fe80::/10"]],
  ["multicast", ["224.0.0.0/4", "ff00::/8"]],
  ["unspecified", ["0.0.0.0", "::"]],
  ["embedded", ["::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"]],
  ["reserved", ["0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24"]],
  ["reserved", ["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"]],
  ["reserved", ["2001::/23", "2001:db8::/32", "3fff::/20"]],
]
const KINDS = RANGES.map(([kind, cidrs]) => [kind, rangeList(cidrs)] as const)

/** The only part of IPv6 that IANA hands out; what it has not assigned is refused. */
const GLOBAL_IPV6 = rangeList(["2000::/3"])

/** The kind of a canonical address. */
export function addressKind({ address, family }: Address): AddressKind {
  for (const [kind, list] of KINDS) if (list.check(address, `ipv${family}`)) return kind
  return family === 4 || GLOBAL_IPV6.check(address, "ipv6") ? "public" : "reserved"
}

export function isPublicAddress(address: Address): boolean {
  return addressKind(address) === "public"
}

/**
 * Reads an IP address as a resolver gives it: dotted IPv4 or any spelling of IPv6. Undefined when it is none, or
 * has a zone (`fe80::1%eth0`).
 */
export function parseAddress(text: string): Address | undefined {
  const family = isIP(text)
  if (family === 4) return { address: text, family: 4 }
  if (family !== 6 || text.includes("%")) return undefined
  // The URL parser writes IPv6 canonically (RFC 5952), always in hexadecimal; it reads a little less than isIP.
  const address = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1)
  if (!address) return undefined
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address)
  if (!mapped) return { address, family: 6 }
  const bytes = mapped.slice(1).flatMap((group) => {
    const number = Number.parseInt(group, 16)
    return [number >> 8, number & 0xff]
  })
  return { address: bytes.join("."), family: 4 }
}

/** The eight groups of a canonical IPv6 address, in hexadecimal. */
export function groupsOf(address: string): string[] {
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter(Boolean))
  return [...left, ...Array(8 - left.length - right.length).fill("0"), ...right]
}

/** A matcher of ranges such as `10.0.0.0/8` and of single addresses. They must be well-formed. */
export function rangeList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = "", prefix] = cidr.split("/")
    const family = isIP(address) === 4 ? "ipv4" : "ipv6"
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}
