// Writes the trail, with the values of merged pushes, and reads ahead what it asks for.
import type { ChangeInsert, ChangeWrites, FullChange, PushedFields } from "../../contract/changes.ts"
import {
  factsOf,
  keptState,
  type NameSet,
  packNames,
  STATE_EVERY,
  storedLeft,
  unpackNames,
} from "../../tables/trail/change-facts.ts"
import { addBytes } from "../leads/projections.ts"
import { tableSink } from "../writes/sinks.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"

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

// The values of merged pushes as the trail keeps them: fields by their numbers, as each merge names most of them again.

/** As JSON. Before 29 November 2026 it was that of `PushedFields`. */
type StoredPush =
  | (Partial<NameSet> & Pick<NameSet, "fields"> & Partial<Pick<PushedFields, "rest">>)
  | PushedFields

export function pushText({ same, rest }: PushedFields): string {
  const { fields, attributes } = packNames(same)
  const stored: StoredPush = {
    fields,
    ...(attributes.length > 0 && { attributes }),
    ...(Object.keys(rest).length > 0 && { rest }),
  }
  return JSON.stringify(stored)
}

export function pushIn(text: string): PushedFields {
  const stored: StoredPush = JSON.parse(text)
  if ("same" in stored) return stored
  const { fields, attributes = [], rest = {} } = stored
  return { same: unpackNames({ fields, attributes }), rest }
}

// Changes of leads that were read before anybody asked for them, of many leads at once.

interface Ahead {
  from: number
  changes: FullChange[]
}

/** By the account's state, which is another in each transaction, and the lead's id. */
const byState = new WeakMap<AccountState, Map<string, Ahead>>()

export function keepAhead(state: AccountState, all: Map<string, Ahead>): void {
  byState.set(state, all)
}

/** The prefetched changes of a lead from this one on, unless a change was recorded since. */
export function changesAhead(
  state: AccountState | undefined,
  lead: string,
  from: number,
): FullChange[] | undefined {
  const ahead = state && byState.get(state)?.get(lead)
  return ahead?.from === from ? ahead.changes : undefined
}

/** To be called when a change of a lead is recorded. */
function forgetAhead(state: AccountState, lead: string): void {
  byState.get(state)?.delete(lead)
}
