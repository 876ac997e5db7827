// Writes of other threads next to the process's store: each write locks its account, as those of the store do.
import type { SQL } from "bun"
import type { Db } from "../../sql/db.ts"
import { type ConnectOptions, connect, poolDb } from "../connection/connection.ts"
import { asStorageError, wasCut } from "../connection/errors.ts"
import type { Tx } from "./transaction.ts"
import { createWriteQueue } from "./write-queue.ts"

export interface WorkerConnection {
  db: Db
  /** Locks the account for the work; none when it is undefined. */
  write<T>(account: number | undefined, work: (tx: Tx) => Promise<T>): Promise<T>
  close(): void
}

/** Opens a connection for another thread that reads and writes. */
export function openWorkerConnection(
  url: string,
  options?: Pick<ConnectOptions, "isDerived">,
): WorkerConnection {
  const sql: SQL = connect(url, 2, { byKeys: true, ...options })
  const queue = createWriteQueue<Tx>(sql, 1, {
    make: (tx) => tx,
    begun: async (_, tx, account) => void (account !== undefined && (await tx.account(account))),
    joined: async () => undefined,
    ending: async () => undefined,
  })
  return {
    db: poolDb(sql, wasCut, asStorageError),
    write: (account, work) => queue.enqueue(account, work),
    close: () => void queue.close().then(() => sql.close()),
  }
}
