import { type Evidence, valuesOf } from "./compare.ts"
import { FEATURES } from "./levels.ts"
import { refit } from "./refit.ts"
import { SHIPPED, type Weights } from "./weights.ts"

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
/** Pairs are decided that were shown: how many of those are the same says little of how many of all are. */
const OFFSET_SPREAD = SPREAD / 2

/** An account's weights after its own decisions, the latest last. Takes milliseconds for a hundred decisions. */
export function learn(decisions: readonly Decision[], shipped: Weights = SHIPPED): Weights {
  if (decisions.length < DECISIONS_MIN) return shipped
  const examples = decisions
    .slice(-DECISIONS_MAX)
    .map(({ evidence, isSame }) => ({ values: valuesOf(evidence), isSame }))
  return refit(shipped, examples, (feature) => (FEATURES[feature] === "all.pairs" ? OFFSET_SPREAD : SPREAD))
}
