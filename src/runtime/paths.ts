// Where the service is found: the path of the API, and the address of the dashboard.

/** The prefix of every route of the REST API. */
export const BASE_PATH = "/api/v1"

/**
 * The dashboard's URL: the public address, else a loopback name of its own, at which browsers allow passkeys and
 * whose cookies no other local service sees.
 */
export function appUrl(publicUrl: string | undefined, port: number, code?: string): string {
  const origin = publicUrl ?? `http://leaddb.localhost:${port}`
  return `${origin}/app${code === undefined ? "" : `#${code}`}`
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

/**
 * The dashboard's origin for a browser that sees another port of the service at `seen`: the public address, else the same
 * machine at the dashboard's port.
 */
export function dashboardOrigin(publicUrl: string | undefined, port: string, seen: string): string {
  const { hostname } = new URL(seen)
  return publicUrl ?? `http://${LOOPBACK.has(hostname) ? "leaddb.localhost" : hostname}:${port}`
}
