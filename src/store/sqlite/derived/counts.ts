// How many leads there are: counts that are kept, and estimates by which it is decided how a list is read.
import type { Database } from "bun:sqlite"
import { prepare } from "../connection/database.ts"

/** How many leads an account has, as it is kept with the account. */
export function leadCount(db: Database): (account: number) => number {
  const count = prepare<{ n: number }, [number]>(db, "SELECT lead_count AS n FROM accounts WHERE key = ?")
  return (account) => count.get(account)?.n ?? 0
}

/** An account's leads, and those of all accounts: whether to read the table as it lies or by the account's index. */
export function leadShare(db: Database): (account: number) => { own: number; total: number } {
  const share = prepare<{ own: number; total: number }, [number]>(
    db,
    "SELECT lead_count AS own, (SELECT sum(lead_count) FROM accounts) AS total FROM accounts WHERE key = ?",
  )
  return (account) => share.get(account) ?? { own: 0, total: 0 }
}

/** How long a number is believed; a wrong one costs time, not rows. */
const BELIEVED_MS = 60_000
const REMEMBERED = 2_000

/** Counts up to `most`, by `count` unless it is known how many there are, or that there are as many. */
export type Estimate = (what: string, most: number, count: () => number) => number

/**
 * Numbers that only decide how a list is read, never what is in it. They are remembered for a while, so that the next page
 * of a list, or the same list a moment later, does not count the same hits again.
 */
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
