// The keys and terms of all leads of an account in memory: read once where many leads are compared, since lookups lead by
// lead take longer than comparing, and kept up to date while leads come.
import { KEY_MAX, type Rarity } from "../../matching/matcher/index.ts"
import type { IndexPart } from "../../store/contract/matching.ts"
import type { MatchEntries, MatchingStore } from "../../store/contract/store.ts"
import { HashRows } from "./hash-rows.ts"

type Kept = Pick<MatchEntries, "probes" | "terms">

/** What a lead was found by and counted with, and is now; undefined for none. */
export interface EntriesChange {
  ref: number
  before: Kept | undefined
  after: Kept | undefined
}

export interface AccountIndex {
  rarity: Rarity
  /** Up to KEY_MAX + 1 of the leads that share a key: none where one has it alone and the index is not of all keys. */
  members(key: number): readonly number[]
  /** Keys that one lead has alone are in it as well. */
  hasAllKeys: boolean
  /** Takes up what became of leads; only an index of all keys can. */
  change(changes: Iterable<EntriesChange>): void
  /** Keys of leads, and terms. */
  size(): number
}

/** Leads of an account up to which its index has all keys: 300 bytes a lead. */
const ALL_KEYS_MAX = 200_000
/** Members of a key that are kept: one more than of keys that are not passed over. */
const MEMBERS_MAX = KEY_MAX + 1

/** `checkpoint` is awaited between the parts that are read. */
export async function readAccountIndex(
  store: MatchingStore,
  account: number,
  checkpoint: () => Promise<void>,
): Promise<AccountIndex> {
  const leads = await store.leadCount(account)
  const hasAllKeys = store.kept !== undefined && leads <= ALL_KEYS_MAX
  const least = hasAllKeys ? 1 : 2
  const keys = new HashRows()
  const terms = new HashRows()

  async function eachRow<T>(
    part: (after: number | undefined) => Promise<IndexPart<T>>,
    take: (row: T) => void,
  ): Promise<void> {
    for (let after: number | undefined; ; ) {
      const { rows, next } = await part(after)
      for (const row of rows) take(row)
      if (next === undefined) return
      after = next
      await checkpoint()
    }
  }
  await eachRow(
    (after) => store.sharedKeys(account, after, MEMBERS_MAX, least),
    ({ key, refs }) => {
      for (const ref of refs) keys.add(key, ref)
    },
  )
  await eachRow(
    (after) => store.sharedTerms(account, after, least),
    (row) => terms.add(row.term, row.leads),
  )
  return accountIndex(keys, terms, leads, hasAllKeys)
}

function accountIndex(keys: HashRows, terms: HashRows, leads: number, hasAllKeys: boolean): AccountIndex {
  function remove(ref: number, { probes, terms: all }: Kept): void {
    for (const term of all) terms.increase(term, -1)
    // Of a common key not all leads are kept, so that it stays common whichever of them are gone.
    for (const { key, isOwn } of probes)
      if (isOwn && keys.count(key, MEMBERS_MAX) < MEMBERS_MAX) keys.remove(key, ref)
  }

  function add(ref: number, { probes, terms: all }: Kept): void {
    for (const term of all) terms.increase(term, 1)
    for (const { key, isOwn } of probes)
      if (isOwn && keys.count(key, MEMBERS_MAX) < MEMBERS_MAX) keys.add(key, ref)
  }

  return {
    hasAllKeys,
    members: (key) => keys.values(key),
    // Whatever is asked for is in a lead: what is not kept is in that one alone.
    rarity: { leads, count: (term) => Math.max(1, terms.first(term) ?? 0) },
    change(changes) {
      for (const { ref, before, after } of changes) {
        if (before) remove(ref, before)
        if (after) add(ref, after)
      }
    },
    size: () => keys.length + terms.length,
  }
}
