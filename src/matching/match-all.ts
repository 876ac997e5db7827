import { CandidateWeights } from "./candidates.ts"
import { score } from "./compare.ts"
import { KEY_MAX, keysOf, probesOf } from "./keys.ts"
import { type MatchableLead, type Prepared, prepareLead, termsOf } from "./prepare.ts"
import { Counts } from "./rarity.ts"
import { SHIPPED, type Weights } from "./weights.ts"

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
    const prepared = prepareLead(lead)
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
    const found = new CandidateWeights(at)
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
