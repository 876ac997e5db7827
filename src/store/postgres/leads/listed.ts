// Entries of the do-not-contact list that a transaction has looked up with the lock of its account, for all of its works.
import type { LeadKeys } from "../../../lead/lead-keys.ts"
import type { KeyedSuppression, Transaction } from "../../contract/store.ts"
import { suppressionReads } from "../../tables/suppressions.ts"
import type { AccountState, Tx } from "../writes/transaction.ts"

interface Listed {
  asked: Set<string>
  found: Map<string, KeyedSuppression>
}

// A rollback makes the state anew, and with it what is known.
const byState = new WeakMap<AccountState, Listed>()

/** Looks up the keys of what is pushed; what it resolves with keeps that for the account's state. */
export async function findListed(
  tx: Tx,
  account: number,
  pushed: readonly LeadKeys[],
): Promise<(state: AccountState) => void> {
  const keys = [...new Set(pushed.flatMap(({ listKeys }) => listKeys ?? []))]
  if (keys.length === 0) return () => undefined
  const entries = await suppressionReads(tx.sent).having(account, keys)
  return (state) => {
    const { asked, found } = byState.getOrInsertComputed(state, () => ({
      asked: new Set(),
      found: new Map(),
    }))
    for (const key of keys) asked.add(key)
    for (const entry of entries) found.set(entry.key, entry)
  }
}

/** The list inside a transaction: what was looked up with the lock costs no further round trip. */
export function listedWithin(tx: Tx, suppressions: Transaction["suppressions"]): Transaction["suppressions"] {
  const forget = (account: number) => {
    const state = tx.held(account)
    if (state) byState.delete(state)
  }
  return {
    ...suppressions,
    async having(account, keys) {
      const state = tx.held(account)
      const listed = state && byState.get(state)
      if (!listed || !keys.every((key) => listed.asked.has(key))) return suppressions.having(account, keys)
      return keys.flatMap((key) => listed.found.get(key) ?? [])
    },
    add(account, entries) {
      forget(account)
      return suppressions.add(account, entries)
    },
    remove(account, id) {
      forget(account)
      return suppressions.remove(account, id)
    },
  }
}
