// Whether a file is sound, by SQLite's own word and by counting, without the product's help.
import { Database } from "bun:sqlite"
import { until } from "../../../test/support/until.ts"

const ACCOUNTS = `SELECT count(*) AS n FROM accounts
  WHERE lead_count <> (SELECT count(*) FROM leads WHERE account_id = key)`
const halves = (table: string) =>
  `SELECT (SELECT count(*) FROM leads WHERE rid NOT IN (SELECT rid FROM ${table}))
     + (SELECT count(*) FROM ${table} WHERE rid NOT IN (SELECT rid FROM leads)) AS n`

/** What is wrong with a file; nothing when it is sound. */
export function findDamage(file: string): string[] {
  using db = new Database(file, { readonly: true })
  const damage = db
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check(5)")
    .all()
    .flatMap(({ integrity_check: word }) => (word === "ok" ? [] : [word]))
  const orphans = db.query("PRAGMA foreign_key_check").all().length
  if (orphans > 0) damage.push(`${orphans} rows point to rows that are not there`)
  const count = (sql: string) => db.query<{ n: number }, []>(sql).get()!.n
  const miscounted = count(ACCOUNTS)
  if (miscounted > 0) damage.push(`${miscounted} accounts are charged for leads that they do not have`)
  for (const table of ["lead_documents", "lead_scores"]) {
    const half = count(halves(table))
    if (half > 0) damage.push(`${half} leads are there in half: ${table}`)
  }
  return damage
}

/** How long a busy machine may take to send what is left, in milliseconds. */
const PATIENCE_MS = 300_000

/** Events that never arrived, once nothing waits any more: whatever was killed on the way. */
export async function findUndelivered(file: string, arrived: ReadonlySet<string>): Promise<string[]> {
  using db = new Database(file, { readonly: true })
  const waiting = db.query<{ n: number }, []>("SELECT count(*) AS n FROM deliveries WHERE status = 'pending'")
  await until("every event is delivered", () => waiting.get()!.n === 0, PATIENCE_MS)
  return db
    .query<{ id: string }, []>("SELECT id FROM deliveries")
    .all()
    .flatMap(({ id }) => (arrived.has(id) ? [] : [`delivery ${id} never arrived`]))
}
