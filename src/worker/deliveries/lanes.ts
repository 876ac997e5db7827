// Schedules deliveries: every webhook has a lane of its own, so that a slow one delays only itself.
import type { Lease } from "../../store/contract/store.ts"

/** Attempts in flight: for one webhook, and in all. */
const PER_WEBHOOK = 4
const IN_ALL = 128
/** Slots kept back for webhooks that have nothing in flight. */
const SPARED = 32
/** Deliveries that a webhook may hold: those in flight and those claimed ahead of them. */
const WINDOW_MAX = 64
/** An attempt that takes this many milliseconds is slow: nothing is claimed ahead of it. */
const SLOW_MS = 250
/** One that takes so long holds up everything behind it. */
const STUCK_MS = 2_000

/** A claimed delivery, to be begun by this monotonic time, while enough of its lease is left. */
export interface Ready extends Lease {
  beginBy: number
}

export interface Lane {
  readonly webhook: number
  readonly ready: Ready[]
  inFlight: number
  /**
   * How many deliveries it may hold: 1 until an attempt succeeds, twice as many after each success, half as many
   * after a failure, 1 again after one that was stuck.
   */
  window: number
  /** Whether there may be more to claim than it holds. */
  hasMore: boolean
}

interface Lanes {
  /** A webhook's lane. */
  of(webhook: number): Lane
  /** Lanes that may have more to claim and have room for it. */
  wanting(): Lane[]
  /** How many deliveries a lane may still claim. */
  room(lane: Lane): number
  add(lane: Lane, ready: Ready): void
  /** Begins the next attempt that may be made now, round robin over the webhooks. */
  begin(): { lane: Lane; ready: Ready } | undefined
  /** Ends an attempt; one that came to nothing says nothing. Returns what the lane should no longer hold. */
  end(lane: Lane, attempt?: { ok: boolean; milliseconds: number }): Ready[]
  inFlight(): number
  /** Takes all that was not begun. */
  clear(): Ready[]
}

/**
 * An endpoint that does not answer holds a slot for five seconds. So those that have not proved themselves get one
 * slot each and never the last 32, and of these nobody gets a second one: a healthy webhook finds a slot at once.
 */
export function createLanes(): Lanes {
  const lanes = new Map<number, Lane>()
  const line = new Set<Lane>()
  let inFlight = 0
  let unproven = 0

  const room = ({ window, inFlight, ready }: Lane) => Math.max(0, window - inFlight - ready.length)

  function mayBegin(lane: Lane): boolean {
    if (lane.inFlight >= Math.min(PER_WEBHOOK, lane.window)) return false
    if (lane.window === 1 && unproven >= IN_ALL - SPARED) return false
    return inFlight < (lane.inFlight === 0 ? IN_ALL : IN_ALL - SPARED)
  }

  function count(lane: Lane, by: 1 | -1): void {
    lane.inFlight += by
    inFlight += by
    if (lane.window === 1) unproven += by
  }

  function resize(lane: Lane, window: number): void {
    if (lane.window === 1) unproven -= lane.inFlight
    lane.window = window
    if (window === 1) unproven += lane.inFlight
  }

  return {
    of(webhook) {
      const lane = lanes.get(webhook) ?? { webhook, ready: [], inFlight: 0, window: 1, hasMore: false }
      lanes.set(webhook, lane)
      return lane
    },
    wanting: () => [...lanes.values()].filter((lane) => lane.hasMore && room(lane) > 0),
    room,
    add(lane, ready) {
      lane.ready.push(ready)
      line.add(lane)
    },
    begin() {
      for (const lane of line) {
        if (!mayBegin(lane)) continue
        const ready = lane.ready.shift()!
        line.delete(lane)
        if (lane.ready.length > 0) line.add(lane)
        count(lane, 1)
        return { lane, ready }
      }
      return undefined
    },
    end(lane, attempt) {
      count(lane, -1)
      if (!attempt) return []
      resize(lane, nextWindow(lane.window, attempt))
      const surplus = lane.ready.splice(Math.max(0, lane.window - lane.inFlight))
      if (lane.ready.length === 0) line.delete(lane)
      return surplus
    },
    inFlight: () => inFlight,
    clear() {
      line.clear()
      return [...lanes.values()].flatMap((lane) => lane.ready.splice(0))
    },
  }
}

function nextWindow(window: number, { ok, milliseconds }: { ok: boolean; milliseconds: number }): number {
  if (milliseconds >= STUCK_MS) return ok ? PER_WEBHOOK : 1
  if (!ok) return Math.max(1, Math.floor(window / 2))
  return Math.min(window * 2, milliseconds < SLOW_MS ? WINDOW_MAX : PER_WEBHOOK)
}
