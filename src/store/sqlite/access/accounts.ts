import type { Database } from "bun:sqlite"
import { eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { lazy } from "../../../core/lazy.ts"
import { limitsOf, type Overrides } from "../../../core/plans.ts"
import type { AccountReads, AccountRow, AccountWrites } from "../../contract/store.ts"
import { prepare } from "../file/database.ts"
import { leadCount } from "../leads/counts.ts"
import { hearing } from "../outbox/segment-moves.ts"
import { accounts } from "../tables.ts"
import { accountRemoval } from "./account-removal.ts"

interface Found extends Overrides {
  key: number
  id: string
  name: string
  plan: string
  created_at: number
  lead_count: number
  default_country: string | null
}

export function accountReads(db: Database): AccountReads {
  // Every start reads the accounts: the builder's first query would take 4 ms of it.
  const found =
    "SELECT key, id, name, plan, leads_limit, requests_limit, batch_limit, storage_limit, created_at, lead_count, default_country FROM accounts"
  const all = prepare<Found, []>(db, `${found} ORDER BY key`)
  const byId = prepare<Found, [string]>(db, `${found} WHERE id = ?`)
  const leadsIn = leadCount(db)
  const stored = prepare<{ n: number }, [number]>(db, "SELECT stored_bytes AS n FROM accounts WHERE key = ?")
  return {
    list: async () => all.all().map(asRow),
    async find(id) {
      const row = byId.get(id)
      return row ? asRow(row) : undefined
    },
    countLeads: async (account) => leadsIn(account),
    storedBytes: async (account) => stored.get(account)?.n ?? 0,
  }
}

function asRow(row: Found): AccountRow {
  const { key, id, name, plan, created_at, lead_count, default_country } = row
  return { key, id, name, plan, limits: limitsOf(plan, row), default_country, created_at, leads: lead_count }
}

export function accountWrites(db: Database): AccountWrites {
  const orm = drizzle({ client: db })
  const revise = hearing(db)
  const setCountry = prepare(
    db,
    "UPDATE accounts SET default_country = ?2, phones_from = '' WHERE key = ?1 AND default_country IS NOT ?2",
  )
  const removal = lazy(() => accountRemoval(db))
  // The key of one that was deleted is still in its last entry of the log.
  const insert = prepare<{ key: number }>(
    db,
    `INSERT INTO accounts (key, id, name, plan, created_at) SELECT 1 + max(
       coalesce((SELECT max(key) FROM accounts), 0), coalesce((SELECT max(account_id) FROM admin_log), 0)
     ), ?, ?, ?, ? RETURNING key`,
  )
  return {
    async insert({ id, name, plan, created_at }) {
      return insert.get(id, name, plan, created_at)!.key
    },
    async setDefaultCountry(account, country) {
      setCountry.run(account, country)
      revise(account)
    },
    remove: (account) => removal.get().remove(account),
    async setPlan(account, plan, { leads_limit, requests_limit, batch_limit, storage_limit }) {
      // drizzle leaves out what is undefined.
      const changes = { plan, leads_limit, requests_limit, batch_limit, storage_limit }
      orm.update(accounts).set(changes).where(eq(accounts.key, account)).run()
    },
  }
}
