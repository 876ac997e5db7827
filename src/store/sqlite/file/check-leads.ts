import type { Database } from "bun:sqlite"
import { counted } from "../../../text/text.ts"
import type { Finding } from "../../shared/file-care.ts"
import {
  COMPARED_COLUMNS,
  type ComparedRow,
  columnFindings,
  wrongColumns,
} from "../../tables/check/columns.ts"
import { documentSql } from "../connection/documents.ts"
import { MOST, REPAIR, RESTORE, repair } from "./finding.ts"
import { LAST_CHANGE, REAL_ENTRIES, REAL_KINDS, REAL_LEADS } from "./numbers.ts"

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

/** Accounts whose kept number of leads is not that of their leads, and those whose next change would get a number twice. */
export function leadCounts(db: Database): Finding[] {
  const wrong = (column: string, test: string, real: string) =>
    db
      .query<{ id: string; kept: number; real: number }, []>(
        `SELECT id, ${column} AS kept, (${real}) AS real FROM accounts WHERE ${column} ${test} (${real}) LIMIT ${MOST}`,
      )
      .all()
  const counts = wrong("lead_count", "<>", REAL_LEADS).map(
    ({ id, kept, real }): Finding => ({
      code: "wrong_lead_count",
      severity: "error",
      check: "lead counts",
      message: `account ${id} is charged for ${kept} leads and has ${real}`,
      advice: REPAIR,
    }),
  )
  const entries = (["suppression_count", "suppressed_kinds"] as const).flatMap((column) =>
    wrong(column, "<>", column === "suppression_count" ? REAL_ENTRIES : REAL_KINDS).map(
      ({ id }): Finding => ({
        code: `wrong_${column}`,
        severity: "error",
        check: "lead counts",
        message: `account ${id} has another do-not-contact list than it counts: leads on it may come in`,
        advice: REPAIR,
      }),
    ),
  )
  const heads = wrong("trail_head", "<", LAST_CHANGE).map(
    ({ id, kept, real }): Finding => ({
      code: "wrong_trail_head",
      severity: "error",
      check: "lead counts",
      message: `account ${id} counts its changes up to ${kept} and has one with number ${real}`,
      advice: REPAIR,
    }),
  )
  return [...counts, ...entries, ...heads]
}
