import type { Database } from "bun:sqlite"
import type { AdminEntry, AdminLogReads, AdminLogWrites } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"

type Row = Omit<AdminEntry, "details"> & { details: string; rid: number }

export function adminLogReads(db: Database): AdminLogReads {
  const shape = "SELECT rid, id, action, key_id, actor_id, target_id, details, created_at FROM admin_log"
  const page = prepare<Row, [number, number, number]>(
    db,
    `${shape} WHERE account_id IN (?, 0) AND rid < ? ORDER BY rid DESC LIMIT ?`,
  )
  const ofNone = prepare<Row, [number, number]>(
    db,
    `${shape} WHERE account_id NOT IN (SELECT key FROM accounts) AND rid < ? ORDER BY rid DESC LIMIT ?`,
  )
  return {
    async list(account, { after, limit }) {
      const before = after ? Number(after) : Number.MAX_SAFE_INTEGER
      const rows = account === null ? ofNone.all(before, limit + 1) : page.all(account, before, limit + 1)
      const entries = rows.slice(0, limit)
      const next = rows.length > limit ? String(entries.at(-1)!.rid) : undefined
      return { entries: entries.map(shown), next }
    },
  }
}

function shown({ rid: _, details, ...entry }: Row): AdminEntry {
  return { ...entry, details: JSON.parse(details) }
}

export function adminLogWrites(db: Database, newId: (prefix: string) => string): AdminLogWrites {
  const insert = prepare(
    db,
    `INSERT INTO admin_log (account_id, id, action, key_id, actor_id, target_id, details, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return {
    async record(account, { action, key_id, actor_id, target_id, details, created_at }) {
      const who = [key_id, actor_id, target_id]
      insert.run(account ?? 0, newId("adm_"), action, ...who, JSON.stringify(details), created_at)
    },
  }
}
