import type { ChangeInsert, ChangeWrites } from "../../contract/changes.ts"
import { factsOf, keptState, STATE_EVERY, storedLeft } from "../../tables/trail/change-facts.ts"
import { addBytes } from "../leads/projections.ts"
import { tableSink } from "../writes/sinks.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"
import { forgetAhead } from "./ahead.ts"
import { pushText } from "./pushed.ts"

const rows = tableSink("trail", {
  account_id: "bigint",
  seq: "bigint",
  lead_id: "text",
  action: "text",
  reason: "text",
  actor_id: "text",
  key_id: "text",
  batch_id: "text",
  import_id: "text",
  created_at: "bigint",
  facts: "text",
  score_before: "float8",
  score_after: "float8",
  pushed: "text",
  state: "text",
  notes: "text",
})

/** `grown` is called with each account whose trail has new changes in the transaction under way. */
export function changeWrites(tx: Tx, grown: (account: number) => void): Pick<ChangeWrites, "record"> {
  return {
    async record(account, change) {
      const state = await tx.account(account)
      writeChange(tx, state, account, change)
      forgetAhead(state, change.lead_id)
      grown(account)
    },
  }
}

function writeChange(tx: Tx, account_state: AccountState, account: number, change: ChangeInsert): void {
  account_state.trail_head++
  const seq = account_state.trail_head
  const { score: _, ...facts } = factsOf(change)
  const left = storedLeft(change)
  const columns = {
    facts: Object.keys(facts).length > 0 ? JSON.stringify(facts) : null,
    pushed: change.pushed ? pushText(change.pushed) : null,
    state: keptState(change, () => Bun.hash.xxHash32(`${change.lead_id}:${seq}`) % STATE_EVERY === 0),
    notes: left && JSON.stringify(left),
  }
  for (const text of Object.values(columns))
    if (text !== null) addBytes(account_state, Buffer.byteLength(text))
  const { lead_id, action, reason, actor_id, key_id, batch, created_at, before, after } = change
  tx.defer(rows, [
    ...[account, seq, lead_id, action, reason, actor_id, key_id],
    ...[batch?.id ?? null, batch?.import_id ?? null, created_at],
    ...[
      columns.facts,
      before?.score ?? null,
      after?.score ?? null,
      columns.pushed,
      columns.state,
      columns.notes,
    ],
  ])
}
