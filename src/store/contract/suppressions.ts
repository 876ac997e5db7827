// The do-not-contact list in the store's contract.
import type { SuppressionKind } from "../../lead/suppression-keys.ts"

export interface Suppression {
  id: string
  kind: SuppressionKind
  /** As it is shown. */
  value: string
  reason: string | null
  /** Unix seconds. */
  created_at: number
}

/** An entry with the key that it is found by (`lead/suppression-keys.ts`). */
export interface KeyedSuppression extends Suppression {
  key: string
}

export interface SuppressionReads {
  /** The kinds of entries that an account has, as bits; 0 without any. */
  kinds(account: number): Promise<number>
  count(account: number): Promise<number>
  /** The entries with any of these keys. */
  having(account: number, keys: readonly string[]): Promise<KeyedSuppression[]>
  find(account: number, id: string): Promise<Suppression | undefined>
  /** Newest first, below the id `after`. */
  list(
    account: number,
    query: { kind?: SuppressionKind | undefined; after?: string | undefined; limit: number },
  ): Promise<Suppression[]>
}

export interface SuppressionWrites {
  /** Adds entries unless their keys are there already. Resolves with the entry that now has each key. */
  add(account: number, entries: readonly KeyedSuppression[]): Promise<ReadonlyMap<string, KeyedSuppression>>
  /** Resolves with whether there was such an entry. */
  remove(account: number, id: string): Promise<boolean>
}
