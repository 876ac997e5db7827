import { lookup as systemLookup } from "node:dns/promises"
import { isIP } from "node:net"
import { platform } from "node:os"
import { dns } from "bun"
import { type Address, type AddressKind, addressKind, parseAddress, rangeList } from "./address-ranges.ts"

/** Which addresses a webhook may reach. Public ones always; metadata services and our own ports never. */
export interface AddressPolicy {
  /** Also loopback and private ranges. */
  allowPrivate: boolean
  /** Also these ranges, as `parseCidrs` gives them. */
  allowCidrs: string[]
  /** Ports this service listens on: refused on every address that is not public, or is one of `ownAddresses`. */
  ownPorts: number[]
  /** Public addresses of this machine, where known. */
  ownAddresses?: string[]
}

type AddressVerdict = ({ ok: true } & Address) | { ok: false; reason: string }

/**
 * Judges one address as a resolver gave it, with the port to be reached there if known. The verdict carries the
 * canonical address to connect to: the IPv4 address where an IPv6 one maps it.
 */
export function checkAddress(text: string, policy: AddressPolicy, port?: number): AddressVerdict {
  const parsed = parseAddress(text)
  if (!parsed) return { ok: false, reason: `address ${text} is not a plain IP address` }
  const reason = refusal(parsed, policy, port)
  return reason === undefined ? { ok: true, ...parsed } : { ok: false, reason }
}

function refusal(parsed: Address, policy: AddressPolicy, port: number | undefined): string | undefined {
  const { address, family } = parsed
  const kind = addressKind(parsed)
  if (kind === "metadata") return `address ${address} serves cloud metadata and is never allowed`
  if (kind === "embedded") return `address ${address} stands for an IPv4 address and is never allowed`
  if (port !== undefined && policy.ownPorts.includes(port) && isHere(parsed, kind, policy)) {
    return `port ${port} of ${address} is this service's own and never allowed`
  }
  if (kind === "public") return undefined
  if (policy.allowPrivate && (kind === "loopback" || kind === "private")) return undefined
  if (rangeList(policy.allowCidrs).check(address, `ipv${family}`)) return undefined
  return `address ${address} is ${kind} and not allowed`
}

// A private address may lead back here through a router or a container's host, so only a public one is elsewhere.
function isHere({ address }: Address, kind: AddressKind, policy: AddressPolicy): boolean {
  if (kind !== "public") return true
  return policy.ownAddresses?.some((ours) => parseAddress(ours)?.address === address) ?? false
}

/** The settings of a policy: `auto` allows private ranges only while the service is for its own machine alone. */
interface PolicySettings {
  mode: "auto" | "allow" | "block"
  /** Ranges separated by commas or blanks, such as `10.1.0.0/16, fd12::/16`. */
  allowCidrs: string
  listenHost: string
  /** It serves others in spite of where it listens: through a proxy. */
  isPublic?: boolean
  ports: number[]
  ownAddresses?: string[]
}

/** The policy that settings ask for. Throws an Error that names a malformed range. */
export function parsePolicy(settings: PolicySettings): AddressPolicy {
  const { mode, listenHost, isPublic = false, ownAddresses } = settings
  return {
    allowPrivate: mode === "allow" || (mode === "auto" && isLoopback(listenHost) && !isPublic),
    allowCidrs: parseCidrs(settings.allowCidrs),
    ownPorts: settings.ports,
    ...(ownAddresses && { ownAddresses }),
  }
}

function isLoopback(host: string): boolean {
  const address = parseAddress(host.replace(/^\[|\]$/g, ""))
  return address ? addressKind(address) === "loopback" : isLocalhost(host)
}

/** Whether a name means this machine without asking anyone: `localhost` and every name under it (RFC 6761, 6.3). */
function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(hostname)
}

/** Ranges from text, separated by commas or blanks. Throws an Error that names the malformed one. */
export function parseCidrs(text: string): string[] {
  const cidrs = text.split(/[\s,]+/).filter((part) => part !== "")
  for (const cidr of cidrs) {
    const [, address = "", prefix = "0"] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(cidr) ?? []
    const family = isIP(address)
    if (family === 0 || Number(prefix) > (family === 4 ? 32 : 128)) {
      throw new Error(`"${cidr}" is not an address range: write it like 10.1.0.0/16 or fd12:3456::/32`)
    }
    if (family === 6 && parseAddress(address)?.family === 4) {
      throw new Error(`"${cidr}" is an IPv4 range in IPv6 form: write it like 10.1.0.0/16`)
    }
  }
  return cidrs
}

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
    const addresses = await lookup(hostname)
    return addresses.length > 0 ? addresses.map(({ address }) => address) : "host not found"
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

/**
 * The addresses of a host, asked for without a thread: on Linux the usual way takes one of a few threads for as long
 * as a name server stays silent, and 64 such hosts held up all others for minutes. Knows /etc/hosts.
 */
export const lookupHost: Lookup = async (hostname) => {
  try {
    return await dns.lookup(hostname, platform() === "linux" ? { backend: "c-ares" } : {})
  } catch (error) {
    // Bun says DNS_ENOTFOUND where others say ENOTFOUND.
    const code =
      error instanceof Error && "code" in error ? String(error.code).replace(/^DNS_/, "") : "unknown"
    throw Object.assign(new Error(`lookup of ${hostname} failed`), { code, cause: error })
  }
}
