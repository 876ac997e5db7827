import type { Clock } from "./clock.ts"

/** Makes ids whose text order is their creation order. */
export interface Ids {
  /** A UUIDv7 (RFC 9562) later than every one made or floored before, even when the clock goes back. */
  uuid(): string
  /** A UUIDv7 behind a prefix, such as `cl_` or `note_`. */
  prefixed(prefix: string): string
  /** Makes every later id greater than this one: called with the newest stored id after another process wrote. */
  floor(id: string): void
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/**
 * UUIDv7 with a 12-bit counter in `rand_a` (RFC 9562, 6.2 method 1): the millisecond never goes back, and a full
 * counter borrows the next one.
 */
export function createIds(clock: Clock): Ids {
  let millisecond = 0
  let counter = 0
  const random = new Uint8Array(8 * 256)
  let used = random.length
  /** The millisecond as the id has it, and which one that is. */
  let timeText = ""
  let timeOf = -1

  function uuid(): string {
    const now = clock.now()
    if (now > millisecond) {
      millisecond = now
      counter = 0
    } else if (++counter > 0xfff) {
      millisecond++
      counter = 0
    }
    if (millisecond !== timeOf) {
      const time = millisecond.toString(16).padStart(12, "0")
      timeText = `${time.slice(0, 8)}-${time.slice(8)}-`
      timeOf = millisecond
    }
    return `${timeText}${(0x7000 | counter).toString(16)}-${tail()}`
  }

  /** The variant and 62 random bits. */
  function tail(): string {
    if (used === random.length) {
      crypto.getRandomValues(random)
      used = 0
    }
    const byte = () => HEX[random[used++]!]
    const variant = HEX[(random[used++]! & 0x3f) | 0x80]
    return `${variant}${byte()}-${byte()}${byte()}${byte()}${byte()}${byte()}${byte()}`
  }

  function floor(id: string): void {
    const hex = id.slice(id.indexOf("_") + 1).replaceAll("-", "")
    const time = Number.parseInt(hex.slice(0, 12), 16)
    const count = Number.parseInt(hex.slice(13, 16), 16)
    if (time > millisecond || (time === millisecond && count > counter)) {
      millisecond = time
      counter = count
    }
  }

  return { uuid, floor, prefixed: (prefix) => prefix + uuid() }
}
