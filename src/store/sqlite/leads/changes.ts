import type { Database } from "bun:sqlite"
import type { ChangeReads, ChangeWrites } from "../../store.ts"
import { prepare } from "../file/database.ts"
import type { Later } from "../queue/later.ts"
import { keptLeadSql } from "./documents.ts"

export function changeReads(db: Database, later?: Later): ChangeReads {
  const list = prepare<{ text: string }, [number, string, number]>(
    db,
    `SELECT json_object('id', c.id, 'lead_id', c.lead_id, 'user_id', a.id, 'actor_id', c.actor_id,
       'action', c.action, 'before', ${keptLeadSql("c.before")}, 'after', ${keptLeadSql("c.after")}, 'reason', c.reason,
       'created_at', c.created_at) AS text
     FROM changes c JOIN accounts a ON a.key = c.account_id
     WHERE c.account_id = ? AND c.lead_id = ? ORDER BY c.rid DESC LIMIT ?`,
  )
  return {
    async list(account, leadId, limit) {
      later?.flush()
      return list.all(account, leadId, limit).map((row) => row.text)
    },
  }
}

export function changeWrites(db: Database, newId: () => string, later: Later): ChangeWrites {
  const insert = prepare(
    db,
    `INSERT INTO changes (account_id, id, lead_id, actor_id, action, before, after, reason, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return {
    async record(account, { lead_id, actor_id, action, before, after, reason, created_at }) {
      const values = [account, newId(), lead_id, actor_id, action, before, after, reason, created_at]
      later.insert(insert, ...values)
    },
  }
}
