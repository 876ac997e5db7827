// The keys and terms of all leads of an account in memory: read once where many leads are compared, since lookups lead by
// lead take longer than comparing, and kept up to date while leads come.
import { KEY_MAX, type Rarity } from "../../matching/matcher/index.ts"
import type { MatchEntries, MatchingStore } from "../../store/contract/store.ts"

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
  members(key: number): ArrayLike<number> & Iterable<number>
  /** Keys that one lead has alone are in it as well. */
  hasAllKeys: boolean
  /** Takes up what became of leads; only an index of all keys can. */
  change(changes: Iterable<EntriesChange>): void
  /** Numbers that it keeps. */
  size(): number
}

/** Leads of an account up to which its index has all keys: 250 bytes a lead. */
const ALL_KEYS_MAX = 200_000
/** Members of a key that are kept: one more than of keys that are not passed over. */
const MEMBERS_MAX = KEY_MAX + 1
/** Changes that are kept aside at least before they are merged in, and their share of all. */
const ASIDE = 20_000
const ASIDE_SHARE = 0.25

/** Keys or terms in their order. Of a key, `begins` has where its leads begin. */
interface Keys {
  keys: Hashes
  begins: Int32Array
  refs: Refs
}
interface Terms {
  terms: Hashes
  counts: Int32Array
}
/** Half the bytes for handles that fit. */
type Refs = Uint32Array | Float64Array

const narrow = (refs: Float64Array): Refs =>
  refs.every((ref) => ref < 2 ** 32) ? Uint32Array.from(refs) : refs

const NONE = new Uint32Array(0)

/** Grows as it is filled. */
class Numbers<T extends Float64Array | Int32Array> {
  #all: T
  length = 0
  readonly #make: (length: number) => T

  constructor(make: (length: number) => T) {
    this.#make = make
    this.#all = make(1024)
  }

