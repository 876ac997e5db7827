import type { Database } from "bun:sqlite"
import { counted } from "../../../text/text.ts"
import type { Finding } from "../../shared/file-care.ts"
import {
  COMPARED_COLUMNS,
  type ComparedRow,
  columnFindings,
  wrongColumns,
} from "../../tables/check/columns.ts"
import { REPAIR, type WrongNumber, wrongNumberStatements } from "../../tables/check/numbers.ts"
import { documentSql } from "../connection/documents.ts"

const CHECK = "lead tables"

/** The tables that only repeat a lead; they have no foreign keys. */
const SIDE_TABLES = [
  "lead_documents",
  "lead_scores",
  "lead_tags",
  "lead_attributes",
  "lead_contacts",
  "lead_locations",
] as const
/** Those in which every lead has its row. */
const FULL_TABLES = ["lead_documents", "lead_scores"] as const

/** Rows that belong to no lead, and leads that lack a row. */
export function leadTables(db: Database): Finding[] {
  const count = (sql: string) => db.query<{ n: number }, []>(`SELECT count(*) AS n ${sql}`).get()!.n
  const orphans = SIDE_TABLES.flatMap((table): Finding[] => {
    const where = `FROM ${table} WHERE rid NOT IN (SELECT rid FROM leads)`
    const n = count(where)
    if (n === 0) return []
    const message = `${counted(n, "row")} of ${table} ${n === 1 ? "belongs" : "belong"} to no lead`
    return [
      { code: "orphan_rows", severity: "error", check: CHECK, message, advice: repair(`DELETE ${where}`) },
    ]
  })
  const missing = FULL_TABLES.flatMap((table): Finding[] => {
    const n = count(`FROM leads WHERE rid NOT IN (SELECT rid FROM ${table})`)
    if (n === 0) return []
    const message = `${counted(n, "lead has", "leads have")} no row in ${table}: they cannot be read`
    return [{ code: "missing_rows", severity: "error", check: CHECK, message, advice: RESTORE }]
  })
  return [...orphans, ...missing, ...columnsApart(db)]
}

/** Leads whose columns differ from their documents. */
function columnsApart(db: Database): Finding[] {
  let leads = 0
  let first: string | undefined
  for (const { id } of leadsApart(db)) {
    leads++
    first ??= id
  }
  return columnFindings(leads, first, REPAIR)
}

/** Leads whose columns differ from their documents, with the values that these columns should have. */
export function* leadsApart(db: Database) {
  const rows = db.query<ComparedRow & { rid: number; id: string; text: string }, []>(
    `SELECT l.rid, ${COMPARED_COLUMNS}, ${documentSql("d")} AS text FROM leads l JOIN lead_documents d ON d.rid = l.rid`,
  )
  for (const row of rows.iterate()) {
    const wrong = wrongColumns(row, row.text)
    if (wrong.length > 0) yield { rid: row.rid, id: row.id, wrong }
  }
}

/** The accounts whose numbers are wrong, so many of each number. */
export function wrongNumbers(db: Database, most: number): WrongNumber[] {
  return wrongNumberStatements(true, most).flatMap((sql) => db.query<WrongNumber, []>(sql).all())
}

/** How many complaints of one kind are spelled out. */
export const MOST = 20

export const RESTORE =
  "Stop the service and restore the newest good backup (leaddb restore FILE): the damaged file is kept beside it. " +
  "Without a backup, the sqlite3 program's .recover saves what can be read"

/** Advice to run a statement. */
export function repair(sql: string): string {
  return `Make a backup (leaddb backup FILE), stop the service, then run in the sqlite3 program: ${sql};`
}
