// Whose request it is, where it comes through a proxy that may be believed.
import { type Address, parseAddress, rangeList } from "../../worker/net/address-ranges.ts"

/** Proxies that a request may have come through; more are not looked at. */
const HOPS_MAX = 20

/** Where a request really comes from, of the address that is connected and the headers of the proxies behind it. */
export type ClientAddress = (peer: string, headers: Headers) => string

/**
 * Reads `X-Forwarded-For`, else `Forwarded` (RFC 7239), from the right: what a trusted proxy has written, up to the first
 * address that is no trusted proxy. Whatever stands left of it anybody can have written.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (peer) => peer
  const ranges = rangeList(trusted)
  const isTrusted = ({ address, family }: Address) => ranges.check(address, `ipv${family}`)
  return (peer, headers) => {
    const nearest = parseAddress(peer)
    if (!nearest || !isTrusted(nearest)) return peer
    let client = nearest.address
    for (const text of hops(headers).toReversed().slice(0, HOPS_MAX)) {
      const hop = parseAddress(bare(text))
      if (!hop) break
      client = hop.address
      if (!isTrusted(hop)) break
    }
    return client
  }
}

/** The addresses that proxies wrote down, in their order. */
function hops(headers: Headers): string[] {
  const listed = headers.get("x-forwarded-for")
  if (listed !== null) return listed.split(",")
  const forwarded = headers.get("forwarded")?.split(",") ?? []
  return forwarded.map((hop) => /(?:^|;)\s*for=("[^"]*"|[^;\s]*)/i.exec(hop)?.[1] ?? "")
}

/** Without quotes, brackets and port. */
function bare(text: string): string {
  const plain = text.trim().replace(/^"(.*)"$/, "$1")
  return /^\[([^\]]*)\](?::\d+)?$/.exec(plain)?.[1] ?? plain.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
}

/** The key of limits per address: one customer line has a whole IPv6 network of 64 bits. */
export function addressKey(text: string): string {
  const found = parseAddress(text)
  if (!found || found.family === 4) return found?.address ?? text
  const [before = "", after = ""] = found.address.split("::")
  const left = before === "" ? [] : before.split(":")
  const right = after === "" ? [] : after.split(":")
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill("0")
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`
}
