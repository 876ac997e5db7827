import type { Database } from "bun:sqlite"
import { and, asc, eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import type { Role } from "../../../core/access.ts"
import { limitsOf, type Overrides } from "../../../core/plans.ts"
import type { ApiKeyReads, ApiKeyWrites, KeyHolder, KeyKind } from "../../contract/store.ts"
import { changeWatch, prepare } from "../file/database.ts"
import { apiKeys } from "../tables.ts"

/** What is read of a key: everything but its hash. */
const SHOWN = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  role: apiKeys.role,
  kind: apiKeys.kind,
  issued_by: apiKeys.issued_by,
  created_at: apiKeys.created_at,
  last_used_at: apiKeys.last_used_at,
  expires_at: apiKeys.expires_at,
}

interface KeyAndAccount extends Overrides {
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

export function apiKeyReads(db: Database): ApiKeyReads {
  const orm = drizzle({ client: db })
  return {
    findByHash: keysByHash(db),
    async list(account) {
      return orm
        .select(SHOWN)
        .from(apiKeys)
        .where(eq(apiKeys.account_id, account))
        .orderBy(asc(apiKeys.rid))
        .all()
    },
    async find(account, id) {
      return orm
        .select(SHOWN)
        .from(apiKeys)
        .where(and(eq(apiKeys.account_id, account), eq(apiKeys.id, id)))
        .get()
    },
    async accountOf(id) {
      return orm.select({ account: apiKeys.account_id }).from(apiKeys).where(eq(apiKeys.id, id)).get()
        ?.account
    },
  }
}

/**
 * Finds by hash, and keeps what it found until anybody writes: each request asks for its key, mostly for one of a few.
 * A lookup costs 6 us, to see whether there was a write 1.
 */
function keysByHash(db: Database): ApiKeyReads["findByHash"] {
  const byHash = prepare<KeyAndAccount, [Uint8Array]>(
    db,
    `SELECT a.key, a.id AS account, a.name AS account_name, a.plan, a.leads_limit, a.requests_limit, a.batch_limit, a.storage_limit, a.default_country,
       k.id, k.name, k.prefix, k.role, k.kind, k.issued_by, k.created_at, k.last_used_at, k.expires_at
     FROM api_keys k JOIN accounts a ON a.key = k.account_id WHERE k.hash = ?`,
  )
  const changed = changeWatch(db)
  const found = new Map<string, KeyHolder>()
  return async (hash) => {
    if (changed()) found.clear()
    const name = hash.toBase64()
    let holder = found.get(name)
    if (holder) return holder
    const row = byHash.get(hash)
    if (!row) return undefined
    holder = asKeyHolder(row)
    found.set(name, holder)
    return holder
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

export function apiKeyWrites(db: Database): ApiKeyWrites {
  const orm = drizzle({ client: db })
  const touch = prepare(
    db,
    "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?",
  )
  return {
    async insert(account, key) {
      orm
        .insert(apiKeys)
        .values({ account_id: account, ...key })
        .run()
    },
    async remove(account, id) {
      const where = and(eq(apiKeys.account_id, account), eq(apiKeys.id, id))
      return orm.delete(apiKeys).where(where).returning({ id: apiKeys.id }).all().length > 0
    },
    async disown(account, id) {
      const where = and(eq(apiKeys.account_id, account), eq(apiKeys.issued_by, id))
      orm.update(apiKeys).set({ issued_by: null }).where(where).run()
    },
    async touch(used) {
      for (const [id, at] of used) touch.run(at, id, at)
    },
  }
}
