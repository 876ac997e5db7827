import type { AdminEntry, AdminLogReads, AdminLogWrites } from "../contract/store.ts"
import type { Db, WriteDb } from "../sql/db.ts"

type Row = Omit<AdminEntry, "details"> & { details: string; rid: number }

const SHAPE = "SELECT rid, id, action, key_id, actor_id, target_id, details, created_at FROM admin_log l"
const OF_ACCOUNT = `${SHAPE} WHERE account_id IN ($1, 0) AND rid < $2 ORDER BY rid DESC LIMIT $3`
/** Entries of accounts that are gone, and of none. */
const OF_NONE = `${SHAPE} WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.key = l.account_id) AND rid < $1
  ORDER BY rid DESC LIMIT $2`

export function adminLogReads(db: Db): AdminLogReads {
  return {
    async list(account, { after, limit }) {
      const before = after ? Number(after) : Number.MAX_SAFE_INTEGER
      const rows =
        account === null
          ? await db.all<Row>(OF_NONE, [before, limit + 1])
          : await db.all<Row>(OF_ACCOUNT, [account, before, limit + 1])
      const entries = rows.slice(0, limit)
      const next = rows.length > limit ? String(entries.at(-1)!.rid) : undefined
      return { entries: entries.map(adminEntry), next }
    },
  }
}

function adminEntry({ rid: _, details, ...entry }: Row): AdminEntry {
  return { ...entry, details: JSON.parse(details) }
}

export function adminLogWrites(db: WriteDb, newId: (prefix: string) => string): AdminLogWrites {
  return {
    async record(account, { action, key_id, actor_id, target_id, details, created_at }) {
      const who = [key_id, actor_id, target_id]
      db.later(
        `INSERT INTO admin_log (account_id, id, action, key_id, actor_id, target_id, details, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [account ?? 0, newId("adm_"), action, ...who, JSON.stringify(details), created_at],
      )
    },
  }
}