  push(one: number): void {
    if (this.length === this.#all.length) {
      const more = this.#make(2 * this.length)
      more.set(this.#all)
      this.#all = more
    }
    this.#all[this.length++] = one
  }

  whole(): T {
    return this.#all.slice(0, this.length) as T
  }
}

const integers = () => new Numbers((length) => new Int32Array(length))
const handles = () => new Numbers((length) => new Float64Array(length))

/** `checkpoint` is awaited between the parts that are read. */
export async function readAccountIndex(
  store: MatchingStore,
  account: number,
  checkpoint: () => Promise<void>,
): Promise<AccountIndex> {
  const leads = await store.leadCount(account)
  const hasAllKeys = store.kept !== undefined && leads <= ALL_KEYS_MAX
  const least = hasAllKeys ? 1 : 2
  const keys = integers()
  const begins = integers()
  const refs = handles()
  for (let after: number | undefined; ; ) {
    const { rows, next } = await store.sharedKeys(account, after, MEMBERS_MAX, least)
    for (const row of rows) {
      keys.push(row.key)
      begins.push(refs.length)
      for (const ref of row.refs) refs.push(ref)
    }
    if (next === undefined) break
    after = next
    await checkpoint()
  }
  begins.push(refs.length)
  const terms = integers()
  const counts = integers()
  for (let after: number | undefined; ; ) {
    const { rows, next } = await store.sharedTerms(account, after, least)
    for (const row of rows) {
      terms.push(row.term)
      counts.push(row.leads)
    }
    if (next === undefined) break
    after = next
    await checkpoint()
  }
  return accountIndex(
    { keys: new Hashes(keys.whole()), begins: begins.whole(), refs: narrow(refs.whole()) },
    { terms: new Hashes(terms.whole()), counts: counts.whole() },
    leads,
    hasAllKeys,
  )
}

function accountIndex(allKeys: Keys, allTerms: Terms, leads: number, hasAllKeys: boolean): AccountIndex {
  let [keys, terms] = [allKeys, allTerms]
  /** What came since: leads by key, and by how much counts have changed. */
  const added = new Map<number, number[]>()
  const moved = new Map<number, number>()
  /** Leads whose keys in `keys` are not theirs any more. */
  const gone = new Set<number>()
  /** Keys that were added. */
  let changed = 0

  function among(key: number): Refs {
    const at = keys.keys.find(key)
    return at < 0 ? NONE : keys.refs.subarray(keys.begins[at]!, keys.begins[at + 1]!)
  }

  function members(key: number): Refs | number[] {
    const before = among(key)
    const since = added.get(key)
    // Of a common key not all leads are kept, so that it stays common whichever of them are gone.
    if (before.length === MEMBERS_MAX || (!since && (gone.size === 0 || before.length === 0))) return before
    const all = since ? [...since] : []
    for (const ref of before) if (!gone.has(ref) && all.length < MEMBERS_MAX) all.push(ref)
    return all
  }

  function count(all: readonly number[], by: 1 | -1): void {
    for (const term of all) moved.set(term, (moved.get(term) ?? 0) + by)
  }

  function remove(ref: number, { probes, terms: all }: Kept): void {
    gone.add(ref)
    count(all, -1)
    for (const { key, isOwn } of probes) {
      const refs = isOwn ? added.get(key) : undefined
      if (refs === undefined || refs.length === MEMBERS_MAX) continue
      const at = refs.indexOf(ref)
      if (at >= 0) refs.splice(at, 1)
    }
  }

  function add(ref: number, { probes, terms: all }: Kept): void {
    count(all, 1)
    for (const { key, isOwn } of probes) {
      if (!isOwn) continue
      const refs = added.getOrInsertComputed(key, () => [])
      if (refs.length < MEMBERS_MAX) refs.push(ref)
      changed++
    }
  }

  function merge(): void {
    keys = mergedKeys(keys, added, members)
    terms = mergedTerms(terms, moved)
    added.clear()
    moved.clear()
    gone.clear()
    changed = 0
  }

  return {
    hasAllKeys,
    members,
    // Whatever is asked for is in a lead: what is not kept is in that one alone.
    rarity: {
      leads,
      count(term) {
        const at = terms.terms.find(term)
        return Math.max(1, (at < 0 ? 0 : terms.counts[at]!) + (moved.get(term) ?? 0))
      },
    },
    change(changes) {
      for (const { ref, before, after } of changes) {
        if (before) remove(ref, before)
        if (after) add(ref, after)
      }
      if (changed > Math.max(ASIDE, ASIDE_SHARE * keys.refs.length)) merge()
    },
    size: () => 2 * keys.begins.length + keys.refs.length + 2 * terms.counts.length + 8 * changed,
  }
}

function mergedKeys(
  { keys }: Keys,
  added: ReadonlyMap<number, readonly number[]>,
  members: (key: number) => ArrayLike<number>,
): Keys {
  const all = union(keys.all, added)
  const begins = new Int32Array(all.length + 1)
  const refs = handles()
  for (let i = 0; i < all.length; i++) {
    begins[i] = refs.length
    const shared = members(all[i]!)
    for (let k = 0; k < shared.length; k++) refs.push(shared[k]!)
  }
  begins[all.length] = refs.length
  return { keys: new Hashes(all), begins, refs: narrow(refs.whole()) }
}

function mergedTerms({ terms, counts }: Terms, moved: ReadonlyMap<number, number>): Terms {
  const all = union(terms.all, moved)
  const sums = new Int32Array(all.length)
  for (let i = 0, at = 0; i < all.length; i++) {
    const term = all[i]!
    const before = terms.all[at] === term ? counts[at++]! : 0
    sums[i] = before + (moved.get(term) ?? 0)
  }
  return { terms: new Hashes(all), counts: sums }
}

/** Numbers that go up, with those of a map among them. */
function union(sorted: Int32Array, more: ReadonlyMap<number, unknown>): Int32Array {
  const others = Int32Array.from(more.keys()).sort()
  const all = new Int32Array(sorted.length + others.length)
  let length = 0
  for (let i = 0, j = 0; i < sorted.length || j < others.length; ) {
    const left = i < sorted.length ? sorted[i]! : Number.POSITIVE_INFINITY
    const right = j < others.length ? others[j]! : Number.POSITIVE_INFINITY
    all[length++] = Math.min(left, right)
    if (left <= right) i++
    if (right <= left) j++
  }
  return all.slice(0, length)
}

/** Hashes in their order, which are spread evenly. */
class Hashes {
  readonly all: Int32Array
  /** Where hashes begin that have the same upper bits. */
  readonly #begins: Int32Array
  readonly #shift: number

  constructor(sorted: Int32Array) {
    this.all = sorted
    const bits = Math.max(1, Math.floor(Math.log2(1 + sorted.length / 4)))
    this.#shift = 32 - bits
    this.#begins = new Int32Array(2 ** bits + 1)
    for (const one of sorted) this.#begins[this.#upper(one) + 1]!++
    for (let i = 1; i < this.#begins.length; i++) this.#begins[i]! += this.#begins[i - 1]!
  }

  /** With the sign turned, the order is that of unsigned numbers. */
  #upper(one: number): number {
    return (one ^ 0x80000000) >>> this.#shift
  }

  /** Where a hash stands; -1 where it does not. */
  find(one: number): number {
    const upper = this.#upper(one)
    const end = this.#begins[upper + 1]!
    for (let at = this.#begins[upper]!; at < end; at++) if (this.all[at] === one) return at
    return -1
  }
}
