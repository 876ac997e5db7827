import type { Clock } from "../../runtime/clock.ts"
import type { AttemptRecord, Lease } from "../../store/contract/store.ts"
import type { DeliveryNews } from "../messages.ts"
import type { Ready } from "./lanes.ts"

/** Smaller steps back are drift being put right, and lengthen a wait by no more than that. */
const STEP_MS = 1_000

/** Tells by how many milliseconds the wall clock was set back since it was asked last; 0 when it was not. */
export function watchForStepsBack(clock: Clock): () => number {
  const offset = () => clock.now() - clock.monotonic()
  let usual = offset()
  return () => {
    const back = usual - offset()
    // Forward jumps need no correction.
    if (back < 0) usual -= back
    if (back < STEP_MS) return 0
    usual -= back
    return Math.round(back)
  }
}

/** How long a claim lasts; held any longer, another process may make the same attempt. */
export const LEASE_MS = 20_000
/** A claim is used within this time or not at all: it leaves 5 s for the attempt and 7 s for recording it. */
const BEGIN_WITHIN_MS = 8_000

/** Writes news; resolves with the refs that were claimed, undefined when nothing could be written. */
export type WriteNews = (news: DeliveryNews) => Promise<number[] | undefined>

/** The sender's leases, and the news of them for the main thread. */
export interface LeaseBook {
  /** Whether a delivery is leased to us, or was and has not been told of. */
  isHeld(ref: number): boolean
  holdsAny(): boolean
  /** An attempt was made. */
  record(attempt: AttemptRecord): void
  /** A lease was not used. */
  giveBack(leases: readonly Lease[]): void
  /** There is nothing to tell: the delivery is gone, or its lease is better left to run out. */
  drop(ref: number): void
  /** Tells all there is and claims deliveries. Returns what was claimed, undefined when nothing could be written. */
  exchange(refs: readonly number[]): Promise<Ready[] | undefined>
}

export function createLeaseBook(clock: Clock, tell: WriteNews): LeaseBook {
  const stepBack = watchForStepsBack(clock)
  const instance = crypto.randomUUID()
  const held = new Set<number>()
  const attempts: AttemptRecord[] = []
  const releases: Lease[] = []
  let back = 0
  let claimed = 0

  return {
    isHeld: (ref) => held.has(ref),
    holdsAny: () => held.size > 0,
    record: (attempt) => void attempts.push(attempt),
    giveBack(leases) {
      for (const { ref, lease } of leases) {
        held.delete(ref)
        releases.push({ ref, lease })
      }
    },
    drop: (ref) => void held.delete(ref),
    async exchange(refs) {
      back += stepBack()
      const news = { now: clock.now(), back, attempts: [...attempts], releases: [...releases] }
      if (refs.length + news.attempts.length + news.releases.length + back === 0) return []
      // A lease of its own for every claim: an attempt that went on for too long never passes for a later one.
      const lease = `${instance}/${++claimed}`
      const beginBy = clock.monotonic() + BEGIN_WITHIN_MS
      const granted = await tell({ ...news, claims: { refs: [...refs], lease, until: news.now + LEASE_MS } })
      if (!granted) return undefined
      back -= news.back
      for (const { ref } of attempts.splice(0, news.attempts.length)) held.delete(ref)
      releases.splice(0, news.releases.length)
      for (const ref of granted) held.add(ref)
      return granted.map((ref) => ({ ref, lease, beginBy }))
    },
  }
}

/** Attempts by what came of them: it arrived, it is made again later, it was the last, with an answer or without. */
interface AttemptCounts {
  succeeded: number
  retried: number
  failed: number
  expired: number
}

/** Counts the attempts that are told of, once they are written down. */
export function countAttempts(tell: WriteNews): { tell: WriteNews; counts: AttemptCounts } {
  const counts = { succeeded: 0, retried: 0, failed: 0, expired: 0 }
  return {
    counts,
    async tell(news) {
      const claimed = await tell(news)
      if (claimed) {
        for (const { status } of news.attempts) counts[status === "pending" ? "retried" : status]++
      }
      return claimed
    },
  }
}
