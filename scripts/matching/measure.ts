// What a data set says about weights.
import { features } from "../../src/matching/compare/features.ts"
import { FEATURES, probabilityFrom, SHIPPED, type Weights } from "../../src/matching/matcher/index.ts"
import { Index } from "./match-all.ts"
import { type LabelledSet, type Pushed, pushAll } from "./sets.ts"

/** The pairs of a set that blocking gives, once, with what is to be said of them. */
export interface Blocked {
  set: LabelledSet
  pushed: Pushed
  index: Index
  pairs: BlockedPair[]
}

export interface BlockedPair {
  a: number
  b: number
  values: Float64Array
  /** Pairs of their records that are the same, and that are not; both 0 where nobody judged. */
  same: number
  other: number
}

export function block(set: LabelledSet): Blocked {
  const pushed = pushAll(set.records)
  const index = new Index()
  for (const lead of pushed.leads) index.add(lead)
  const pairs: Blocked["pairs"] = []
  for (const [a, b] of index.pairs()) {
    const values = features(
      index.prepared[a]!,
      index.prepared[b]!,
      index.counts,
      new Float64Array(FEATURES.length),
    )
    let same = 0
    let other = 0
    for (const left of pushed.members[a]!)
      for (const right of pushed.members[b]!) {
        const truth = set.truth(left, right)
        if (truth) same++
        else if (truth === false) other++
      }
    pairs.push({ a, b, values, same, other })
  }
  return { set, pushed, index, pairs }
}

export interface Figures {
  precision: number
  recall: number
  f1: number
  /** Share of true pairs that were merged or blocked. */
  blocking: number
  candidates: number
  keys: number
  /** Of the pairs at .95 and more those that are right, and how many there are. */
  sure: number
  sureCount: number
}

interface Known {
  /** Pairs of which it is known what they are. */
  decided?: ReadonlySet<BlockedPair>
  /** Pairs that are not looked at. */
  without?: ReadonlySet<BlockedPair>
}

const NONE: ReadonlySet<BlockedPair> = new Set()

/** By pairs of records, as everything is measured. */
export function figures(
  { set, pushed, index, pairs }: Blocked,
  weights: Weights = SHIPPED,
  { decided = NONE, without = NONE }: Known = {},
): Figures {
  let right = 0
  let wrong = 0
  let left = 0
  for (const all of pushed.members)
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1)) {
        const truth = set.truth(a, b)
        if (truth) right++
        else if (truth === false) wrong++
      }
  let blocked = right
  let sureRight = 0
  let sureWrong = 0
  for (const pair of pairs) {
    const { values, same, other } = pair
    if (without.has(pair)) {
      left += same
      continue
    }
    blocked += same
    const probability = probabilityFrom(values, weights)
    if (decided.has(pair) ? same >= other : probability >= 0.5) {
      right += same
      wrong += other
    }
    if (probability >= 0.95 && same + other > 0) {
      if (same >= other) sureRight++
      else sureWrong++
    }
  }
  const precision = right / Math.max(1, right + wrong)
  const recall = right / (set.truePairs.length - left)
  return {
    precision,
    recall,
    f1: (2 * precision * recall) / Math.max(1e-9, precision + recall),
    blocking: blocked / set.truePairs.length,
    candidates: pairs.length / pushed.leads.length,
    keys: index.keys / pushed.leads.length,
    sure: sureRight / Math.max(1, sureRight + sureWrong),
    sureCount: sureRight + sureWrong,
  }
}

const percent = (n: number) => (100 * n).toFixed(1).padStart(6)

export function line(name: string, of: Figures): string {
  return `${name.padEnd(18)} P ${percent(of.precision)} R ${percent(of.recall)} F1 ${percent(of.f1)}  blocking ${percent(of.blocking)}  candidates ${of.candidates.toFixed(1).padStart(5)}  keys ${of.keys.toFixed(1)}  sure ${percent(of.sure)} of ${of.sureCount}`
}
