// Time, and ids whose order is the order in which they were made.

/** Where time comes from. Passed in everywhere, so that a test can hold it. */
export interface Clock {
  /** Wall time in Unix milliseconds: for what is stored and shown. May jump. */
  now(): number
  /** Milliseconds since an arbitrary start: for durations. Never goes back. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
}

/** Unix milliseconds as they stand in the name of a file, in UTC and whole seconds: `20270131T101500Z`. */
export function fileTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "")
}

/** Whole Unix seconds, the unit of every timestamp on the wire. */
export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

/** Makes ids whose text order is their creation order. */
export interface Ids {
  /** A UUIDv7 (RFC 9562) later than every one made or floored before, even when the clock goes back. */
  uuid(): string
  /** A UUIDv7 behind a prefix, such as `cl_` or `note_`. */
  prefixed(prefix: string): string
  /** Makes every later id greater than this one: called with the newest stored id after another process wrote. */
  floor(id: string): void
}

/** Bytes that are asked for at once: those of 256 ids. */
const RANDOM = 8 * 256
const VARIANTS = "89ab"

/**
 * UUIDv7 with a 12-bit counter in `rand_a` (RFC 9562, 6.2 method 1): the millisecond never goes back, and a full
 * counter borrows the next one.
 */
export function createIds(clock: Clock): Ids {
  let millisecond = 0
  let counter = 0
  /** Random bits, and how many of their digits ids have. */
  let digits = ""
  let used = 0
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
    if (used === digits.length) {
      digits = crypto.getRandomValues(Buffer.allocUnsafe(RANDOM)).toString("hex")
      used = 0
    }
    const [at, middle, end] = [used, used + 4, used + 16]
    used = end
    const variant = VARIANTS[Number.parseInt(digits[at]!, 16) & 3]
    return `${variant}${digits.slice(at + 1, middle)}-${digits.slice(middle, end)}`
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

/** Unix milliseconds at which an id with a UUIDv7 was made. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(-36).replace("-", "").slice(0, 12), 16)
}
