// The keys and terms of all leads of an account in memory: read once where many leads are compared, since lookups lead by
// lead take longer than comparing, and kept up to date while leads come.
import { KEY_MAX, type Rarity } from "../../matching/matcher/index.ts"
import type { IndexPart } from "../../store/contract/matching.ts"
import type { MatchEntries, MatchingStore } from "../../store/contract/store.ts"

// Rows of a hash and a number, found by the hash, in a few large arrays: a Map of arrays takes six times as much.

/** How much more room is made when the rows fill it, and rows of a chain at most on average. */
const GROWTH = 1.25
const CHAIN = 2

/** Hashes have 32 bits, signed, and are spread evenly: rows whose upper bits are equal form a chain. */
class HashRows {
  /** The first row of each chain, and the next one of each row; -1 for none. */
  #heads = new Int32Array(1_024).fill(-1)
  #next = new Int32Array(1_024)
  #hashes = new Int32Array(1_024)
  /** Half the bytes for numbers that fit. */
  #numbers: Uint32Array | Float64Array = new Uint32Array(1_024)
  #end = 0
  /** The first row that was removed: others take its place. */
  #free = -1
  length = 0

  add(hash: number, number: number): void {
    if (this.#free < 0 && this.#end === this.#next.length) this.#grow()
    if (number >= 2 ** 32 && this.#numbers instanceof Uint32Array)
      this.#numbers = Float64Array.from(this.#numbers)
    const row = this.#free < 0 ? this.#end++ : this.#free
    if (row === this.#free) this.#free = this.#next[row]!
    this.#hashes[row] = hash
    this.#numbers[row] = number
    this.#link(row)
    this.length++
  }

  remove(hash: number, number: number): void {
    const chain = this.#chainOf(hash)
    for (let row = this.#heads[chain]!, before = -1; row >= 0; before = row, row = this.#next[row]!) {
      if (this.#hashes[row] !== hash || this.#numbers[row] !== number) continue
      if (before < 0) this.#heads[chain] = this.#next[row]!
      else this.#next[before] = this.#next[row]!
      this.#next[row] = this.#free
      this.#free = row
      this.length--
      return
    }
  }

  values(hash: number): number[] {
    const all: number[] = []
    for (let row = this.#find(hash); row >= 0; row = this.#find(hash, row)) all.push(this.#numbers[row]!)
    return all
  }

  first(hash: number): number | undefined {
    const row = this.#find(hash)
    return row < 0 ? undefined : this.#numbers[row]
  }

  /** Rows of a hash, counted up to `most`. */
  count(hash: number, most: number): number {
    let count = 0
    for (let row = this.#find(hash); row >= 0 && count < most; row = this.#find(hash, row)) count++
    return count
  }

  /** Adds to the number of a hash that has one row at most; one that comes to 0 is kept. */
  increase(hash: number, by: number): void {
    const row = this.#find(hash)
    if (row >= 0) this.#numbers[row] = Math.max(0, this.#numbers[row]! + by)
    else if (by > 0) this.add(hash, by)
  }

  /** The first row of a hash, or the next one behind a row; -1 for none. */
  #find(hash: number, behind?: number): number {
    let row = behind === undefined ? this.#heads[this.#chainOf(hash)]! : this.#next[behind]!
    while (row >= 0 && this.#hashes[row] !== hash) row = this.#next[row]!
    return row
  }

  #chainOf(hash: number): number {
    return hash >>> (Math.clz32(this.#heads.length) + 1)
  }

  #link(row: number): void {
    const chain = this.#chainOf(this.#hashes[row]!)
    this.#next[row] = this.#heads[chain]!
    this.#heads[chain] = row
  }

  /** Called where no row is free. */
  #grow(): void {
    const size = Math.ceil(this.#end * GROWTH)
    this.#hashes = grown(this.#hashes, new Int32Array(size))
    this.#next = grown(this.#next, new Int32Array(size))
    this.#numbers =
      this.#numbers instanceof Uint32Array
        ? grown(this.#numbers, new Uint32Array(size))
        : grown(this.#numbers, new Float64Array(size))
    if (this.#end <= CHAIN * this.#heads.length) return
    this.#heads = new Int32Array(2 * this.#heads.length).fill(-1)
    for (let row = 0; row < this.#end; row++) this.#link(row)
  }
}

function grown<T extends Int32Array | Uint32Array | Float64Array>(all: T, into: T): T {
  into.set(all)
  return into
}

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
