// Writes of other threads next to the process's store: each write locks its account, as those of the store do.
import type { SQL } from "bun"
import type { Db } from "../../sql/db.ts"
import { type ConnectOptions, connect, poolDb } from "../connection/connection.ts"
import { asStorageError, wasCut } from "../connection/errors.ts"
import type { Tx } from "./transaction.ts"
import { createWriteQueue } from "./write-queue.ts"

export interface Beside {
  db: Db
  /** Without an account it holds none. */
  write<T>(account: number | undefined, work: (tx: Tx) => Promise<T>): Promise<T>
  close(): void
}

export function openBeside(url: string, options?: Pick<ConnectOptions, "isDerived">): Beside {
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
