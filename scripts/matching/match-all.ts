// All of matching in memory: the reference for a store.
import {
  Candidates,
  KEY_MAX,
  keysOf,
  type MatchableLead,
  type Prepared,
  prepare,
  probesOf,
  type Rarity,
  SHIPPED,
  score,
  termsOf,
  type Weights,
} from "../../src/matching/matcher/index.ts"

/** Counts in memory. */
export class Counts implements Rarity {
  leads = 0
  readonly #counts = new Map<number, number>()

  count(term: number): number {
    return this.#counts.get(term) ?? 0
  }

  /** Counts a lead in (`by` 1) or out again (-1). */
  add(terms: Iterable<number>, by: 1 | -1 = 1): void {
    this.leads += by
    for (const term of terms) {
      const count = this.count(term) + by
      if (count > 0) this.#counts.set(term, count)
      else this.#counts.delete(term)
    }
  }
}

export interface Pair {
  a: number
  b: number
  probability: number
}

/** All leads of an account in memory with their keys and counts, as a store keeps them. */
export class Index {
  readonly counts = new Counts()
  readonly prepared: Prepared[] = []
  readonly #byKey = new Map<number, number[]>()
  keys = 0

  add(lead: MatchableLead): number {
    const prepared = prepare(lead)
    const at = this.prepared.push(prepared) - 1
    this.counts.add(termsOf(prepared))
    for (const key of keysOf(prepared)) {
      this.keys++
      const members = this.#byKey.getOrInsertComputed(key, () => [])
      // One more than is ever read tells that a key is too common.
      if (members.length <= KEY_MAX) members.push(at)
    }
    return at
  }

  /** The leads worth comparing with one, most promising first. */
  candidates(at: number): number[] {
    const found = new Candidates(at)
    for (const probe of probesOf(this.prepared[at]!)) found.add(probe, this.#byKey.get(probe.key) ?? [])
    return found.best()
  }

  /** Every pair that is compared, once. */
  *pairs(): Generator<[number, number]> {
    const seen = new Set<number>()
    for (let a = 0; a < this.prepared.length; a++) {
      for (const b of this.candidates(a)) {
        const id = Math.min(a, b) * this.prepared.length + Math.max(a, b)
        if (seen.has(id)) continue
        seen.add(id)
        yield a < b ? [a, b] : [b, a]
      }
    }
  }
}

/** The pairs among leads that are the same with at least `least`, most probable first. */
export function matchAll(leads: readonly MatchableLead[], weights: Weights = SHIPPED, least = 0.5): Pair[] {
  const index = new Index()
  for (const lead of leads) index.add(lead)
  const out: Pair[] = []
  for (const [a, b] of index.pairs()) {
    const probability = score(index.prepared[a]!, index.prepared[b]!, index.counts, weights)
    if (probability >= least) out.push({ a, b, probability })
  }
  return out.sort((x, y) => y.probability - x.probability || x.a - y.a || x.b - y.b)
}
