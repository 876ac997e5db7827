import type { Database } from "bun:sqlite"
import { ROLES, type Role } from "../../../core/access.ts"
import { limitsOf, type Overrides } from "../../../core/plans.ts"
import type { SessionReads, SessionRow, SessionWrites } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"

interface Stored extends SessionRow {
  key_role: Role | null
  key_expires_at: number | null
  member_role: Role | null
}
interface StoredWithAccount extends Stored, Overrides {
  account_key: number
  account: string
  account_name: string
  plan: string
  default_country: string | null
}

const SHOWN = `s.id, s.role, s.agent, s.created_at, s.used_at, s.expires_at,
  k.id AS key_id, k.name AS key_name, k.role AS key_role, k.expires_at AS key_expires_at,
  m.id AS member_id, m.name AS member_name, m.role AS member_role`
const JOINED = `sessions s LEFT JOIN api_keys k ON k.rid = s.key_rid LEFT JOIN members m ON m.rid = s.member_rid`

export function sessionReads(db: Database): SessionReads {
  const byHash = prepare<StoredWithAccount, [Uint8Array]>(
    db,
    `SELECT a.key AS account_key, a.id AS account, a.name AS account_name, a.plan, a.leads_limit, a.requests_limit,
       a.batch_limit, a.storage_limit, a.default_country, ${SHOWN}
     FROM ${JOINED} JOIN accounts a ON a.key = s.account_id WHERE s.hash = ?`,
  )
  const all = prepare<Stored, [number]>(
    db,
    `SELECT ${SHOWN} FROM ${JOINED} WHERE s.account_id = ? ORDER BY s.rid DESC`,
  )
  return {
    async findByHash(hash) {
      const row = byHash.get(hash)
      if (!row) return undefined
      const { account_key: key, account: id, account_name: name, plan, default_country } = row
      const account = { key, id, name, plan, limits: limitsOf(plan, row), default_country }
      return { account, session: shown(row) }
    },
    list: async (account) => all.all(account).map(shown),
  }
}

/** A session is worth no more than what it was opened with, and lives no longer. */
function shown(row: Stored): SessionRow {
  const { id, key_id, key_name, member_id, member_name, agent, created_at, used_at } = row
  const roles = [row.role, row.key_role, row.member_role].filter((role) => role !== null)
  const role = ROLES.find((one) => roles.includes(one)) ?? "viewer"
  const expires_at = Math.min(row.expires_at, row.key_expires_at ?? Number.POSITIVE_INFINITY)
  return { id, role, key_id, key_name, member_id, member_name, agent, created_at, used_at, expires_at }
}

export function sessionWrites(db: Database): SessionWrites {
  const purge = prepare(db, "DELETE FROM sessions WHERE expires_at <= ? OR used_at <= ?")
  const insert = prepare(
    db,
    `INSERT INTO sessions (account_id, id, hash, role, key_rid, member_rid, agent, created_at, used_at, expires_at)
     VALUES (?, ?, ?, ?, (SELECT rid FROM api_keys WHERE id = ?), (SELECT rid FROM members WHERE id = ?), ?, ?, ?, ?)`,
  )
  const remove = prepare(db, "DELETE FROM sessions WHERE account_id = ? AND id = ?")
  const removeOf = prepare(
    db,
    "DELETE FROM sessions WHERE account_id = ? AND member_rid = (SELECT rid FROM members WHERE id = ?)",
  )
  const touch = prepare(db, "UPDATE sessions SET used_at = ? WHERE id = ? AND used_at < ?")
  return {
    async insert(account, session, idleSince) {
      const { id, hash, role, key_id, member_id, agent, created_at, expires_at } = session
      purge.run(created_at, idleSince)
      insert.run(account, id, hash, role, key_id, member_id, agent, created_at, created_at, expires_at)
    },
    remove: async (account, id) => remove.run(account, id).changes > 0,
    removeOfMember: async (account, memberId) => void removeOf.run(account, memberId),
    async touch(used) {
      for (const [id, at] of used) touch.run(at, id, at)
    },
  }
}
