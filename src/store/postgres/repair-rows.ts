// What a repair works out of the rest: counts and heads of accounts, and rows that leads are found by.
import type { ReservedSQL, SQL } from "bun"
import { type WrongNumber, wrongNumberStatements } from "../tables/check/numbers.ts"
import { sendQuery } from "./connection/query.ts"

/** The accounts whose numbers are wrong, so many of each number. */
export async function wrongNumbers(sql: SQL | ReservedSQL, most: number): Promise<WrongNumber[]> {
  const wrong: WrongNumber[] = []
  for (const text of wrongNumberStatements(false, most))
    wrong.push(...((await sendQuery(sql, text)) as unknown as WrongNumber[]))
  return wrong
}

/** Leads without rows that they are found by. */
export const LACKING = `FROM leads l WHERE NOT EXISTS (SELECT 1 FROM lead_words w WHERE w.account_id = l.account_id AND w.rid = l.rid)
  OR NOT EXISTS (SELECT 1 FROM lead_texts t WHERE t.account_id = l.account_id AND t.rid = l.rid)`
/** Rows of a table that are of no lead. */
export const LEFT = (table: string, rid = "rid") => `FROM ${table} f
  WHERE NOT EXISTS (SELECT 1 FROM leads l WHERE l.account_id = f.account_id AND l.rid = f.${rid})`

const SAME_LEAD = "l.account_id = s.account_id AND l.rid = s.rid"
/** Leads whose time of the last change is another one beside their score, where lists find it. */
const APART = "(s.updated_at, s.last_interaction_at) IS DISTINCT FROM (l.updated_at, l.last_interaction_at)"
const TIMES_APART = `FROM lead_scores s JOIN leads l ON ${SAME_LEAD} WHERE ${APART}`
export const SET_TIMES = `UPDATE lead_scores s SET updated_at = l.updated_at, last_interaction_at = l.last_interaction_at
  FROM leads l WHERE ${SAME_LEAD} AND ${APART}`

/** How many leads lack rows that they are found by, and how many such rows are of no lead. */
export async function wrongRows(sql: SQL | ReservedSQL): Promise<number> {
  const [row] = await sendQuery(
    sql,
    `SELECT ((SELECT count(*) ${LACKING}) + (SELECT count(*) ${LEFT("lead_words")})
       + (SELECT count(*) ${LEFT("lead_texts")}) + (SELECT count(*) ${TIMES_APART}))::float8 AS n`,
  )
  return (row as { n: number }).n
}

/** Tables with rows of leads, by the column that names the lead; what only repeats it may go without it. */
export const OF_LEADS = [
  { name: "lead_scores", rid: "rid", isRepeated: true },
  { name: "lead_tags", rid: "rid", isRepeated: true },
  { name: "lead_attributes", rid: "rid", isRepeated: true },
  { name: "lead_contacts", rid: "rid", isRepeated: true },
  { name: "lead_aliases", rid: "rid", isRepeated: false },
  { name: "notes", rid: "lead_rid", isRepeated: false },
  { name: "activities", rid: "lead_rid", isRepeated: false },
] as const

/** How many rows of a table are of no lead. */
export async function countLeft(
  sql: SQL | ReservedSQL,
  table: { name: string; rid: string },
): Promise<number> {
  const [row] = await sendQuery(sql, `SELECT count(*) AS n ${LEFT(table.name, table.rid)}`)
  return (row as { n: number }).n
}
