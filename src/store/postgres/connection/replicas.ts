// Replicas that questions are read from, once they have all that the account has written.
import type { Reads } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { openPool, type Pool, type PoolOptions, poolDb } from "./pool.ts"
import type { Ways } from "./ways.ts"

/** Milliseconds that a question waits for a replica to follow, and between two looks. */
const PATIENCE_MS = 100
const LOOK_MS = 5
/** Milliseconds for which a replica is left alone that could not be reached. */
const AWAY_MS = 10_000

/**
 * The version of an account's row, which every write of the account's leads makes anew: a replica with the same version has
 * all that was committed before the primary was asked.
 */
const VERSION = "SELECT xmin::text AS version FROM accounts WHERE key = $1"

interface Replicas {
  /** Reads of a replica that has all that the account has written; undefined where none has. */
  fresh(account: number): Promise<Reads | undefined>
  close(): void
}

interface Replica {
  pool: Pool
  db: Db
  reads: Reads
  awayUntil: number
}

/** Opens nothing before it is needed. A question takes one replica after the other. */
export function openReplicas(
  { replicas = [] }: Ways,
  options: PoolOptions,
  primary: Db,
  readsOf: (pool: Pool) => Reads,
): Replicas {
  const all: Replica[] = replicas.map((url) => {
    const pool = openPool({ ...options, url, isShared: false })
    return { pool, db: poolDb(pool, "reads"), reads: readsOf(pool), awayUntil: 0 }
  })
  let turn = Math.floor(Math.random() * Math.max(1, all.length))

  async function hasFollowed(replica: Replica, account: number, version: string): Promise<boolean> {
    for (const end = performance.now() + PATIENCE_MS; ; await Bun.sleep(LOOK_MS)) {
      const row = await replica.db.get<{ version: string }>(VERSION, [account])
      if (row?.version === version) return true
      if (performance.now() >= end) return false
    }
  }

  return {
    async fresh(account) {
      const there = all.filter(({ awayUntil }) => awayUntil <= performance.now())
      if (there.length === 0) return undefined
      const replica = there[turn++ % there.length]!
      const version = (await primary.get<{ version: string }>(VERSION, [account]))?.version
      if (version === undefined) return undefined
      try {
        return (await hasFollowed(replica, account, version)) ? replica.reads : undefined
      } catch {
        replica.awayUntil = performance.now() + AWAY_MS
        return undefined
      }
    },
    close() {
      for (const { pool } of all) void pool.close()
    },
  }
}
