import { limitsOf, type Overrides } from "../../../core/plans.ts"
import type { AccountReads, AccountRow, AccountWrites } from "../../contract/store.ts"
import type { Db } from "../../sql/db.ts"
import { lookAgainAtPhones } from "../leads/phone-numbers.ts"
import type { Tx } from "../writes/transaction.ts"
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

const FOUND =
  "SELECT key, id, name, plan, leads_limit, requests_limit, batch_limit, storage_limit, created_at, lead_count, default_country FROM accounts"

export function accountReads(db: Db): AccountReads {
  return {
    list: async () => (await db.all<Found>(`${FOUND} ORDER BY key`)).map(asRow),
    async find(id) {
      const row = await db.get<Found>(`${FOUND} WHERE id = $1`, [id])
      return row && asRow(row)
    },
    async countLeads(account) {
      const row = await db.get<{ n: number }>("SELECT lead_count AS n FROM accounts WHERE key = $1", [
        account,
      ])
      return row?.n ?? 0
    },
    async storedBytes(account) {
      const row = await db.get<{ n: number }>("SELECT stored_bytes AS n FROM accounts WHERE key = $1", [
        account,
      ])
      return row?.n ?? 0
    },
  }
}

function asRow(row: Found): AccountRow {
  const { key, id, name, plan, created_at, lead_count, default_country } = row
  return { key, id, name, plan, limits: limitsOf(plan, row), default_country, created_at, leads: lead_count }
}

/** Counts of accounts that the transaction holds are in its hands. */
export function accountReadsWithin(tx: Tx): AccountReads {
  const stored = accountReads(tx)
  return {
    list() {
      tx.keepAccounts()
      return stored.list()
    },
    find(id) {
      tx.keepAccounts()
      return stored.find(id)
    },
    countLeads: async (account) => (await tx.account(account)).lead_count,
    storedBytes: async (account) => (await tx.account(account)).stored_bytes,
  }
}

const OVERRIDES = ["leads_limit", "requests_limit", "batch_limit", "storage_limit"] as const

/** `phonesDue` is told when phones are to be looked at again. */
export function accountWrites(tx: Tx, phonesDue: () => void): AccountWrites {
  return {
    ...accountRemoval(tx),
    async insert({ id, name, plan, created_at }) {
      const sql = "INSERT INTO accounts (id, name, plan, created_at) VALUES ($1, $2, $3, $4) RETURNING key"
      return (await tx.get<{ key: number }>(sql, [id, name, plan, created_at]))!.key
    },
    async setDefaultCountry(account, country) {
      const state = await tx.account(account)
      if (state.default_country === country) return
      state.default_country = country
      lookAgainAtPhones(tx, account)
      phonesDue()
    },
    async setPlan(account, plan, overrides) {
      const given = OVERRIDES.filter((name) => overrides[name] !== undefined)
      const sets = ["plan = $2", ...given.map((name, i) => `${name} = $${i + 3}`)]
      await tx.run(`UPDATE accounts SET ${sets.join(", ")} WHERE key = $1`, [
        account,
        plan,
        ...given.map((name) => overrides[name]),
      ])
    },
  }
}
