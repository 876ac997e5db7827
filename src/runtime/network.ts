// The machine's own addresses in its networks.
import { networkInterfaces } from "node:os"

/** Origins by which other machines reach a port; none where it is listened to on this machine alone. */
export function networkOrigins(host: string, port: number): string[] {
  if (host !== "0.0.0.0" && host !== "::") return []
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => `http://${address}:${port}`)
}

/** Whether an address of a connection is of this machine itself. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address)
}

/** Whether only this machine reaches an origin: its host is a loopback name or address. */
export function isThisMachine(origin: string): boolean {
  const name = URL.parse(origin)?.hostname ?? ""
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || name.startsWith("127.")
}
