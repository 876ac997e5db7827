// Sliding windows of requests as plain numbers, so that several processes can have them in shared memory.
import type { CountedRequest } from "../../contract/requests.ts"

/** Windows of one size, from a cell on. */
interface Area {
  from: number
  windows: number
  /** Moments of requests that a window tells apart. */
  entries: number
}

/** Cells of a window before its entries, each of which has a time and a number of requests. */
const [KEY, FIRST, SIZE, USED, LENGTH, HEAD] = [0, 1, 2, 3, 4, 5] as const
const cellsOf = ({ entries }: Area) => HEAD + 2 * entries

/** Those of accounts have room of their own: addresses, of which there are any number, do not crowd them out. */
const ACCOUNTS: Area = { from: 0, windows: 512, entries: 1_024 }
const OTHERS: Area = { from: ACCOUNTS.windows * cellsOf(ACCOUNTS), windows: 1_024, entries: 128 }
/** Numbers that all windows take together. */
export const WINDOW_CELLS = OTHERS.from + OTHERS.windows * cellsOf(OTHERS)

/** Windows that are looked at for a name before there is no room for it. */
const PROBES = 16

export interface WindowRequest {
  limit: number
  /** Milliseconds of the window. */
  length: number
  /** Milliseconds on the clock of all who count. */
  now: number
}

/**
 * Counts a request under a name unless the window is full. A limit of up to as many requests as a window has entries is
 * exact to the millisecond; beyond, requests are forgotten together, some later than their time and none earlier.
 * Undefined where other names take the room.
 */
export function takeFrom(
  cells: Float64Array,
  name: string,
  asked: WindowRequest,
): CountedRequest | undefined {
  const area = name.startsWith("account/") ? ACCOUNTS : OTHERS
  const at = windowOf(cells, area, keyOf(name), asked.now)
  if (at === undefined) return undefined
  const window = cells.subarray(at, at + cellsOf(area))
  const { limit, length, now } = asked
  window[LENGTH] = length
  forget(window, area.entries, now - length)
  const allowed = window[USED]! < limit
  if (allowed) add(window, area.entries, asked)
  const oldest = window[SIZE]! > 0 ? window[HEAD + 2 * window[FIRST]!]! : now
  return { allowed, used: window[USED]!, wait: Math.max(0, oldest + length - now) }
}

/** Never 0, which no window is of. */
const keyOf = (name: string) => Number(Bun.hash(name) & 0x1f_ffff_ffff_ffffn) || 1

/** Where the window of a key is, or an empty one that becomes its window. */
function windowOf(cells: Float64Array, area: Area, key: number, now: number): number | undefined {
  const first = key % area.windows
  let empty: number | undefined
  for (let i = 0; i < PROBES; i++) {
    const at = area.from + ((first + i) % area.windows) * cellsOf(area)
    if (cells[at + KEY] === key) return at
    empty ??= isEmpty(cells, at, area.entries, now) ? at : undefined
  }
  if (empty === undefined) return undefined
  cells.fill(0, empty, empty + HEAD)
  cells[empty + KEY] = key
  return empty
}

function isEmpty(cells: Float64Array, at: number, entries: number, now: number): boolean {
  if (cells[at + KEY] === 0 || cells[at + SIZE] === 0) return true
  const newest = (cells[at + FIRST]! + cells[at + SIZE]! - 1) % entries
  return cells[at + HEAD + 2 * newest]! <= now - cells[at + LENGTH]!
}

function forget(window: Float64Array, entries: number, before: number): void {
  for (let i = 0; i < entries && window[SIZE]! > 0; i++) {
    const oldest = HEAD + 2 * window[FIRST]!
    if (window[oldest]! > before) break
    window[USED]! -= window[oldest + 1]!
    window[FIRST] = (window[FIRST]! + 1) % entries
    window[SIZE]!--
  }
  // Where a process died in the middle of counting.
  if (window[SIZE] === 0) window[USED] = 0
}

function add(window: Float64Array, entries: number, { limit, length, now }: WindowRequest): void {
  const step = limit <= entries ? 1 : Math.ceil(length / (entries - 2))
  const moment = Math.ceil(now / step) * step
  const size = window[SIZE]!
  const newest = HEAD + 2 * ((window[FIRST]! + size - 1) % entries)
  window[USED]!++
  if (size > 0 && (size === entries || moment <= window[newest]!)) {
    window[newest] = Math.max(moment, window[newest]!)
    window[newest + 1]!++
    return
  }
  const next = HEAD + 2 * ((window[FIRST]! + size) % entries)
  window[next] = moment
  window[next + 1] = 1
  window[SIZE] = size + 1
}
