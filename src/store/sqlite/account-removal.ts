// Removes an account with all that is its own, whatever tables there are: they are read from the schema.
import type { Database } from "bun:sqlite"
import type { AccountWrites } from "../contract/accounts.ts"
import { prepare } from "./connection/database.ts"
import type { LeadLog } from "./leads/projections.ts"

/** Rows that go in one step; of leads, which are in many tables, fewer. */
const ROWS = 1_000
const LEADS = 100
/** Tables cleared first, so that sign-ins, deliveries and jobs of the account end at once. */
const AT_ONCE = [
  "oauth_logins",
  "oauth_grants",
  "sessions",
  "members",
  "forms",
  "jobs",
  "deliveries",
  "webhooks",
  "api_keys",
]
/** Tables of leads that have no account or no index of accounts, each with its column of leads. */
const OF_LEADS = {
  lead_documents: "rid",
  lead_scores: "rid",
  lead_locations: "rid",
  notes: "lead_rid",
}

type Step = (account: number) => boolean

export function accountRemoval(db: Database, log: LeadLog): AccountWrites["remove"] {
  const leads = prepare<{ rid: number }>(db, `SELECT rid FROM leads WHERE account_id = ? LIMIT ${LEADS}`)
  const ofLead = Object.entries(OF_LEADS).map(([table, column]) =>
    prepare(db, `DELETE FROM ${table} WHERE ${column} = ?`),
  )
  const removeLead = prepare(db, "DELETE FROM leads WHERE rid = ?")
  const events = prepare<{ rid: number; event_rid: number }>(
    db,
    `SELECT rid, event_rid FROM deliveries WHERE account_id = ? LIMIT ${ROWS}`,
  )
  const removeDelivery = prepare(db, "DELETE FROM deliveries WHERE rid = ?")
  const removeEvent = prepare(
    db,
    "DELETE FROM events WHERE rid = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_rid = ?1)",
  )
  const removeAccount = prepare(db, "DELETE FROM accounts WHERE key = ?")
  const off = prepare(db, "UPDATE webhooks SET active = 0 WHERE account_id = ?")
  const steps: Step[] = [
    ...ordered(
      db,
      AT_ONCE.filter((table) => table !== "deliveries" && table !== "webhooks"),
    ).map(removing(db)),
    (account) => {
      off.run(account)
      const rows = events.all(account)
      for (const { rid } of rows) removeDelivery.run(rid)
      for (const { event_rid } of rows) removeEvent.run(event_rid)
      return rows.length === ROWS
    },
    (account) => {
      const rows = leads.all(account)
      for (const { rid } of rows) {
        for (const remove of ofLead) remove.run(rid)
        removeLead.run(rid)
        log.removed(account, rid)
      }
      return rows.length === LEADS
    },
    ...ordered(db, tablesOfAccounts(db)).map(removing(db)),
  ]
  return async (account) => {
    for (const step of steps) if (step(account)) return true
    removeAccount.run(account)
    log.accountGone(account)
    return false
  }
}

interface Table {
  name: string
  wr: number
}

/** Every table whose rows are an account's. */
function tablesOfAccounts(db: Database): string[] {
  return db
    .query<{ name: string }, []>(
      `SELECT t.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'account_id' ORDER BY t.name`,
    )
    .all()
    .map(({ name }) => name)
}

/** Those that refer to others before them. */
function ordered(db: Database, tables: readonly string[]): string[] {
  const left = new Set(tables)
  const sorted: string[] = []
  const refersTo = (name: string) =>
    db.query<{ table: string }, [string]>('SELECT "table" FROM pragma_foreign_key_list(?)').all(name)
  const refers = new Map(tables.map((name) => [name, refersTo(name).map(({ table }) => table)]))
  while (left.size > 0) {
    const free = [...left].filter(
      (name) => ![...left].some((one) => one !== name && refers.get(one)!.includes(name)),
    )
    for (const name of free) left.delete(name)
    sorted.push(...free)
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...left].join(", ")}`)
  }
  return sorted
}

/** Removes some rows of an account; true when there may be more. */
function removing(db: Database): (table: string) => Step {
  const listed = prepare<Table, [string]>(db, "SELECT name, wr FROM pragma_table_list WHERE name = ?")
  const keys = prepare<{ name: string }, [string]>(
    db,
    "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
  )
  return (table) => {
    const isKeyed = listed.get(table)!.wr === 1
    const key = isKeyed
      ? keys
          .all(table)
          .map(({ name }) => name)
          .join(", ")
      : "rowid"
    const remove = prepare(
      db,
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE account_id = ? LIMIT ${ROWS})`,
    )
    return (account) => remove.run(account).changes >= ROWS
  }
}
