import { Database } from "bun:sqlite"
import { MIGRATIONS, schemaOf } from "./migrations.ts"

/** Something that is not as it should be, and what a person can do about it. */
export interface Finding {
  check: string
  message: string
  advice: string
}

/** How many complaints of one kind are spelled out. */
const MOST = 20

const RESTORE =
  "Stop the service, keep a copy of the file, and restore the newest good backup. " +
  "Without one, the sqlite3 program's .recover saves what can be read"

/** The tables that only repeat a lead; they have no foreign keys. */
const SIDE_TABLES = [
  "lead_documents",
  "lead_scores",
  "lead_tags",
  "lead_attributes",
  "lead_locations",
] as const
/** Those in which every lead has its row. */
const FULL_TABLES = ["lead_documents", "lead_scores"] as const

/**
 * Looks for damage in a database file without changing it, beside a running service if need be: everything is read
 * from one snapshot. Answers with what was looked at and what was found. Throws an Error when it cannot be opened.
 */
export function checkDatabase(file: string): { checks: string[]; findings: Finding[] } {
  const db = new Database(file, { readonly: true, strict: true })
  const checks = ["schema", "integrity", "foreign keys", "lead tables", "lead counts"]
  try {
    const unfit = schemaFindings(db)
    if (unfit.length > 0) return { checks: checks.slice(0, 1), findings: unfit }
    db.run("BEGIN")
    const parts = {
      integrity,
      "foreign keys": foreignKeys,
      "lead tables": leadTables,
      "lead counts": leadCounts,
    }
    return {
      checks,
      findings: Object.entries(parts).flatMap(([name, part]) => readable(name, () => part(db))),
    }
  } finally {
    db.close()
  }
}

function schemaFindings(db: Database): Finding[] {
  return readable("schema", () => {
    try {
      const version = schemaOf(db)
      if (version === MIGRATIONS.length) return []
      const message = `the database has ${version} of ${MIGRATIONS.length} migrations`
      return [{ check: "schema", message, advice: "Start the service once: it brings the file up to date" }]
    } catch (error) {
      if (!(error instanceof Error) || "code" in error) throw error
      return [{ check: "schema", message: error.message, advice: "Nothing else was looked at" }]
    }
  })
}

/** A file that SQLite cannot read through is a finding too. */
function readable(check: string, look: () => Finding[]): Finding[] {
  try {
    return look()
  } catch (error) {
    return [{ check, message: error instanceof Error ? error.message : String(error), advice: RESTORE }]
  }
}

function integrity(db: Database): Finding[] {
  const rows = db.query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MOST})`).all()
  const bad = rows.filter((row) => row.integrity_check !== "ok")
  return bad.map((row) => ({ check: "integrity", message: row.integrity_check, advice: RESTORE }))
}

function foreignKeys(db: Database): Finding[] {
  const rows = db
    .query<{ table: string; rowid: number; parent: string }, []>("PRAGMA foreign_key_check")
    .all()
  return rows.slice(0, MOST).map(({ table, rowid, parent }) => ({
    check: "foreign keys",
    message: `row ${rowid} of ${table} points to a row of ${parent} that does not exist (${rows.length} such rows in all)`,
    advice: repair(`DELETE FROM ${table} WHERE rowid = ${rowid}`),
  }))
}

function leadTables(db: Database): Finding[] {
  const count = (sql: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n ${sql}`).get()!.n
  const orphans = SIDE_TABLES.flatMap((table) => {
    const where = `FROM ${table} WHERE rid NOT IN (SELECT rid FROM leads)`
    const message = `${count(where)} rows of ${table} belong to no lead`
    return count(where) === 0 ? [] : [{ check: "lead tables", message, advice: repair(`DELETE ${where}`) }]
  })
  const missing = FULL_TABLES.flatMap((table) => {
    const n = count(`FROM leads WHERE rid NOT IN (SELECT rid FROM ${table})`)
    if (n === 0) return []
    return [
      {
        check: "lead tables",
        message: `${n} leads have no row in ${table}: they cannot be read`,
        advice: RESTORE,
      },
    ]
  })
  return [...orphans, ...missing]
}

function leadCounts(db: Database): Finding[] {
  const counted = "SELECT count(*) FROM leads WHERE account_id = key"
  const rows = db
    .query<{ id: string; kept: number; counted: number }, []>(
      `SELECT id, lead_count AS kept, (${counted}) AS counted FROM accounts WHERE lead_count <> (${counted}) LIMIT ${MOST}`,
    )
    .all()
  return rows.map(({ id, kept, counted: real }) => ({
    check: "lead counts",
    message: `account ${id} is charged for ${kept} leads and has ${real}`,
    advice: repair(`UPDATE accounts SET lead_count = (${counted}) WHERE id = '${id}'`),
  }))
}

function repair(sql: string): string {
  return `Make a backup (leaddb backup FILE), stop the service, then run in the sqlite3 program: ${sql};`
}
