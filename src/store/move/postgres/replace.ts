// Rows of a target that have changed in the source since they were copied.
import type { ReservedSQL } from "bun"
import { sendQuery } from "../../postgres/connection/query.ts"
import { SET_TIMES } from "../../postgres/repair-rows.ts"
import type { ChangedRows, Key } from "../ends.ts"
import { type LineTally, NO_ROWS, tallied } from "../lines.ts"
import { MOVED, type MovedTable } from "../tables.ts"
import { keysSql, linesByKey } from "./lines.ts"

type Keys = readonly Key[]

/** Made of leads, by the same key. */
const OF_LEADS = ["lead_words", "lead_texts"]

/** Keys lead to their rows, however the planner judges tables that it has not looked at yet. */
const BY_KEY =
  "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off"

/**
 * Makes rows as they are in the source, within a transaction, and compares them. `insert` puts lines into a table. Throws an
 * Error when a row differs afterwards.
 */
export async function replaceRows(
  sql: ReservedSQL,
  changed: ChangedRows,
  tallies: Map<string, LineTally>,
  insert: (table: MovedTable, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  await sql.unsafe(BY_KEY)
  const count = ({ name }: MovedTable, lines: readonly string[], sign: 1 | -1) =>
    tallies.set(name, tallied(tallies.get(name) ?? NO_ROWS, lines, sign))
  // All go first: what one row had to itself, another may have now.
  for (const table of MOVED)
    for (const keys of changed.keys(table)) {
      count(table, await linesByKey(sql, table, keys), -1)
      const [from, on] = keysSql(table, keys)
      for (const name of [table.name, ...(table.name === "leads" ? OF_LEADS : [])])
        await sendQuery(sql, `DELETE FROM ${name} t USING ${from} WHERE ${on}`)
    }
  for (const table of MOVED)
    for (const keys of changed.keys(table)) {
      const lines = changed.lines(table, keys)
      if (lines.length === 0) continue
      await insert(table, lines)
      const linesThere = await linesByKey(sql, table, keys)
      if (tallied(NO_ROWS, linesThere).sum !== tallied(NO_ROWS, lines).sum)
        throw new Error(`${table.name}: rows that changed during the move differ after it`)
      count(table, lines, 1)
    }
  for (const table of MOVED.filter(({ name }) => name === "leads" || name === "lead_scores"))
    for (const keys of changed.keys(table)) await setTimes(sql, table, keys)
}

/** Times of leads beside their scores. */
async function setTimes(sql: ReservedSQL, table: MovedTable, keys: Keys): Promise<void> {
  const [from, on] = keysSql(table, keys)
  const [set, where] = SET_TIMES.split(/\bWHERE\b/) as [string, string]
  await sendQuery(sql, `${set}, ${from} WHERE ${where} AND ${on.replaceAll("t.", "s.")}`)
}
