// Makes what no line carries: the next numbers of sequences, and the planner's statistics.
import type { ReservedSQL } from "bun"
import { sendQuery } from "../../postgres/connection/query.ts"
import { SET_TIMES } from "../../postgres/repair-rows.ts"
import { MOVED } from "../tables.ts"

const NEXT = `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
  WHERE c.table_schema = current_schema() AND c.is_identity = 'YES' ORDER BY c.table_name`

/** Numbers that are in use elsewhere, too: they are never given again. */
const ALSO: Readonly<Record<string, string>> = {
  accounts: "SELECT max(account_id) FROM admin_log",
  duplicate_pairs: "SELECT max(pair_rid) FROM duplicate_decisions",
}

const HEADS = `UPDATE accounts a SET
  lead_head = greatest(
    coalesce((SELECT max(rid) FROM leads WHERE account_id = a.key), 0),
    coalesce((SELECT max(greatest(p.a, p.b)) FROM duplicate_pairs p WHERE p.account_id = a.key), 0)),
  last_id = coalesce((SELECT substr(id, 4) FROM leads WHERE account_id = a.key ORDER BY rid DESC LIMIT 1), '')`

/** Numbers that the next row of each kind takes. */
export async function settleNumbers(sql: ReservedSQL): Promise<void> {
  await sendQuery(sql, HEADS)
  for (const row of await sendQuery(sql, NEXT)) {
    const { table, column } = row as { table: string; column: string }
    await sendQuery(
      sql,
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), n + 1, false) FROM (
         SELECT greatest(coalesce((SELECT max(${column}) FROM ${table}), 0), coalesce((${ALSO[table] ?? "SELECT 0"}), 0)) AS n) m`,
    )
  }
}

export async function completeMove(sql: ReservedSQL): Promise<void> {
  await sendQuery(sql, SET_TIMES)
  await settleNumbers(sql)
  await sendQuery(sql, `ANALYZE ${[...MOVED.map(({ name }) => name), "lead_words", "lead_texts"].join(", ")}`)
}
