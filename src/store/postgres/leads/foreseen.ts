// What pushed leads may repeat, found with the lock of their account: for all works of a transaction by one statement.
import type { Candidates, PushedKeys } from "../../contract/store.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"
import { findCandidates } from "./candidates.ts"

const found = new WeakMap<AccountState, Map<string, Candidates>>()

/** Locks an account unless it is locked, and finds what will be asked for on the same way. Nothing may be written yet. */
export async function heldWith(
  tx: Tx,
  account: number,
  pushed: readonly PushedKeys[],
): Promise<AccountState> {
  if (pushed.length === 0) return tx.account(account)
  // Both are sent at once: the second sees what was committed while the first waited.
  const [state, all] = await Promise.all([tx.account(account), findCandidates(tx.sent, account, pushed)])
  const known = found.get(state) ?? new Map<string, Candidates>()
  for (const [i, keys] of pushed.entries()) known.set(textOf(keys), all[i]!)
  found.set(state, known)
  return state
}

/** What was found of these when the transaction began; undefined where one of them was not looked for. */
export function foreseen(state: AccountState, pushed: readonly PushedKeys[]): Candidates[] | undefined {
  const known = found.get(state)
  if (!known) return undefined
  const all = pushed.flatMap((keys) => known.get(textOf(keys)) ?? [])
  return all.length === pushed.length ? all : undefined
}

/** To be called when numbers of leads change of which nobody keeps account. */
export function forgetForeseen(state: AccountState): void {
  found.delete(state)
}

const textOf = ({ email, source_id, phone, number, name, city }: PushedKeys) =>
  JSON.stringify([email, source_id, phone, number, name, city])
