// The matcher's caches: leads that are ready to be compared, and how common their words are.
import { type Prepared, prepare, type Rarity } from "../../matching/matcher/index.ts"
import type { KeptEntries, MatchedLead, MatchingStore } from "../../store/contract/store.ts"
import { createRowCache, type RowCache } from "./row-cache.ts"

/** A ready lead takes 2 to 4 KB, a count 50 bytes. */
const LEADS_MAX = 1_500
const COUNTS_MAX = 100_000

interface Known {
  account: number
  lead: Prepared
}

export interface KnownLeads {
  /** A lead is another now, or gone. */
  forget(ref: number): void
  /** Leads by their handles, those that are there. */
  get(account: number, refs: readonly number[]): Promise<Map<number, Prepared>>
  /** How common these terms are. */
  rarityOf(account: number, leads: number, terms: Iterable<number>): Promise<Rarity>
  /** How common terms are, each looked up where it is asked for. */
  keptRarity(store: KeptEntries, account: number, leads: number): Rarity
  /** Sees to it that the rows of leads are in `rows`, of those that have one. */
  readRows(store: KeptEntries, account: number, refs: readonly number[]): void
  rows: Pick<RowCache, "placeOf" | "pieceOf" | "beginOf">
  /** Terms whose counts have moved. */
  moved(account: number, terms: readonly number[]): void
  clear(): void
}

/** A lead that cannot be prepared is as good as one that says nothing. */
export function createKnownLeads(store: MatchingStore, onError: (error: unknown) => void): KnownLeads {
  const known = new Map<number, Known>()
  const counts = new Map<number, Map<number, number>>()
  const rows = createRowCache()
  let counted = 0

  async function get(account: number, refs: readonly number[]): Promise<Map<number, Prepared>> {
    const found = new Map<number, Prepared>()
    const missing: number[] = []
    for (const ref of refs) {
      const one = known.get(ref)
      if (one?.account === account) {
        known.delete(ref)
        known.set(ref, one)
        found.set(ref, one.lead)
      } else missing.push(ref)
    }
    if (missing.length === 0) return found
    for (const { ref, lead } of await store.leads(account, missing)) {
      const ready = prepared(lead, onError)
      if (!ready) continue
      known.set(ref, { account, lead: ready })
      found.set(ref, ready)
    }
    for (const ref of known.keys()) {
      if (known.size <= LEADS_MAX) break
      known.delete(ref)
    }
    return found
  }

  function countsOf(account: number): Map<number, number> {
    if (counted > COUNTS_MAX) {
      counts.clear()
      counted = 0
    }
    return counts.getOrInsertComputed(account, () => new Map<number, number>())
  }

  function keptRarity(kept: KeptEntries, account: number, leads: number): Rarity {
    const own = countsOf(account)
    return {
      leads,
      count(term) {
        let count = own.get(term)
        if (count !== undefined) return count
        count = kept.count(account, term)
        own.set(term, count)
        counted++
        return count
      },
    }
  }

  async function rarityOf(account: number, leads: number, terms: Iterable<number>): Promise<Rarity> {
    const own = countsOf(account)
    const missing = [...new Set(terms)].filter((term) => !own.has(term))
    if (missing.length > 0) {
      const found = await store.counts(account, missing)
      for (const term of missing) own.set(term, found.get(term) ?? 0)
      counted += missing.length
    }
    return { leads, count: (term) => own.get(term) ?? 0 }
  }

  function readRows(kept: KeptEntries, account: number, refs: readonly number[]): void {
    rows.reserve(refs.length)
    const missing = refs.filter((ref) => rows.placeOf(ref) === undefined)
    if (missing.length === 0) return
    for (const [i, row] of kept.rows(account, missing).entries()) if (row) rows.keep(missing[i]!, row)
  }

  return {
    forget(ref) {
      known.delete(ref)
      rows.forget(ref)
    },
    get,
    rarityOf,
    keptRarity,
    readRows,
    rows,
    moved(account, terms) {
      const own = counts.get(account)
      for (const term of terms) own?.delete(term)
    },
    clear() {
      known.clear()
      counts.clear()
      counted = 0
      rows.clear()
    },
  }
}

/** Undefined where that fails, which must not keep all others waiting. */
export function prepared(lead: MatchedLead, onError: (error: unknown) => void): Prepared | undefined {
  try {
    return prepare(lead)
  } catch (error) {
    onError(error)
    return undefined
  }
}
