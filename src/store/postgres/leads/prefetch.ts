// Leads that a transaction has prefetched while it holds the account's lock.
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import { createPendingLeads, type PendingLeads } from "../../tables/leads/pending-leads.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"
import { findCandidates } from "./candidates.ts"
import { findListed } from "./listed.ts"

// A rollback makes the state anew, and with it what is known.
const pending = new WeakMap<AccountState, PendingLeads>()

export function pendingLeadsOf(state: AccountState): PendingLeads {
  return pending.getOrInsertComputed(state, createPendingLeads)
}

/**
 * Locks an account unless it is locked, and finds the candidates of what its works will push, and the entries of the
 * do-not-contact list that stop it, by a statement each for all of them on the same round trip.
 */
export async function lockAndPrefetch(
  tx: Tx,
  account: number,
  pushed: readonly LeadKeys[],
): Promise<AccountState> {
  if (pushed.length === 0) return tx.account(account)
  // Both are sent at once: the second sees what was committed while the first waited.
  const [state, candidates, keepListed] = await Promise.all([
    tx.account(account),
    findCandidates(tx.sent, account, pushed),
    findListed(tx, account, pushed),
  ])
  pendingLeadsOf(state).putAll(pushed, candidates, true)
  keepListed(state)
  return state
}
