// Numbers that only decide how a list is read, never what is in it. They are remembered for a while, so that the next
// page of a list, or the same list a moment later, does not count the same hits again.

/** How long a number is believed; a wrong one costs time, not rows. */
const BELIEVED_MS = 60_000
const REMEMBERED = 2_000

/** Counts up to `most`, by `count` unless it is known how many there are, or that there are as many. */
export type Estimate = (what: string, most: number, count: () => number) => number

export function createEstimates(): Estimate {
  // By a hash: conditions can be long, and a mistaken number does no harm.
  const counts = new Map<number | bigint, { n: number; most: number; until: number }>()
  return (what, most, count) => {
    const key = Bun.hash(what)
    const now = performance.now()
    const cached = counts.get(key)
    if (cached && cached.until > now && (cached.n < cached.most || cached.most >= most))
      return Math.min(cached.n, most)
    const n = count()
    if (counts.size >= REMEMBERED) counts.clear()
    counts.set(key, { n, most, until: now + BELIEVED_MS })
    return n
  }
}
