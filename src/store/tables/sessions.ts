import { earlier, lowest, type Rights, type Role, rightsOf } from "../../access/rights.ts"
import type { SessionReads, SessionRow, SessionWrites } from "../contract/store.ts"
import { bulk } from "../sql/bulk.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { HashLookups } from "../sql/hash-lookups.ts"
import { rowAs } from "../sql/rows.ts"
import {
  ACCOUNT_COLUMNS,
  accountOf,
  type OriginRow,
  originColumns,
  originJoins,
  originOf,
  type WithAccount,
} from "./api-keys.ts"

interface Stored extends SessionRow, OriginRow {
  key_role: Role | null
  key_expires_at: number | null
  member_role: Role | null
}

const SHOWN = `s.id, s.role, s.agent, s.created_at, s.used_at, s.expires_at,
  k.id AS key_id, k.name AS key_name, k.role AS key_role, k.expires_at AS key_expires_at,
  m.id AS member_id, m.name AS member_name, m.role AS member_role,
  ${originColumns("k.issued_by")}`
const OWNERS = `LEFT JOIN api_keys k ON k.rid = s.key_rid LEFT JOIN members m ON m.rid = s.member_rid
  ${originJoins("k.issued_by")}`
const LIST = `SELECT ${SHOWN} FROM sessions s ${OWNERS} WHERE s.account_id = $1 ORDER BY s.rid DESC`
const FIND = `SELECT ${SHOWN} FROM sessions s ${OWNERS} WHERE s.account_id = $1 AND s.id = $2`

export function sessionsByHash(lookups: HashLookups): SessionReads["findByHash"] {
  return lookups.by(
    {
      select: `${ACCOUNT_COLUMNS}, ${SHOWN}`,
      from: `sessions s ${OWNERS} JOIN accounts a ON a.key = s.account_id`,
      hash: "s.hash",
    },
    (row: Stored & WithAccount) => ({ account: accountOf(row), session: sessionRow(row) }),
  )
}

export function sessionReads(db: Db): Omit<SessionReads, "findByHash"> {
  return {
    list: async (account) => (await db.all<Stored>(LIST, [account])).map(sessionRow),
    find: (account, id) => rowAs(db.get<Stored>(FIND, [account, id]), sessionRow),
  }
}

/** A session has no more rights than the key or member that it was opened with, and expires no later. */
function sessionRow(row: Stored): SessionRow {
  const { id, key_id, key_name, member_id, member_name, agent, created_at, used_at } = row
  const key = row.key_role && { role: row.key_role, ends_at: row.key_expires_at }
  const given: Rights = { role: lowest(row.role, row.member_role ?? row.role), ends_at: row.expires_at }
  const ofKey = key ? rightsOf(key, originOf(row)) : given
  const role = lowest(given.role, ofKey.role)
  const expires_at = earlier(row.expires_at, ofKey.ends_at) ?? row.expires_at
  return { id, role, key_id, key_name, member_id, member_name, agent, created_at, used_at, expires_at }
}

const used = bulk(
  { id: "text", at: "bigint" },
  (rows) => `UPDATE sessions SET used_at = r.at FROM ${rows} WHERE sessions.id = r.id AND used_at < r.at`,
)

export function sessionWrites(db: WriteDb): SessionWrites {
  return {
    async insert(account, session, idleSince) {
      const { id, hash, role, key_id, member_id, agent, created_at, expires_at } = session
      db.later("DELETE FROM sessions WHERE expires_at <= $1 OR used_at <= $2", [created_at, idleSince])
      await db.run(
        `INSERT INTO sessions (account_id, id, hash, role, key_rid, member_rid, agent, created_at, used_at, expires_at)
         VALUES ($1, $2, $3, $4, (SELECT rid FROM api_keys WHERE id = $5), (SELECT rid FROM members WHERE id = $6),
           $7, $8, $8, $9)`,
        [account, id, hash, role, key_id, member_id, agent, created_at, expires_at],
      )
    },
    remove: async (account, id) =>
      (await db.run("DELETE FROM sessions WHERE account_id = $1 AND id = $2", [account, id])) > 0,
    async removeOfMember(account, memberId) {
      await db.run(
        `DELETE FROM sessions WHERE account_id = $1
           AND member_rid = (SELECT rid FROM members WHERE account_id = $1 AND id = $2)`,
        [account, memberId],
      )
    },
    async touch(sessions) {
      for (const row of sessions) db.put(used, row)
    },
  }
}
