// Lines of the trail, the oldest first, as rows of a file.
import type { Database } from "bun:sqlite"
import type { ChangeAction } from "../../contract/changes.ts"
import type { TableRow } from "../../sql/schema/index.ts"
import { trailNumbers } from "../../sqlite/trail/dictionary.ts"
import { packFacts } from "../../sqlite/trail/facts.ts"
import { rowInsert } from "../../sqlite/trail/write.ts"
import { decodeRow } from "../lines.ts"
import type { MovedTable } from "../tables.ts"

type Numbers = ReturnType<ReturnType<typeof trailNumbers>>

export function createTrailRows(db: Database) {
  const insert = rowInsert(db)
  const numbersOf = trailNumbers(db)

  function writeRow(row: TableRow<"trail">, numbers: Numbers): void {
    const { account_id: account, seq, id, batch_id, reason, actor_id, key_id, created_at, state, notes } = row
    const scores = { before: row.score_before, after: row.score_after }
    const pushed = row.pushed === null ? undefined : JSON.parse(row.pushed)
    const batch = batch_id === null ? undefined : { id: batch_id, import_id: row.import_id ?? undefined }
    insert({
      ...{ account, seq, id, state, notes, numbers },
      lead: numbers.lead(row.lead_id),
      change: { action: row.action as ChangeAction, reason, actor_id, key_id, batch, created_at },
      columns: packFacts(JSON.parse(row.facts ?? "{}"), scores, pushed, created_at),
    })
  }

  return {
    write(table: MovedTable, lines: readonly string[]): void {
      const rows = lines.map((line) => decodeRow(table, line) as unknown as TableRow<"trail">)
      for (const [account, own] of Map.groupBy(rows, (row) => row.account_id)) {
        const numbers = numbersOf(account)
        for (const row of own) writeRow(row, numbers)
        numbers.close()
      }
    },
    clear(): void {
      for (const table of ["trail", "trail_leads", "trail_states", "trail_names", "trail_batches"])
        db.run(`DELETE FROM ${table}`)
    },
  }
}
