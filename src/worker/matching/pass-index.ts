// The index of a pass over all leads of an account: read once, since lookups lead by lead take longer than
// comparing. Leads that change meanwhile are compared by themselves.
import { KEY_MAX, type Rarity } from "../../matching/index.ts"
import type { MatchingStore } from "../../store/contract/store.ts"

export interface PassIndex {
  rarity: Rarity
  /** The leads that share a key: none when too many do, or one has it alone and the index is not of all keys. */
  members(key: number): Float64Array
  /** Keys that one lead has alone are in it as well. */
  hasAllKeys: boolean
  /** Numbers that it keeps. */
  size: number
}

/** Leads of an account up to which its index has all keys: 200 bytes a lead. */
const ALL_KEYS_MAX = 200_000

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

/** `checkpoint` is awaited between the parts that are read. */
export async function readPassIndex(
  store: MatchingStore,
  account: number,
  checkpoint: () => Promise<void>,
): Promise<PassIndex> {
  const leads = await store.leadCount(account)
  const least = store.kept && leads <= ALL_KEYS_MAX ? 1 : 2
  const keys = integers()
  const begins = integers()
  const refs = new Numbers((length) => new Float64Array(length))
  for (let after: number | undefined; ; ) {
    const { rows, next } = await store.sharedKeys(account, after, KEY_MAX, least)
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
    const { rows, next } = await store.sharedTerms(account, after)
    for (const row of rows) {
      terms.push(row.term)
      counts.push(row.leads)
    }
    if (next === undefined) break
    after = next
    await checkpoint()
  }
  return lookup(
    { keys: keys.whole(), begins: begins.whole(), refs: refs.whole() },
    { terms: terms.whole(), counts: counts.whole(), leads },
    least === 1,
  )
}

function lookup(
  { keys, begins, refs }: { keys: Int32Array; begins: Int32Array; refs: Float64Array },
  { terms, counts, leads }: { terms: Int32Array; counts: Int32Array; leads: number },
  hasAllKeys: boolean,
): PassIndex {
  const none = new Float64Array(0)
  return {
    hasAllKeys,
    members(key) {
      const at = find(keys, key)
      return at < 0 ? none : refs.subarray(begins[at]!, begins[at + 1]!)
    },
    // Whatever is asked for is in a lead: what is not kept is in that one alone.
    rarity: {
      leads,
      count(term) {
        const at = find(terms, term)
        return at < 0 ? 1 : counts[at]!
      },
    },
    size: keys.length + begins.length + 2 * refs.length + terms.length + counts.length,
  }
}

/** Where a number stands among numbers that go up; -1 where it does not. */
function find(sorted: Int32Array, one: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = sorted[middle]!
    if (found === one) return middle
    if (found < one) low = middle + 1
    else high = middle - 1
  }
  return -1
}
