import { isIP } from "node:net"
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
  const found = parseAddress(text)
  if (!found) return { ok: false, reason: `address ${text} is not a plain IP address` }
  const reason = refusal(found, policy, port)
  return reason === undefined ? { ok: true, ...found } : { ok: false, reason }
}

function refusal(found: Address, policy: AddressPolicy, port: number | undefined): string | undefined {
  const { address, family } = found
  const kind = addressKind(found)
  if (kind === "metadata") return `address ${address} serves cloud metadata and is never allowed`
  if (kind === "embedded") return `address ${address} stands for an IPv4 address and is never allowed`
  if (port !== undefined && policy.ownPorts.includes(port) && isHere(found, kind, policy)) {
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
  return policy.ownAddresses?.some((own) => parseAddress(own)?.address === address) ?? false
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
export function isLocalhost(hostname: string): boolean {
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
