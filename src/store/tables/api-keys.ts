// API keys, and whom a key, session, link or webhook is of: its account, and the key and member that made it.
import { limitsOf, type Origin, type Overrides, type Role, rightsOf } from "../../access/rights.ts"
import { UTC } from "../../text/time-zone.ts"
import type { ApiKeyReads, ApiKeyRow, ApiKeyWrites, KeyHolder } from "../contract/store.ts"
import { bulk } from "../sql/bulk.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { HashLookups } from "../sql/hash-lookups.ts"
import { accountRows, rowAs } from "../sql/rows.ts"

/** Columns of an account `a`, beside those of a thing that it has. */
export const ACCOUNT_COLUMNS = `a.key AS account_key, a.id AS account, a.name AS account_name, a.plan, a.leads_limit,
  a.requests_limit, a.batch_limit, a.storage_limit, a.default_country, a.time_zone`

export interface WithAccount extends Overrides {
  account_key: number
  account: string
  account_name: string
  plan: string
  default_country: string | null
  time_zone: string | null
}

export function accountOf(row: WithAccount) {
  const { account_key: key, account: id, account_name: name, plan, default_country } = row
  return {
    key,
    id,
    name,
    plan,
    limits: limitsOf(plan, row),
    default_country,
    time_zone: row.time_zone ?? UTC,
  }
}

/**
 * Tables for `originColumns`, the key and the member that a thing came from. `by` is the column, with its table, of the id of
 * the key or member of the same account that made the thing.
 */
export function originJoins(by: string): string {
  const account = `${by.slice(0, by.indexOf("."))}.account_id`
  return `LEFT JOIN api_keys ok ON ok.account_id = ${account} AND ok.id = ${by}
    LEFT JOIN members om ON om.account_id = ${account} AND om.id = coalesce(ok.maker, ${by})`
}

export const originColumns = (by: string): string => `${by} AS made_by, ok.role AS origin_key_role,
  ok.maker AS origin_member, ok.expires_at AS origin_key_ends_at, om.role AS origin_role`

export interface OriginRow {
  made_by: string | null
  origin_key_role: Role | null
  origin_member: string | null
  origin_key_ends_at: number | null
  origin_role: Role | null
}

export function originOf(row: OriginRow): Origin {
  const { made_by, origin_key_role: role, origin_member: member, origin_key_ends_at: expires_at } = row
  return { made_by, maker_key: role && { role, member, expires_at }, maker_role: row.origin_role }
}

const STORED = [
  ...(["id", "name", "prefix", "role", "kind", "issued_by", "maker", "created_at"] as const),
  ...(["last_used_at", "expires_at", "list_style", "guard", "segment"] as const),
]
const ROWS = accountRows("api_keys", [...STORED, "hash"])
const ORIGIN = originJoins("k.issued_by")
const COLUMNS = `${STORED.map((name) => `k.${name}`).join(", ")}, ${originColumns("k.issued_by")}`

type StoredKey = ApiKeyRow & OriginRow

/** Every request asks for its key, mostly for one of a few. */
export function keysByHash(lookups: HashLookups): ApiKeyReads["findByHash"] {
  return lookups.by(
    {
      select: `${ACCOUNT_COLUMNS}, ${COLUMNS}`,
      from: `api_keys k JOIN accounts a ON a.key = k.account_id ${ORIGIN}`,
      hash: "k.hash",
      isKept: true,
    },
    (row: StoredKey & WithAccount): KeyHolder => ({ account: accountOf(row), key: keyRow(row) }),
  )
}

/** A key with the rights that it has now. */
function keyRow(row: StoredKey): ApiKeyRow {
  const { id, name, prefix, kind, issued_by, maker, created_at, last_used_at } = row
  const { list_style, guard, segment } = row
  const { role, ends_at } = rightsOf({ role: row.role, ends_at: row.expires_at }, originOf(row))
  return {
    ...{ id, name, prefix, role, kind, issued_by, maker, created_at, last_used_at, expires_at: ends_at },
    ...{ list_style, guard, segment },
  }
}

const LIST = `SELECT ${COLUMNS} FROM api_keys k ${ORIGIN} WHERE k.account_id = $1 ORDER BY k.rid`
const FIND = `SELECT ${COLUMNS} FROM api_keys k ${ORIGIN} WHERE k.account_id = $1 AND k.id = $2`

export function apiKeyReads(db: Db): Omit<ApiKeyReads, "findByHash"> {
  return {
    list: async (account) => (await db.all<StoredKey>(LIST, [account])).map(keyRow),
    find: (account, id) => rowAs(db.get<StoredKey>(FIND, [account, id]), keyRow),
    async accountOf(id) {
      const text = "SELECT account_id AS account FROM api_keys WHERE id = $1"
      return (await db.get<{ account: number }>(text, [id]))?.account
    },
  }
}

const used = bulk(
  { id: "text", at: "bigint" },
  (rows) => `UPDATE api_keys SET last_used_at = r.at FROM ${rows}
    WHERE api_keys.id = r.id AND coalesce(last_used_at, 0) < r.at`,
)

export function apiKeyWrites(db: WriteDb): ApiKeyWrites {
  return {
    async insert(account, key) {
      await db.run(...ROWS.insert(account, key))
    },
    remove: async (account, id) => (await db.run(...ROWS.remove(account, id))) > 0,
    async pass(account, { id, role, issued_by, maker }) {
      const text =
        "UPDATE api_keys SET role = $3, issued_by = $4, maker = $5 WHERE account_id = $1 AND id = $2"
      await db.run(text, [account, id, role, issued_by, maker])
    },
    async touch(keys) {
      for (const row of keys) db.put(used, row)
    },
  }
}
