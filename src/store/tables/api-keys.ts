import { limitsOf, type Overrides } from "../../core/plans.ts"
import type { ApiKeyReads, ApiKeyRow, ApiKeyWrites, KeyHolder } from "../contract/store.ts"
import { bulk } from "../sql/bulk.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import type { HashLookups } from "../sql/hash-lookups.ts"

const COLUMNS =
  "id, name, prefix, role, kind, issued_by, created_at, last_used_at, expires_at, list_style, guard, segment"

interface KeyAndAccount extends ApiKeyRow, Overrides {
  key: number
  account: string
  account_name: string
  plan: string
  default_country: string | null
}

/** Every request asks for its key, mostly for one of a few. */
export function keysByHash(lookups: HashLookups): ApiKeyReads["findByHash"] {
  return lookups.by(
    {
      select: `a.key, a.id AS account, a.name AS account_name, a.plan, a.leads_limit, a.requests_limit, a.batch_limit,
        a.storage_limit, a.default_country, k.id, k.name, k.prefix, k.role, k.kind, k.issued_by, k.created_at,
        k.last_used_at, k.expires_at, k.list_style, k.guard, k.segment`,
      from: "api_keys k JOIN accounts a ON a.key = k.account_id",
      hash: "k.hash",
      isKept: true,
    },
    asKeyHolder,
  )
}

function asKeyHolder(row: KeyAndAccount): KeyHolder {
  const { key, account, account_name, plan, default_country } = row
  const { id, name, prefix, role, kind, issued_by, created_at, last_used_at, expires_at } = row
  const { list_style, guard, segment } = row
  return {
    account: { key, id: account, name: account_name, plan, limits: limitsOf(plan, row), default_country },
    key: {
      ...{ id, name, prefix, role, kind, issued_by, created_at, last_used_at, expires_at },
      ...{ list_style, guard, segment },
    },
  }
}

const LIST = `SELECT ${COLUMNS} FROM api_keys WHERE account_id = $1 ORDER BY rid`
const FIND = `SELECT ${COLUMNS} FROM api_keys WHERE account_id = $1 AND id = $2`

export function apiKeyReads(db: Db): Omit<ApiKeyReads, "findByHash"> {
  return {
    list: (account) => db.all<ApiKeyRow>(LIST, [account]),
    find: (account, id) => db.get<ApiKeyRow>(FIND, [account, id]),
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
      const {
        hash,
        id,
        name,
        prefix,
        role,
        kind,
        issued_by,
        created_at,
        last_used_at,
        expires_at,
        list_style,
        guard,
        segment,
      } = key
      await db.run(
        `INSERT INTO api_keys (account_id, hash, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          account,
          hash,
          id,
          name,
          prefix,
          role,
          kind,
          issued_by,
          created_at,
          last_used_at,
          expires_at,
          list_style,
          guard,
          segment,
        ],
      )
    },
    remove: async (account, id) =>
      (await db.run("DELETE FROM api_keys WHERE account_id = $1 AND id = $2", [account, id])) > 0,
    async disown(account, id) {
      const text = "UPDATE api_keys SET issued_by = NULL WHERE account_id = $1 AND issued_by = $2"
      await db.run(text, [account, id])
    },
    async touch(keys) {
      for (const row of keys) db.put(used, row)
    },
  }
}
