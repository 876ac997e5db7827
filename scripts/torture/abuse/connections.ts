// Both sides of connections, as the system has them: a client that does not read never hears that it was cut.
import { readFileSync } from "node:fs"

const ESTABLISHED = "01"

/** All connections of the system as lines of text: with thousands of them that takes it a while. */
export function readConnections(): string[] {
  return readFileSync("/proc/net/tcp", "utf8").split("\n")
}

/** For each client that a port of 127.0.0.1 still talks to, by its port: the bytes of answers that it has not read. */
export function clientsOf(port: number, connections = readConnections()): Map<number, number> {
  const server = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const held = new Map<number, number>()
  const received = new Map<number, number>()
  for (const line of connections) {
    if (!line.includes(server)) continue
    const [, own = "", peer = "", state, queues = ""] = line.trim().split(/\s+/)
    const [sent = "", unread = ""] = queues.split(":")
    if (own === server && state === ESTABLISHED) held.set(portOf(peer), Number.parseInt(sent, 16))
    if (peer === server) received.set(portOf(own), Number.parseInt(unread, 16))
  }
  for (const [client, bytes] of held) held.set(client, bytes + (received.get(client) ?? 0))
  return held
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(9), 16)
}
