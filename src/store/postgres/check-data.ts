// Looks through the data of a database as `check` of a file does: leads and what repeats them, counts, the trail, the outbox.
import type { ReservedSQL } from "bun"
import { counted } from "../../text/text.ts"
import type { Finding } from "../shared/file-care.ts"
import type { DataCheck } from "../tables/check/check.ts"
import {
  COMPARED_COLUMNS,
  type ComparedColumn,
  type ComparedRow,
  columnFindings,
  wrongColumns,
} from "../tables/check/columns.ts"
import { NAMED, numberFinding, REPAIR } from "../tables/check/numbers.ts"
import { outboxChecks } from "../tables/check/outbox.ts"
import { TRAIL_CHECK } from "../tables/check/trail.ts"
import { completedText } from "../tables/leads/shape.ts"
import { sendQuery } from "./connection/query.ts"
import { countLeft, LEFT, OF_LEADS, wrongNumbers, wrongRows } from "./repair-rows.ts"

const RESTORE = "Restore the newest good backup (pg_restore) into a new database, and compare"
const inPsql = (statement: string) => `Make a backup (pg_dump), then run in psql: ${statement};`
/** Leads that are compared at a time. */
const STEP = 500

/** Names of what is looked at, in order. */
export const dataChecks: readonly string[] = [
  "lead tables",
  "lead counts",
  "trail",
  "outbox",
  "derived index",
]

/** As of one moment, beside running instances. `now` in Unix milliseconds. */
export async function dataFindings(sql: ReservedSQL, now: number): Promise<Finding[]> {
  await sendQuery(sql, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  const one = <Row>(check: DataCheck<Row>) => findingsOf(sql, check, now)
  const outbox: Finding[] = []
  const tables = await leadTables(sql)
  const counts = (await wrongNumbers(sql, NAMED)).map(numberFinding)
  const trail = await one(TRAIL_CHECK)
  for (const check of outboxChecks(inPsql)) outbox.push(...(await one(check)))
  const derived = await derivedIndex(sql)
  await sendQuery(sql, "COMMIT")
  return [...tables, ...counts, ...trail, ...outbox, ...derived]
}

async function findingsOf<Row>(
  sql: ReservedSQL,
  { sql: text, at, found }: DataCheck<Row>,
  now: number,
): Promise<Finding[]> {
  const rows = await sendQuery(sql, text, at ? [at(now)] : [])
  return found(rows as unknown as Row[], now)
}

const error = (code: string, check: string, message: string, advice: string): Finding => ({
  ...{ code, severity: "error", check, message, advice },
})

async function leadTables(sql: ReservedSQL): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const table of OF_LEADS) {
    const n = await countLeft(sql, table)
    if (n === 0) continue
    const message = `${counted(n, "row")} of ${table.name} ${n === 1 ? "belongs" : "belong"} to no lead`
    const advice = table.isRepeated ? REPAIR : inPsql(`DELETE ${LEFT(table.name, table.rid)}`)
    findings.push(error("orphan_rows", "lead tables", message, advice))
  }
  const [row] = await sendQuery(
    sql,
    `SELECT count(*) AS n FROM leads l
     WHERE NOT EXISTS (SELECT 1 FROM lead_scores s WHERE s.account_id = l.account_id AND s.rid = l.rid)`,
  )
  const { n } = row as { n: number }
  if (n > 0) {
    const message = `${counted(n, "lead has", "leads have")} no row in lead_scores: they cannot be read`
    findings.push(error("missing_rows", "lead tables", message, RESTORE))
  }
  let leads = 0
  let first: string | undefined
  for await (const { id } of leadsApart(sql)) {
    leads++
    first ??= id
  }
  return [...findings, ...columnFindings(leads, first, REPAIR)]
}

interface LeadApart {
  account: number
  rid: number
  id: string
  wrong: ReturnType<typeof wrongColumns>
}

/** Leads whose columns differ from their documents: all, or one of them. */
export async function* leadsApart(
  sql: ReservedSQL,
  only?: { account: number; rid: number },
): AsyncGenerator<LeadApart> {
  type Row = ComparedRow & { account: number; rid: number; text: string; shape: number; id: string }
  for (let [account, rid] = only ? [only.account, only.rid - 1] : [0, 0]; ; ) {
    const rows = await sendQuery(
      sql,
      `SELECT l.account_id AS account, l.rid, ${COMPARED_COLUMNS}, l.data AS text, l.shape FROM leads l
       WHERE (l.account_id, l.rid) > ($1, $2) ORDER BY l.account_id, l.rid LIMIT ${only ? 1 : STEP}`,
      [account, rid],
    )
    for (const row of rows as unknown as Row[]) {
      const wrong = wrongColumns(row, completedText(row.text, row.shape))
      if (wrong.length > 0) yield { account: row.account, rid: row.rid, id: row.id, wrong }
    }
    const last = rows.at(-1) as Row | undefined
    if (!last || only) return
    ;[account, rid] = [last.account, last.rid]
  }
}

/** Types of the columns that are compared, where they are not texts. */
export const columnType = (name: ComparedColumn, value: unknown): string =>
  typeof value === "number" && name !== "id" ? "float8" : "text"

async function derivedIndex(sql: ReservedSQL): Promise<Finding[]> {
  const rows = await wrongRows(sql)
  if (rows === 0) return []
  const message = `${counted(rows, "row")} that leads are found by ${rows === 1 ? "is" : "are"} missing or of no lead`
  return [error("derived_incomplete", "derived index", message, REPAIR)]
}
