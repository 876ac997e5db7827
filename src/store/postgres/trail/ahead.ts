// Changes of leads that were read before anybody asked for them, of many leads at once.
import type { FullChange } from "../../contract/changes.ts"
import type { AccountState } from "../writes/transaction.ts"

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
export function forgetAhead(state: AccountState, lead: string): void {
  byState.get(state)?.delete(lead)
}
