import type { Role } from "../../../core/access.ts"
import { limitsOf, type Overrides } from "../../../core/plans.ts"
import type { ApiKeyReads, ApiKeyRow, ApiKeyWrites, KeyHolder, KeyKind } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import type { Lookups } from "../connection/lookups.ts"
import type { Tx } from "../writes/transaction.ts"

const SHOWN = "id, name, prefix, role, kind, issued_by, created_at, last_used_at, expires_at"

interface KeyAndAccount extends Overrides {
  n: number
  key: number
  account: string
  account_name: string
  plan: string
  default_country: string | null
  id: string
  name: string
  prefix: string
  role: Role
  kind: KeyKind
  issued_by: string | null
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

const HOLDERS = `SELECT u.n, a.key, a.id AS account, a.name AS account_name, a.plan, a.leads_limit, a.requests_limit,
    a.batch_limit, a.storage_limit, a.default_country, k.id, k.name, k.prefix, k.role, k.kind, k.issued_by, k.created_at,
    k.last_used_at, k.expires_at
  FROM unnest($1::bytea[]) WITH ORDINALITY AS u (hash, n)
    JOIN api_keys k ON k.hash = u.hash JOIN accounts a ON a.key = k.account_id`

export function apiKeyReads(db: Db, lookups: Lookups): ApiKeyReads {
  const holder = lookups.by((db, hashes: readonly Uint8Array[]) => db.all<KeyAndAccount>(HOLDERS, [hashes]))
  return {
    // Nothing of it is kept: a key that another instance revoked is refused from that moment on.
    async findByHash(hash) {
      const row = await holder(hash)
      return row && asKeyHolder(row)
    },
    list: (account) =>
      db.all<ApiKeyRow>(`SELECT ${SHOWN} FROM api_keys WHERE account_id = $1 ORDER BY rid`, [account]),
    find: (account, id) =>
      db.get<ApiKeyRow>(`SELECT ${SHOWN} FROM api_keys WHERE account_id = $1 AND id = $2`, [account, id]),
    async accountOf(id) {
      const row = await db.get<{ account: number }>(
        "SELECT account_id AS account FROM api_keys WHERE id = $1",
        [id],
      )
      return row?.account
    },
  }
}

function asKeyHolder(row: KeyAndAccount): KeyHolder {
  const { key, account, account_name, plan, default_country } = row
  const { id, name, prefix, role, kind, issued_by, created_at, last_used_at, expires_at } = row
  return {
    account: { key, id: account, name: account_name, plan, limits: limitsOf(plan, row), default_country },
    key: { id, name, prefix, role, kind, issued_by, created_at, last_used_at, expires_at },
  }
}

export function apiKeyWrites(tx: Tx): ApiKeyWrites {
  return {
    async insert(
      account,
      { hash, id, name, prefix, role, kind, issued_by, created_at, last_used_at, expires_at },
    ) {
      await tx.run(
        `INSERT INTO api_keys (account_id, hash, ${SHOWN}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [account, hash, id, name, prefix, role, kind, issued_by, created_at, last_used_at, expires_at],
      )
    },
    remove: async (account, id) =>
      (await tx.run("DELETE FROM api_keys WHERE account_id = $1 AND id = $2", [account, id])) > 0,
    async disown(account, id) {
      await tx.run("UPDATE api_keys SET issued_by = NULL WHERE account_id = $1 AND issued_by = $2", [
        account,
        id,
      ])
    },
    async touch(used) {
      await tx.run(
        `UPDATE api_keys k SET last_used_at = u.at FROM unnest($1::text[], $2::bigint[]) AS u (id, at)
         WHERE k.id = u.id AND coalesce(k.last_used_at, 0) < u.at`,
        [[...used.keys()], [...used.values()]],
      )
    },
  }
}
