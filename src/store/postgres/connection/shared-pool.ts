// The connections of a thread whose parts are opened one by one and read and write beside each other.
import { openPool, type Pool } from "./pool.ts"
import { type Ways, waysTo } from "./ways.ts"

/** One to read, one to write. */
const SIZE = 2
/** Milliseconds for statements and locks of work that no request waits for. */
const STATEMENT_MS = 60_000
const LOCK_MS = 20_000

const pools = new Map<string, { pool: Pool; users: number }>()

/** Takes the thread's pool, which is closed with the last of those that took it. */
export function sharedPool(address: string | Ways): { pool: Pool; close(): void } {
  const { url, sharesSessions = false } = waysTo(address)
  const shared = pools.get(url) ?? {
    pool: openPool({
      ...{ url, name: "leaddb", isShared: sharesSessions, size: SIZE, writers: SIZE - 1 },
      ...{ statementMs: STATEMENT_MS, lockMs: LOCK_MS },
    }),
    users: 0,
  }
  pools.set(url, shared)
  shared.users++
  let isClosed = false
  return {
    pool: shared.pool,
    close() {
      if (isClosed) return
      isClosed = true
      if (--shared.users > 0) return
      pools.delete(url)
      void shared.pool.close()
    },
  }
}
