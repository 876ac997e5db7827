import { lookup as systemLookup } from "node:dns/promises"
import { isIP } from "node:net"
import { type AddressPolicy, checkAddress, isLocalhost } from "./address-policy.ts"
import type { Address } from "./address-ranges.ts"

export { type AddressPolicy, checkAddress, parseCidrs, parsePolicy } from "./address-policy.ts"
export { isPublicAddress } from "./address-ranges.ts"

/** Every address of a host name. Rejects with an error that has a `code`, `ENOTFOUND` when there is no such name. */
export type Lookup = (hostname: string) => Promise<readonly { address: string }[]>

/** A checked target. Connect to `address`, or to the next of `addresses`, and ask no resolver again. */
export interface Target {
  ok: true
  url: URL
  /** The first of `addresses`. */
  address: string
  family: 4 | 6
  /** Every address of the host, all of them allowed, IPv4 first. */
  addresses: Address[]
}

/** Why a target cannot be used: the `url` itself, a failed `lookup` (may pass), or a forbidden `address`. */
interface TargetRefusal {
  ok: false
  cause: "url" | "lookup" | "address"
  /** For people: `host not found`, `address 10.0.0.1 is private and not allowed`. */
  reason: string
}

/**
 * Resolves the host of a URL once and checks every address it has: one forbidden address refuses the whole target,
 * since the resolver may serve it first the next time. Never throws.
 */
export async function resolveTarget(
  url: string | URL,
  policy: AddressPolicy,
  lookup: Lookup = (hostname) => systemLookup(hostname, { all: true }),
): Promise<Target | TargetRefusal> {
  const parsed = URL.parse(url)
  if (!parsed) return { ok: false, cause: "url", reason: "not a valid URL" }
  const wrong = urlProblem(parsed)
  if (wrong) return { ok: false, cause: "url", reason: wrong }
  const resolved = await addressesOf(parsed.hostname, lookup)
  if (typeof resolved === "string") return { ok: false, cause: "lookup", reason: resolved }
  return checkAll(parsed, resolved, policy)
}

function urlProblem({ protocol, username, password }: URL): string | undefined {
  if (protocol !== "http:" && protocol !== "https:") return "only http and https URLs are allowed"
  if (username || password) return "a URL with a user name or password is not allowed"
  return undefined
}

/** The addresses of a host as a URL spells it, or what went wrong. */
async function addressesOf(hostname: string, lookup: Lookup): Promise<string[] | string> {
  const literal = hostname.replace(/^\[|\]$/g, "")
  if (isIP(literal)) return [literal]
  if (isLocalhost(hostname)) return ["127.0.0.1", "::1"]
  try {
    const found = await lookup(hostname)
    return found.length > 0 ? found.map(({ address }) => address) : "host not found"
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    return code === "ENOTFOUND" || code === "ENODATA" ? "host not found" : `host lookup failed (${code})`
  }
}

function checkAll(url: URL, resolved: readonly string[], policy: AddressPolicy): Target | TargetRefusal {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
  const addresses: Address[] = []
  for (const text of resolved) {
    const verdict = checkAddress(text, policy, port)
    if (!verdict.ok) return { ok: false, cause: "address", reason: verdict.reason }
    addresses.push({ address: verdict.address, family: verdict.family })
  }
  addresses.sort((a, b) => a.family - b.family)
  const { address, family } = addresses[0]!
  return { ok: true, url, address, family, addresses }
}
