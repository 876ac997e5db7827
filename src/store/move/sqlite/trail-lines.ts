// The trail of a file as lines: each account's from its newest change to its oldest.
import type { Database } from "bun:sqlite"
import { CHANGE_ACTIONS } from "../../contract/changes.ts"
import { prepare } from "../../sqlite/file/database.ts"
import {
  type FactColumns,
  scoresOf,
  unpackFacts,
  unpackPushed,
  unpackText,
} from "../../sqlite/trail/facts.ts"
import { NAMED, ROW, type Row } from "../../sqlite/trail/rows.ts"
import { stateOf } from "../../tables/leads/shape.ts"
import { unpackId } from "../../tables/trail/ids.ts"
import { type Cells, encodeLine, type MovedCell } from "../lines.ts"
import type { MovedTable } from "../tables.ts"

const ROWS = 2_000

type Line = Row &
  Pick<FactColumns, "same" | "attributes"> & { state: Uint8Array | null; notes: Uint8Array | null }

const rowsWhere = (test: string) =>
  `SELECT ${ROW}, t.same, n.name AS attributes, s.state, s.notes FROM trail t CROSS ${NAMED}
   LEFT JOIN trail_names n ON n.key = t.attributes
   LEFT JOIN trail_states s ON s.account_id = t.account_id AND s.lead = t.lead AND s.seq = t.seq
   WHERE ${test}`

/** Finds the line of a change by its account and number. */
export function trailLineFinder(
  db: Database,
  table: MovedTable,
): (key: readonly MovedCell[]) => string | undefined {
  const find = prepare<Line>(db, rowsWhere("t.account_id = ? AND t.seq = ?"))
  return ([account, seq]) => {
    const row = find.get(account as number, seq as number)
    return row ? encodeLine(table, cellsOf(account as number, row)) : undefined
  }
}

export async function* trailLines(
  db: Database,
  table: MovedTable,
  after: readonly MovedCell[] | undefined,
): AsyncGenerator<string[]> {
  const accounts = prepare<{ key: number }, []>(db, "SELECT key FROM accounts ORDER BY key").all()
  const rows = prepare<Line>(
    db,
    rowsWhere(`t.account_id = ? AND t.seq < ? ORDER BY t.seq DESC LIMIT ${ROWS}`),
  )
  const [lastAccount, lastSeq] = (after ?? [0, 0]) as [number, number]
  for (const { key: account } of accounts) {
    if (account < lastAccount) continue
    for (let below = account === lastAccount ? lastSeq : Number.MAX_SAFE_INTEGER; ; ) {
      const found = rows.all(account, below)
      if (found.length > 0) yield found.map((row) => encodeLine(table, cellsOf(account, row)))
      if (found.length < ROWS) break
      below = found.at(-1)!.seq
    }
  }
}

function cellsOf(account: number, row: Line): Cells {
  const { seq, id, reason, actor_id, key_id, batch_id, import_id, created_at, state, notes } = row
  const action = CHANGE_ACTIONS[row.action]!
  const { score: _, ...facts } = unpackFacts(row, created_at)
  const { before, after } = scoresOf(action, row)
  const pushed = unpackPushed(row)
  return [
    ...[account, seq, id, unpackId(row.lead_id, "cl_"), action, reason, actor_id ?? "", key_id],
    ...[batch_id === null ? null : unpackId(batch_id, ""), import_id, created_at],
    ...[Object.keys(facts).length > 0 ? JSON.stringify(facts) : null, before, after],
    // In one order, whichever way it is kept
    pushed ? JSON.stringify({ same: pushed.same.toSorted(), rest: pushed.rest }) : null,
    state && wholeText(unpackText(state)),
    notes && unpackText(notes),
  ]
}

/** A state with all fields, also those that came since it was kept. */
function wholeText(text: string): string {
  const { data, score } = stateOf(JSON.parse(text))
  return JSON.stringify({ ...data, score })
}
