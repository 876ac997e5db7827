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
