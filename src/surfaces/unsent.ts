// How much the system still holds of what was written to connections. An answer is taken over by the system long
// before its reader has it, megabytes at a time; only the system knows whether a slow reader reads at all.
import { isIPv4 } from "node:net"

/** A connection's other end, as `peerName` writes it, and the bytes that it has not acknowledged. */
export type Unsent = ReadonlyMap<string, number>

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"]

/** For the connections of a local port; undefined where the system does not tell, which only Linux does. */
export async function readUnsent(port: number): Promise<Unsent | undefined> {
  const tables = await Promise.all(
    TABLES.map((path) =>
      Bun.file(path)
        .text()
        .catch(() => undefined),
    ),
  )
  if (tables.every((table) => table === undefined)) return undefined
  const unsent = new Map<string, number>()
  const local = `:${hex(port, 4)} `
  for (const line of tables.flatMap((table) => table?.split("\n") ?? [])) {
    if (!line.includes(local)) continue
    // Number, local address, remote address, state, tx_queue:rx_queue.
    const [, own = "", peer = "", , queues = ""] = line.trim().split(/\s+/)
    const [address = "", peerPort = ""] = peer.split(":")
    if (`${own} `.endsWith(local)) {
      unsent.set(peerName(addressText(address), Number.parseInt(peerPort, 16)), Number.parseInt(queues, 16))
    }
  }
  return unsent
}

/** One spelling for each end of a connection. */
export function peerName(address: string, port: number): string {
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const host = mapped ?? (isIPv4(address) ? address : (URL.parse(`http://[${address}]`)?.hostname ?? address))
  return `${host} ${port}`
}

/** An address of the tables: words of 32 bits, each written as this machine keeps it, which is little endian. */
function addressText(words: string): string {
  const bytes = (words.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16)),
  )
  if (bytes.length === 4) return bytes.join(".")
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  if (isMapped) return bytes.slice(12).join(".")
  return Array.from({ length: 8 }, (_, i) => hex(bytes[2 * i]! * 256 + bytes[2 * i + 1]!, 1)).join(":")
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0")
}
