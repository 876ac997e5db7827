// Rows of a target that have changed in the source since they were copied.
import type { ReservedSQL } from "bun"
import { copyIn } from "../../postgres/connection/copy.ts"
import { sendQuery } from "../../postgres/connection/query.ts"
import { SET_TIMES } from "../../postgres/repair-rows.ts"
import type { ChangedRows, Key } from "../ends.ts"
import { decodeRow, type LineTally, type MovedRow, NO_ROWS, tallied } from "../lines.ts"
import { MOVED, type MovedTable } from "../tables.ts"
import { keysSql, linesByKey, quotedName } from "./lines.ts"

type Keys = readonly Key[]

/** Tables whose rows take those of others with them: theirs are changed in place. */
const REFERRED: ReadonlySet<string> = new Set(["api_keys", "members"])
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
  // Rows that refer to others go before them.
  for (const table of MOVED.toReversed())
    for (const keys of changed.keys(table)) await remove(sql, table, keys, { changed, tallies })
  for (const table of MOVED) {
    for (const keys of changed.keys(table)) {
      const lines = changed.lines(table, keys)
      if (lines.length === 0) continue
      if (REFERRED.has(table.name)) await changeInPlace(sql, table, lines)
      else await insert(table, lines)
      const found = await linesByKey(sql, table, keys)
      if (tallied(NO_ROWS, found).sum !== tallied(NO_ROWS, lines).sum)
        throw new Error(`${table.name}: rows that changed during the move differ after it`)
      tallies.set(table.name, tallied(tallies.get(table.name) ?? NO_ROWS, lines))
    }
  }
  for (const table of MOVED.filter(({ name }) => name === "leads" || name === "lead_scores"))
    for (const keys of changed.keys(table)) await setTimes(sql, table, keys)
}

async function remove(
  sql: ReservedSQL,
  table: MovedTable,
  keys: Keys,
  { changed, tallies }: { changed: ChangedRows; tallies: Map<string, LineTally> },
): Promise<void> {
  const old = await linesByKey(sql, table, keys)
  tallies.set(table.name, tallied(tallies.get(table.name) ?? NO_ROWS, old, -1))
  const gone = REFERRED.has(table.name) ? keysWithout(table, keys, changed.lines(table, keys)) : keys
  if (gone.length === 0) return
  const [from, on] = keysSql(table, gone)
  await sendQuery(sql, `DELETE FROM ${table.name} t USING ${from} WHERE ${on}`)
  if (table.name !== "leads") return
  for (const made of OF_LEADS) await sendQuery(sql, `DELETE FROM ${made} t USING ${from} WHERE ${on}`)
}

function keysWithout(table: MovedTable, keys: Keys, lines: readonly string[]): Keys {
  const keyOf = (row: MovedRow) => JSON.stringify(table.key.map((name) => row[name]))
  const there = new Set(lines.map((line) => keyOf(decodeRow(table, line))))
  return keys.filter((key) => !there.has(JSON.stringify(key)))
}

async function changeInPlace(
  sql: ReservedSQL,
  { name, columns, key }: MovedTable,
  lines: readonly string[],
): Promise<void> {
  const names = columns.map((column) => quotedName(column.name)).join(", ")
  await sendQuery(sql, `CREATE TEMP TABLE moved ON COMMIT DROP AS SELECT ${names} FROM ${name} LIMIT 0`)
  await copyIn(sql, `COPY moved (${names}) FROM STDIN`, lines)
  const set = columns
    .filter((column) => !key.includes(column.name))
    .map((column) => `${quotedName(column.name)} = excluded.${quotedName(column.name)}`)
  await sendQuery(
    sql,
    `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM moved
     ON CONFLICT (${key.map(quotedName).join(", ")}) DO UPDATE SET ${set.join(", ")}`,
  )
  await sendQuery(sql, "DROP TABLE moved")
}

/** Times of leads beside their scores. */
async function setTimes(sql: ReservedSQL, table: MovedTable, keys: Keys): Promise<void> {
  const [from, on] = keysSql(table, keys)
  const [set, where] = SET_TIMES.split(/\bWHERE\b/) as [string, string]
  await sendQuery(sql, `${set}, ${from} WHERE ${where} AND ${on.replaceAll("t.", "s.")}`)
}
