import { FEATURES } from "../levels.ts"
import { refit, type TrainingExample } from "../refit.ts"
import { bitsSum, probabilityOf, SHIPPED, type Weights } from "../weights.ts"
import { type Evidence, valuesOf } from "./compare.ts"

export interface Decision {
  evidence: Evidence
  /** True for a merge, false for "not the same". */
  isSame: boolean
}

/** Decisions below which an account's weights stay the shipped ones. */
export const DECISIONS_MIN = 20
/** The latest decisions that are looked at. */
export const DECISIONS_MAX = 2_000
/** Standard deviation in bits around the shipped weights: strong, so that a few odd decisions turn nothing over. */
const SPREAD = 0.6
/** Features that most pairs have, persons theirs: they say how many pairs are the same, which is not to be learned. */
const OFFSETS: ReadonlySet<string> = new Set(["all.pairs", "person.pairs"])
const OFFSET_SPREAD = 0.1
/**
 * Pairs are decided that were shown: how many of those are the same says little of how many of all are. It is a weight of
 * its own, once there are some of both kinds, which else would pull at all features.
 */
const SHOWN_SPREAD = 2
const SHOWN_LEAST = 5

export interface Lesson {
  /** The shipped ones, unless what was learned explains decisions better that it was not learned from. */
  weights: Weights
  /** Mean bits by which a decision surprises weights that the others taught, and the shipped ones; null for too few. */
  loss: { decisions: number; shipped: number; learned: number } | null
}

/** An account's weights after its own decisions, the latest last. */
export function learn(decisions: readonly Decision[], shipped: Weights = SHIPPED): Weights {
  return lessonOf(decisions, shipped).weights
}

/** What an account's decisions teach, the latest last. Takes milliseconds for a hundred decisions. */
export function lessonOf(decisions: readonly Decision[], shipped: Weights = SHIPPED): Lesson {
  if (decisions.length < DECISIONS_MIN) return { weights: shipped, loss: null }
  const examples = decisions
    .slice(-DECISIONS_MAX)
    .map(({ evidence, isSame }) => ({ values: valuesOf(evidence), isSame }))
  const [before, after] = losses(examples, shipped)
  const mean = (bits: number) => Math.round((bits / examples.length) * 10_000) / 10_000
  return {
    weights: after < before * (1 - GAIN) ? fitted(examples, shipped) : shipped,
    loss: { decisions: examples.length, shipped: mean(before), learned: mean(after) },
  }
}

function fitted(examples: readonly TrainingExample[], shipped: Weights): Weights {
  // The weight of having been shown is not kept.
  const n = shipped.length
  const prior = new Float64Array(n + 1)
  prior.set(shipped)
  const rows = examples.map(({ values, isSame }) => {
    const more = new Float64Array(n + 1)
    more.set(values)
    more[n] = 1
    return { values: more, isSame }
  })
  const same = examples.filter(({ isSame }) => isSame).length
  const isMixed = Math.min(same, examples.length - same) >= SHOWN_LEAST
  const shown = isMixed ? SHOWN_SPREAD : OFFSET_SPREAD
  return refit(prior, rows, (feature) => (feature === n ? shown : spreadOf(feature))).slice(0, n)
}

function spreadOf(feature: number): number {
  return OFFSETS.has(FEATURES[feature]!) ? OFFSET_SPREAD : SPREAD
}

/** Parts into which decisions are split, each judged by what the others teach. */
const FOLDS = 5
/** The least part of the loss that learning has to save: less may be chance. */
const GAIN = 0.02

/** The bits by which decisions surprise the shipped weights, and those that the other parts' decisions teach. */
function losses(examples: readonly TrainingExample[], shipped: Weights): [before: number, after: number] {
  let [before, after] = [0, 0]
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fitted(
      examples.filter((_, i) => i % FOLDS !== fold),
      shipped,
    )
    for (let i = fold; i < examples.length; i += FOLDS) {
      before += lossOf(examples[i]!, shipped)
      after += lossOf(examples[i]!, weights)
    }
  }
  return [before, after]
}

/** Bits by which a decision surprises. */
function lossOf({ values, isSame }: TrainingExample, weights: Weights): number {
  const probability = probabilityOf(bitsSum(values, weights))
  return -Math.log2(Math.max(1e-6, isSame ? probability : 1 - probability))
}
