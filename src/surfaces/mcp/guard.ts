// Keeps web pages from reaching the tool server through a visitor's browser (DNS rebinding, CSRF). Names in Host and
// Origin must be ours; programs send no Origin and pass.
import { isIP } from "node:net"

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"]
const EVERYWHERE: readonly string[] = ["0.0.0.0", "::", "[::]"]

export interface GuardSettings {
  host: string
  publicUrl?: string | undefined
  mcpPublicUrl?: string | undefined
}

export interface Guard {
  /** What is wrong with where a request says it goes to; undefined when nothing is. */
  refuseHost(headers: Headers): string | undefined
  /** What is wrong with where a request says it goes to or comes from; undefined when nothing is. */
  refuse(headers: Headers): string | undefined
}

/** Takes loopback names, the configured host, and the hosts of the public addresses. */
export function createGuard({ host, publicUrl, mcpPublicUrl }: GuardSettings): Guard {
  const own = [host.includes(":") ? `[${host}]` : host.toLowerCase()]
  const shown = [publicUrl, mcpPublicUrl].flatMap((url) => (url ? URL.parse(url)?.hostname : undefined) ?? [])
  const names = new Set([...LOOPBACK, ...own, ...shown])
  const isLan = EVERYWHERE.includes(host)

  function refuseHost(headers: Headers): string | undefined {
    const target = headers.get("host") ?? ""
    const name = URL.parse(`http://${target}`)?.hostname ?? ""
    if (names.has(name) || (isLan && isLocalName(name))) return undefined
    return `Host "${target}" is not served here; set LEADDB_MCP_PUBLIC_URL to the address that clients use`
  }

  function refuse(headers: Headers): string | undefined {
    const refused = refuseHost(headers)
    const origin = headers.get("origin")
    if (refused !== undefined || !origin) return refused
    const from = URL.parse(origin)
    if (from && (names.has(from.hostname) || from.host === headers.get("host"))) return undefined
    return `Origin "${origin}" may not use this server`
  }

  return { refuseHost, refuse }
}

/** An address, or a name that no public DNS can point at us: without a dot, or of multicast DNS. */
function isLocalName(name: string): boolean {
  return (
    isIP(name.replace(/^\[|\]$/g, "")) > 0 || (name !== "" && !name.includes(".")) || name.endsWith(".local")
  )
}
