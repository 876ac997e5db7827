import type { AdminEntry, AdminLogReads, AdminLogWrites } from "../contract/store.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountRows, belowOf, pageOf } from "../sql/rows.ts"

type Row = Omit<AdminEntry, "details"> & { details: string; rid: number }

const COLUMNS = ["id", "action", "key_id", "actor_id", "target_id", "details", "created_at"] as const
const ROWS = accountRows("admin_log", COLUMNS)
const SHAPE = `SELECT rid, ${COLUMNS.join(", ")} FROM admin_log l`
const OF_ACCOUNT = `${SHAPE} WHERE account_id IN ($1, 0) AND rid < $2 ORDER BY rid DESC LIMIT $3`
/** Entries of accounts that are gone, and of none. */
const OF_NONE = `${SHAPE} WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.key = l.account_id) AND rid < $1
  ORDER BY rid DESC LIMIT $2`

export function adminLogReads(db: Db): AdminLogReads {
  return {
    async list(account, { after, limit }) {
      const params = [belowOf(after), limit + 1]
      const rows =
        account === null
          ? await db.all<Row>(OF_NONE, params)
          : await db.all<Row>(OF_ACCOUNT, [account, ...params])
      const { page, next } = pageOf(rows, limit)
      return { entries: page.map(adminEntry), next }
    },
  }
}

function adminEntry({ rid: _, details, ...entry }: Row): AdminEntry {
  return { ...entry, details: JSON.parse(details) }
}

export function adminLogWrites(db: WriteDb, newId: (prefix: string) => string): AdminLogWrites {
  return {
    async record(account, entry) {
      const row = { ...entry, id: newId("adm_"), details: JSON.stringify(entry.details) }
      db.later(...ROWS.insert(account ?? 0, row))
    },
  }
}
