// Lines of the trail, the oldest first, as rows of a file.
import type { Database } from "bun:sqlite"
import type { ChangeAction, PushedFields } from "../../contract/changes.ts"
import { trailNumbers } from "../../sqlite/trail/dictionary.ts"
import { packFacts } from "../../sqlite/trail/facts.ts"
import { rowInsert } from "../../sqlite/trail/write.ts"
import type { ChangeFacts } from "../../tables/trail/facts.ts"
import { decodeLine } from "../lines.ts"
import type { MovedTable } from "../tables.ts"

/** A line of the trail; `facts`, `pushed`, `state` and `notes` are JSON. */
interface Line {
  account_id: number
  seq: number
  id: string | null
  lead_id: string
  action: ChangeAction
  reason: string | null
  actor_id: string
  key_id: string | null
  batch_id: string | null
  import_id: string | null
  created_at: number
  facts: string | null
  score_before: number | null
  score_after: number | null
  pushed: string | null
  state: string | null
  notes: string | null
}

export function createTrailRows(db: Database) {
  const insert = rowInsert(db)
  const numbersOf = trailNumbers(db)

  function writeLine(line: Line, numbers: ReturnType<typeof numbersOf>): void {
    const { account_id: account, seq, id, batch_id, import_id, created_at, state, notes } = line
    const facts: Omit<ChangeFacts, "score"> = line.facts === null ? {} : JSON.parse(line.facts)
    const pushed: PushedFields | undefined = line.pushed === null ? undefined : JSON.parse(line.pushed)
    const scores = { before: line.score_before, after: line.score_after }
    const batch = batch_id === null ? undefined : { id: batch_id, import_id: import_id ?? undefined }
    const { action, reason, actor_id, key_id } = line
    insert({
      ...{ account, seq, id, state, notes, numbers },
      lead: numbers.lead(line.lead_id),
      change: { action, reason, actor_id, key_id, batch, created_at },
      columns: packFacts(facts, scores, pushed, created_at),
    })
  }

  return {
    write(table: MovedTable, lines: readonly string[]): void {
      const rows = lines.map((line) => {
        const cells = decodeLine(table, line)
        return Object.fromEntries(table.columns.map(({ name }, i) => [name, cells[i]])) as unknown as Line
      })
      for (const [account, own] of Map.groupBy(rows, (row) => row.account_id)) {
        const numbers = numbersOf(account)
        for (const row of own) writeLine(row, numbers)
        numbers.close()
      }
    },
    clear(): void {
      for (const table of ["trail", "trail_leads", "trail_states", "trail_names", "trail_batches"])
        db.run(`DELETE FROM ${table}`)
    },
  }
}
