import { ROLES, type Role } from "../../../core/access.ts"
import { limitsOf, type Overrides } from "../../../core/plans.ts"
import type { SessionReads, SessionRow, SessionWrites } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import type { Lookups } from "../connection/lookups.ts"
import type { Tx } from "../writes/transaction.ts"

interface Stored extends SessionRow {
  key_role: Role | null
  key_expires_at: number | null
  member_role: Role | null
}
interface StoredWithAccount extends Stored, Overrides {
  n: number
  account_key: number
  account: string
  account_name: string
  plan: string
  default_country: string | null
}

const SHOWN = `s.id, s.role, s.agent, s.created_at, s.used_at, s.expires_at,
  k.id AS key_id, k.name AS key_name, k.role AS key_role, k.expires_at AS key_expires_at,
  m.id AS member_id, m.name AS member_name, m.role AS member_role`
const OF_WHOM = "LEFT JOIN api_keys k ON k.rid = s.key_rid LEFT JOIN members m ON m.rid = s.member_rid"

const HOLDERS = `SELECT u.n, a.key AS account_key, a.id AS account, a.name AS account_name, a.plan, a.leads_limit,
    a.requests_limit, a.batch_limit, a.storage_limit, a.default_country, ${SHOWN}
  FROM unnest($1::bytea[]) WITH ORDINALITY AS u (hash, n)
    JOIN sessions s ON s.hash = u.hash ${OF_WHOM} JOIN accounts a ON a.key = s.account_id`

export function sessionReads(db: Db, lookups: Lookups): SessionReads {
  const holder = lookups.by((db, hashes: readonly Uint8Array[]) =>
    db.all<StoredWithAccount>(HOLDERS, [hashes]),
  )
  return {
    async findByHash(hash) {
      const row = await holder(hash)
      if (!row) return undefined
      const { account_key: key, account: id, account_name: name, plan, default_country } = row
      const account = { key, id, name, plan, limits: limitsOf(plan, row), default_country }
      return { account, session: shown(row) }
    },
    async list(account) {
      const sql = `SELECT ${SHOWN} FROM sessions s ${OF_WHOM} WHERE s.account_id = $1 ORDER BY s.rid DESC`
      return (await db.all<Stored>(sql, [account])).map(shown)
    },
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

export function sessionWrites(tx: Tx): SessionWrites {
  return {
    async insert(account, session, idleSince) {
      const { id, hash, role, key_id, member_id, agent, created_at, expires_at } = session
      tx.later("DELETE FROM sessions WHERE expires_at <= $1 OR used_at <= $2", [created_at, idleSince])
      await tx.run(
        `INSERT INTO sessions (account_id, id, hash, role, key_rid, member_rid, agent, created_at, used_at, expires_at)
         VALUES ($1, $2, $3, $4, (SELECT rid FROM api_keys WHERE id = $5), (SELECT rid FROM members WHERE id = $6),
           $7, $8, $8, $9)`,
        [account, id, hash, role, key_id, member_id, agent, created_at, expires_at],
      )
    },
    remove: async (account, id) =>
      (await tx.run("DELETE FROM sessions WHERE account_id = $1 AND id = $2", [account, id])) > 0,
    async removeOfMember(account, memberId) {
      await tx.run(
        "DELETE FROM sessions WHERE account_id = $1 AND member_rid = (SELECT rid FROM members WHERE id = $2)",
        [account, memberId],
      )
    },
    async touch(used) {
      await tx.run(
        `UPDATE sessions s SET used_at = u.at FROM unnest($1::text[], $2::bigint[]) AS u (id, at)
         WHERE s.id = u.id AND s.used_at < u.at`,
        [[...used.keys()], [...used.values()]],
      )
    },
  }
}
