import type { Database } from "bun:sqlite"
import { asc, eq, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/bun-sqlite"
import { limitsOf } from "../../core/plans.ts"
import type { AccountReads, AccountRow, AccountWrites } from "../store.ts"
import { prepare } from "./database.ts"
import { accounts } from "./tables.ts"

export function accountReads(db: Database): AccountReads {
  const orm = drizzle({ client: db })
  const byId = orm
    .select()
    .from(accounts)
    .where(eq(accounts.id, sql.placeholder("id")))
    .prepare()
  const count = prepare<{ lead_count: number }, [number]>(db, "SELECT lead_count FROM accounts WHERE key = ?")
  return {
    list: async () => orm.select().from(accounts).orderBy(asc(accounts.key)).all().map(asRow),
    async find(id) {
      const found = byId.get({ id })
      return found && asRow(found)
    },
    countLeads: async (account) => count.get(account)?.lead_count ?? 0,
  }
}

function asRow(row: typeof accounts.$inferSelect): AccountRow {
  const { key, id, name, plan, created_at, lead_count } = row
  return { key, id, name, plan, limits: limitsOf(plan, row), created_at, leads: lead_count }
}

export function accountWrites(db: Database): AccountWrites {
  const orm = drizzle({ client: db })
  return {
    async insert(account) {
      return orm.insert(accounts).values(account).returning({ key: accounts.key }).get().key
    },
    async setPlan(account, plan, { leads_limit, requests_limit, batch_limit }) {
      // drizzle leaves out what is undefined.
      const changes = { plan, leads_limit, requests_limit, batch_limit }
      orm.update(accounts).set(changes).where(eq(accounts.key, account)).run()
    },
  }
}
