// Writes of other threads next to the process's store: each write locks its account, as those of the store do.
import type { Db } from "../../sql/db.ts"
import { poolDb } from "../connection/pool.ts"
import type { Kind } from "../connection/session.ts"
import { sharedPool } from "../connection/shared-pool.ts"
import type { Ways } from "../connection/ways.ts"
import type { Tx } from "./transaction.ts"
import { createWriteQueue } from "./write-queue.ts"

interface WorkerConnection {
  db: Db
  /** Locks the account for the work; none when it is undefined. */
  write<T>(account: number | undefined, work: (tx: Tx) => Promise<T>): Promise<T>
  close(): void
}

/** Opens what another thread reads and writes with, on connections that the parts of the thread share. */
export function openWorkerConnection(ways: string | Ways, kind: Kind = "writes"): WorkerConnection {
  const { pool, close } = sharedPool(ways)
  const queue = createWriteQueue<Tx>(
    { pool, kind, most: 1 },
    {
      make: (tx) => tx,
      begun: async (_, tx, account) => void (account !== undefined && (await tx.account(account))),
      joined: async () => undefined,
      ending: async () => undefined,
    },
  )
  return {
    db: poolDb(pool, "keys"),
    write: (account, work) => queue.enqueue(account, work),
    close: () => void queue.close().then(close),
  }
}
