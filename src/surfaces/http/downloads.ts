// Files that are made while they are read. A client that stops reading would keep its connection, megabytes of buffers in
// the system and what is open here, so it is cut; one that is merely slow is not.

import { readFile } from "node:fs/promises"
import { isIPv4 } from "node:net"
import { AppError } from "../../runtime/errors.ts"
import { groupsOf } from "../../worker/net/address-ranges.ts"

/** A reader that takes less than `LEAST` bytes in so many seconds is cut, see `IDLE_S` in listen.ts. */
const PATIENCE_S = 10
const LEAST = 32 * 1024
/**
 * Used where the system does not report unsent bytes: readers are then seen to read in steps of a megabyte or two.
 */
const BLIND_PATIENCE_S = 60
const LOOK_EVERY_MS = 1_000
/** Downloads at a time of one account, and in all. */
const OF_ONE = 8
const IN_ALL = 128

/** The connection that a download goes over. */
interface Carrier {
  address: string
  port: number
  /** Whose download it is: the public id of an account. */
  key: string
  /** Aborted when the connection has gone. */
  gone: AbortSignal
  /** Cuts the connection in so many seconds unless this is called again. */
  cutIn(seconds: number): void
  /** Gives the connection its usual timeout again. */
  release(): void
}

interface Reader {
  carrier: Carrier
  /** Whether a chunk was handed over and waits for the reader. */
  isOffered: boolean
  /** Bytes that the system held unsent at the last check. */
  unsent: number | undefined
  /** Bytes that were read since the timeout was last extended. */
  taken: number
}

export interface Downloads {
  /** Call before a file is begun. Throws `unavailable` when there are too many already. */
  expect(key: string): void
  /** Returns the stream to send in place of this one. Throws `unavailable` when there are too many already. */
  watch(stream: ReadableStream<Uint8Array>, carrier: Carrier): ReadableStream<Uint8Array>
}

/** Watches the downloads of a listener; `readUnsent` reads what the system holds for its clients. */
export function createDownloads(
  readUnsent: () => Promise<Unsent | undefined>,
  lookEvery = LOOK_EVERY_MS,
): Downloads {
  const readers = new Set<Reader>()
  let looking: Timer | undefined
  let isBlind = false

  const patience = () => (isBlind ? BLIND_PATIENCE_S : PATIENCE_S)

  async function look(): Promise<void> {
    if (![...readers].some(({ isOffered }) => isOffered)) return
    const all = await readUnsent()
    isBlind = all === undefined
    for (const reader of readers) {
      if (!reader.isOffered) continue
      const unsent = all?.of(reader.carrier.address, reader.carrier.port)
      if (unsent !== undefined) note(reader, unsent)
    }
  }

  function note(reader: Reader, unsent: number): void {
    const { unsent: before = unsent } = reader
    reader.unsent = unsent
    // It holds more than before: it has asked for more, as a good part was read.
    reader.taken += unsent > before ? LEAST : before - unsent
    if (reader.taken >= LEAST) giveTime(reader)
  }

  function giveTime(reader: Reader): void {
    reader.taken = 0
    reader.carrier.cutIn(patience())
  }

  function expect(key: string): void {
    const ofKey = [...readers].filter(({ carrier }) => carrier.key === key).length
    if (ofKey >= OF_ONE || readers.size >= IN_ALL) {
      const message = `Too many exports are being read at the same time, at most ${OF_ONE} with one key; try again later`
      throw new AppError("unavailable", message, { headers: { "Retry-After": "10" } })
    }
  }

  function enter(carrier: Carrier): Reader {
    expect(carrier.key)
    const reader = { carrier, isOffered: false, unsent: undefined, taken: 0 }
    readers.add(reader)
    looking ??= setInterval(look, lookEvery)
    // A stream that was never read is not cancelled either.
    carrier.gone.addEventListener("abort", () => leave(reader), { once: true })
    return reader
  }

  function leave(reader: Reader): void {
    if (!readers.delete(reader)) return
    reader.carrier.release()
    if (readers.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  return {
    expect,
    watch(stream, carrier) {
      const reader = enter(carrier)
      const source = stream.getReader()
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            reader.isOffered = false
            carrier.cutIn(0)
            try {
              const { done, value } = await source.read()
              if (done) {
                leave(reader)
                controller.close()
                return
              }
              reader.isOffered = true
              reader.unsent = undefined
              giveTime(reader)
              controller.enqueue(value)
            } catch (error) {
              leave(reader)
              throw error
            }
          },
          async cancel(reason) {
            leave(reader)
            await source.cancel(reason)
          },
        },
        { highWaterMark: 0 },
      )
    },
  }
}

// How much the system still holds of what was written to connections. An answer is taken over by the system long
// before its reader has it, megabytes at a time; only the system knows whether a slow reader reads at all.

/** The connections of a port as they were when it was asked. */
interface Unsent {
  /** The bytes that a client has not acknowledged; undefined when it is not connected. */
  of(address: string, port: number): number | undefined
}

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"]
const ESTABLISHED = "01"

/** Undefined where the system does not tell, which only Linux does. */
export async function readUnsent(port: number): Promise<Unsent | undefined> {
  const tables = await Promise.all(TABLES.map((path) => readFile(path).catch(() => undefined)))
  if (!tables.some((table) => table?.length)) return undefined
  return {
    // Searches bytes without parsing lines: twenty times as fast as in a string, which with thousands of connections
    // would block everybody else.
    of(address, peer) {
      for (const spelling of spellings(address)) {
        // Of a line: number, own address, peer's address, state, tx_queue:rx_queue.
        const line = Buffer.from(`:${hex(port, 4)} ${spelling}:${hex(peer, 4)} ${ESTABLISHED} `)
        for (const table of tables) {
          const at = table?.indexOf(line) ?? -1
          const end = at + line.length
          if (at >= 0) return Number.parseInt(table!.toString("latin1", end, end + 8), 16)
        }
      }
      return undefined
    },
  }
}

/** How the tables may spell an address: in words of 32 bits, little endian as on this machine. */
function spellings(address: string): string[] {
  const mapped = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? ""
  if (!isIPv4(mapped)) return [inWords(bytesOf(address))]
  const words = inWords(mapped.split(".").map(Number))
  return [words, `0000000000000000FFFF0000${words}`]
}

/** The 16 bytes of an IPv6 address. */
function bytesOf(address: string): number[] {
  return groupsOf(address).flatMap((part) => {
    const value = Number.parseInt(part, 16)
    return [value >> 8, value & 255]
  })
}

function inWords(bytes: readonly number[]): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.slice(4 * i, 4 * i + 4).reverse())
  return words
    .flat()
    .map((byte) => hex(byte, 2))
    .join("")
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0")
}
