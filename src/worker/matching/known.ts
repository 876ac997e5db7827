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
  /** Sees to it that the rows of leads are kept, of those that have one. */
  readRows(store: KeptEntries, account: number, refs: readonly number[]): void
  rowOf: RowCache["rowOf"]
  /** Terms whose counts have moved. */
  moved(account: number, terms: readonly number[]): void
  clear(): void
}

/** A lead that cannot be prepared is as good as one that says nothing. */
export function createKnownLeads(store: MatchingStore, onError: (error: unknown) => void): KnownLeads {
  const leadsByRef = new Map<number, Known>()
  const counts = new Map<number, Map<number, number>>()
  const rows = createRowCache()
  let counted = 0

  async function get(account: number, refs: readonly number[]): Promise<Map<number, Prepared>> {
    const leads = new Map<number, Prepared>()
    const missing: number[] = []
    for (const ref of refs) {
      const one = leadsByRef.get(ref)
      if (one?.account === account) {
        leadsByRef.delete(ref)
        leadsByRef.set(ref, one)
        leads.set(ref, one.lead)
      } else missing.push(ref)
    }
    if (missing.length === 0) return leads
    for (const { ref, lead } of await store.leads(account, missing)) {
      const ready = prepared(lead, onError)
      if (!ready) continue
      leadsByRef.set(ref, { account, lead: ready })
      leads.set(ref, ready)
    }
    for (const ref of leadsByRef.keys()) {
      if (leadsByRef.size <= LEADS_MAX) break
      leadsByRef.delete(ref)
    }
    return leads
  }

  function countsOf(account: number): Map<number, number> {
    if (counted > COUNTS_MAX) {
      counts.clear()
      counted = 0
    }
    return counts.getOrInsertComputed(account, () => new Map<number, number>())
  }

  function keptRarity(entryReads: KeptEntries, account: number, leads: number): Rarity {
    const ofAccount = countsOf(account)
    return {
      leads,
      count(term) {
        let count = ofAccount.get(term)
        if (count !== undefined) return count
        count = entryReads.count(account, term)
        ofAccount.set(term, count)
        counted++
        return count
      },
    }
  }

  async function rarityOf(account: number, leads: number, terms: Iterable<number>): Promise<Rarity> {
    const ofAccount = countsOf(account)
    const missing = [...new Set(terms)].filter((term) => !ofAccount.has(term))
    if (missing.length > 0) {
      const numbers = await store.counts(account, missing)
      for (const term of missing) ofAccount.set(term, numbers.get(term) ?? 0)
      counted += missing.length
    }
    return { leads, count: (term) => ofAccount.get(term) ?? 0 }
  }

  function readRows(entryReads: KeptEntries, account: number, refs: readonly number[]): void {
    rows.reserve(refs.length)
    const missing = refs.filter((ref) => !rows.has(ref))
    if (missing.length === 0) return
    for (const [i, row] of entryReads.rows(account, missing).entries()) if (row) rows.keep(missing[i]!, row)
  }

  return {
    forget(ref) {
      leadsByRef.delete(ref)
      rows.forget(ref)
    },
    get,
    rarityOf,
    keptRarity,
    readRows,
    rowOf: rows.rowOf,
    moved(account, terms) {
      const ofAccount = counts.get(account)
      for (const term of terms) ofAccount?.delete(term)
    },
    clear() {
      leadsByRef.clear()
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
