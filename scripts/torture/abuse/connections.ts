// The server's side of connections, as the system has it: a client that does not read never hears that it was cut.
import { readFileSync } from "node:fs"

const ESTABLISHED = "01"

/** Ports of the clients that a port of 127.0.0.1 still talks to. */
export function clientsOf(port: number): Set<number> {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const clients = new Set<number>()
  for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n")) {
    const [, own, peer, state] = line.trim().split(/\s+/)
    if (own === local && state === ESTABLISHED) clients.add(Number.parseInt(peer!.slice(9), 16))
  }
  return clients
}
