import { UTC } from "../../text/time-zone.ts"
import type { AccountReads, AccountRow, AccountWrites } from "../contract/store.ts"
import type { AccountColumns } from "../sql/account-columns.ts"
import type { Db, WriteDb } from "../sql/db.ts"
import { accountColumn, rowAs } from "../sql/rows.ts"
import { ACCOUNT_COLUMNS, accountOf, type WithAccount } from "./api-keys.ts"
import { updateSegmentWatch } from "./segment-watch.ts"
import type { Surroundings } from "./surroundings.ts"

type Found = WithAccount & Pick<AccountRow, "created_at" | "leads">

const FOUND = `SELECT ${ACCOUNT_COLUMNS}, created_at, lead_count AS leads FROM accounts a`
const LIST = `${FOUND} ORDER BY key`
const FIND = `${FOUND} WHERE id = $1`
const BY_DOMAIN = `${FOUND} WHERE ' ' || domains || ' ' LIKE '% ' || $1 || ' %'`

const NUMBERINGS = "SELECT value FROM settings WHERE name = 'numbering'"

export function accountReads(db: Db): AccountReads {
  const leads = accountColumn<number>(db, "lead_count")
  const bytes = accountColumn<number>(db, "stored_bytes")
  const statuses = accountColumn<string | null>(db, "statuses")
  const domains = accountColumn<string | null>(db, "domains")
  // It changes while nothing has the database open.
  let numberings: Promise<string | undefined> | undefined
  async function readNumberings(): Promise<string | undefined> {
    const row = await db.get<{ value: Uint8Array }>(NUMBERINGS)
    return row && Buffer.from(row.value).toString()
  }
  return {
    numberings() {
      numberings ??= readNumberings().catch((error) => {
        numberings = undefined
        throw error
      })
      return numberings
    },
    list: async () => (await db.all<Found>(LIST)).map(asRow),
    find: (id) => rowAs(db.get<Found>(FIND, [id]), asRow),
    countLeads: async (account) => (await leads(account)) ?? 0,
    storedBytes: async (account) => (await bytes(account)) ?? 0,
    statuses: async (account) => (await statuses(account)) ?? null,
    domains: async (account) => (await domains(account))?.split(" ") ?? [],
    findByDomain: (domain) => rowAs(db.get<Found>(BY_DOMAIN, [domain]), asRow),
  }
}

const asRow = (row: Found): AccountRow => ({
  ...accountOf(row),
  created_at: row.created_at,
  leads: row.leads,
})

/** An account's time zone. */
export async function timeZone(db: Db, account: number): Promise<string> {
  return (await accountColumn<string | null>(db, "time_zone")(account)) ?? UTC
}

/** Reads inside a transaction, whose own changes of an account's row may not be written yet. */
export function accountReadsWithin(db: Db, columns: AccountColumns): AccountReads {
  const stored = accountReads(db)
  return {
    list() {
      columns.flush()
      return stored.list()
    },
    find(id) {
      columns.flush()
      return stored.find(id)
    },
    countLeads: columns.reader("lead_count"),
    storedBytes: columns.reader("stored_bytes"),
    statuses: stored.statuses,
    domains: stored.domains,
    findByDomain: stored.findByDomain,
    numberings: stored.numberings,
  }
}

const OVERRIDES = ["leads_limit", "requests_limit", "batch_limit", "storage_limit"] as const

/** PostgreSQL counts keys by itself. In SQLite the key of an account that was deleted is still in its last entry of the log. */
const INSERT = {
  postgres: "INSERT INTO accounts (id, name, plan, created_at) VALUES ($1, $2, $3, $4) RETURNING key",
  sqlite: `INSERT INTO accounts (key, id, name, plan, created_at) SELECT 1 + max(
      coalesce((SELECT max(key) FROM accounts), 0), coalesce((SELECT max(account_id) FROM admin_log), 0)
    ), $1, $2, $3, $4 RETURNING key`,
}

export function accountWrites(
  db: WriteDb,
  { columns, removeAccount, phonesDue }: Pick<Surroundings, "columns" | "removeAccount" | "phonesDue">,
): AccountWrites {
  return {
    remove: removeAccount,
    async insert({ id, name, plan, created_at }) {
      const row = await db.get<{ key: number }>(INSERT[db.dialect.engine], [id, name, plan, created_at])
      return row!.key
    },
    async setDefaultCountry(account, country) {
      if ((await columns.get(account, "default_country")) === country) return
      await columns.set(account, "default_country", country)
      // An empty text: the phones of all leads are to be looked at again.
      db.later("UPDATE accounts SET phones_from = '' WHERE key = $1", [account])
      await updateSegmentWatch(db, columns, account)
      phonesDue()
    },
    async setDomains(account, domains) {
      const text = domains.length === 0 ? null : domains.join(" ")
      await db.run("UPDATE accounts SET domains = $2 WHERE key = $1", [account, text])
    },
    async setTimeZone(account, zone) {
      await db.run("UPDATE accounts SET time_zone = $2 WHERE key = $1", [account, zone === UTC ? null : zone])
      await updateSegmentWatch(db, columns, account)
    },
    async setStatuses(account, statuses) {
      await db.run("UPDATE accounts SET statuses = $2 WHERE key = $1", [account, statuses])
    },
    async setPlan(account, plan, overrides) {
      const given = OVERRIDES.filter((name) => overrides[name] !== undefined)
      const sets = ["plan = $2", ...given.map((name, i) => `${name} = $${i + 3}`)]
      const values = given.map((name) => overrides[name])
      await db.run(`UPDATE accounts SET ${sets.join(", ")} WHERE key = $1`, [account, plan, ...values])
    },
  }
}
