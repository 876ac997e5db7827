// Draws the hand-set weights towards labelled sets, each counting alike.
import { FEATURES, type Feature, type Weights, weightsFrom } from "../../src/matching/matcher/index.ts"
import { refit, type TrainingExample } from "../../src/matching/refit.ts"
import hand from "./hand-weights.json"
import type { Blocked } from "./measure.ts"

const HAND: Weights = weightsFrom(hand)
/** Pairs that are the same which one set counts for at most. */
const POSITIVES = 600
/**
 * Standard deviation around the hand-set bits. Three times as much fits the sets themselves better, by up to a percent,
 * and sets that it has not seen worse, by two and more: what they have in common is in the hand-set bits.
 */
const SPREAD = 0.2
/** What only tells one set from another is held near to what was set by hand, or let go a little further. */
const HELD: Record<string, number> = {
  all: 0.3,
  source: 0.05,
  "person.pairs": 0.25,
}
/** Sets differ in how many pairs are the same: what a set's own offset explains is not learned as a weight. */
const OFFSET_SPREAD = 0.3

function examplesOf({ pairs }: Blocked, set: number, sets: number): TrainingExample[] {
  const judged = pairs.filter(({ same, other }) => same + other > 0)
  const positives = judged.filter(({ same, other }) => same >= other).length
  const weight = Math.min(2, POSITIVES / Math.max(1, positives))
  return judged.map(({ values, same, other }) => {
    const own = new Float64Array(values.length + sets)
    own.set(values)
    own[values.length + set] = 1
    return { values: own, isSame: same >= other, weight }
  })
}

export function fit(blocked: readonly Blocked[], spread = SPREAD): Weights {
  const prior = new Float64Array(HAND.length + blocked.length)
  prior.set(HAND)
  const examples = blocked.flatMap((one, i) => examplesOf(one, i, blocked.length))
  const fitted = refit(prior, examples, (feature) => {
    const name: Feature | undefined = FEATURES[feature]
    if (name === undefined) return OFFSET_SPREAD
    return HELD[name] ?? HELD[name.slice(0, name.indexOf("."))] ?? spread
  })
  return fitted.slice(0, HAND.length)
}
