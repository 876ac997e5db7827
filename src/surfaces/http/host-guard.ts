// Keeps web pages from reaching the service through a visitor's browser (DNS rebinding, CSRF). Names in Host and Origin
// must be ours; programs send no Origin and pass.
import { isIP } from "node:net"
import { AppError } from "../../runtime/errors.ts"

export interface GuardSettings {
  host: string
  publicUrl?: string | undefined
  mcpPublicUrl?: string | undefined
  /** More names that are ours. */
  allowedHosts: readonly string[]
  /** Origins whose pages may use the REST API; `*` is every one. */
  corsOrigins: readonly string[]
}

export interface HostGuard {
  /** Why a request is for another host; undefined when it is for this one. */
  refuseHost(headers: Headers): AppError | undefined
  /** Why a request is not taken from where it comes from; undefined when it is. Host is not looked at. */
  refuseOrigin(headers: Headers): AppError | undefined
}

/** Different Host headers whose outcome is remembered. */
const KNOWN_MAX = 1_000

/** Takes loopback names, addresses, the configured host, the hosts of the public addresses, and those allowed beside. */
export function createHostGuard({
  host,
  publicUrl,
  mcpPublicUrl,
  allowedHosts,
  corsOrigins,
}: GuardSettings): HostGuard {
  const shown = [publicUrl, mcpPublicUrl].flatMap((url) => (url ? URL.parse(url)?.hostname : undefined) ?? [])
  const names = new Set([host.toLowerCase(), ...shown, ...allowedHosts])
  const known = new Map<string, boolean>()

  function isOurs(name: string): boolean {
    return isLoopbackName(name) || isAddress(name) || names.has(name)
  }

  function isServed(target: string): boolean {
    const found = known.get(target)
    if (found !== undefined) return found
    const url = /[@/?#\\]/.test(target) ? null : URL.parse(`http://${target}`)
    const served = url !== null && isOurs(url.hostname)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(target, served)
    return served
  }

  function refuseHost(headers: Headers): AppError | undefined {
    const target = headers.get("host")
    // HTTP/1.0 has none, and no browser speaks it.
    if (target === null || isServed(target)) return undefined
    const message = `Host "${target.slice(0, 100)}" is not served here: add it to LEADDB_ALLOWED_HOSTS, or set LEADDB_PUBLIC_URL`
    return new AppError("misdirected", message)
  }

  function refuseOrigin(headers: Headers): AppError | undefined {
    const origin = headers.get("origin")
    if (!origin || corsOrigins.includes("*") || corsOrigins.includes(origin)) return undefined
    const from = URL.parse(origin)
    const isPage = from?.protocol === "https:" || from?.protocol === "http:"
    // Another machine's address is no name of ours: only that of this request is.
    if (isPage && (isLoopback(from.hostname) || names.has(from.hostname))) return undefined
    if (isPage && from.host === headers.get("host")) return undefined
    return new AppError(
      "forbidden",
      `Origin "${origin.slice(0, 100)}" may not use this server; see LEADDB_CORS_ORIGINS`,
    )
  }

  return { refuseHost, refuseOrigin }
}

/** Names that never leave the machine (RFC 6761, 6.3). */
function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost")
}

function isLoopback(name: string): boolean {
  return isLoopbackName(name) || name === "127.0.0.1" || name === "[::1]"
}

/** A numeric address cannot be rebound by DNS. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, "")) > 0
}
