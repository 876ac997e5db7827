// The matcher's caches: leads that are ready to be compared, and how common their words are.
import { type Prepared, prepare, type Rarity, ROW_MAX } from "../../matching/matcher/index.ts"
import type { KeptEntries, MatchedLead, MatchingStore } from "../../store/contract/store.ts"

// Rows of leads in large pieces of memory: an array each would take half as much again.

/** Integers of a piece: 1 MB. */
const PIECE = 2 ** 18
const PIECES_MAX = 32

interface RowCache {
  has(ref: number): boolean
  /** The row, with whatever follows it in its piece. */
  rowOf(ref: number): Int32Array | undefined
  /** Makes room for so many rows, in place of the oldest ones once all pieces are full. */
  reserve(rows: number): void
  /** Keeps a row; none is dropped for it where room was made. */
  keep(ref: number, row: Int32Array): void
  forget(ref: number): void
  clear(): void
}

function createRowCache(): RowCache {
  /** The number of its piece times PIECE, and its beginning there. */
  const places = new Map<number, number>()
  const pieces = new Map<number, Int32Array>()
  let [newest, used] = [-1, PIECE]

  function begin(): void {
    newest++
    used = 0
    const oldest = newest - PIECES_MAX
    const piece = pieces.get(oldest) ?? new Int32Array(PIECE)
    pieces.delete(oldest)
    pieces.set(newest, piece)
    // In the order in which they were kept.
    for (const [ref, place] of places) {
      if (place >= (oldest + 1) * PIECE) break
      places.delete(ref)
    }
  }

  return {
    has: (ref) => places.has(ref),
    rowOf(ref) {
      const place = places.get(ref)
      return place === undefined ? undefined : pieces.get(Math.trunc(place / PIECE))!.subarray(place % PIECE)
    },
    reserve(rows) {
      if (used + Math.min(rows * ROW_MAX, PIECE) > PIECE) begin()
    },
    keep(ref, row) {
      if (used + row.length > PIECE) begin()
      pieces.get(newest)!.set(row, used)
      places.delete(ref)
      places.set(ref, newest * PIECE + used)
      used += row.length
    },
    forget: (ref) => void places.delete(ref),
    clear() {
      places.clear()
      pieces.clear()
      used = PIECE
    },
  }
}

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
