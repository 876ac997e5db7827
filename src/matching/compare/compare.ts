import { FEATURES, type Feature } from "../levels.ts"
import type { Prepared } from "../prepare.ts"
import { probabilityFrom } from "../probability.ts"
import type { TermRarity } from "../rarity.ts"
import { SHIPPED, type Weights } from "../weights.ts"
import { features } from "./features.ts"
import { type Reason, reasonsFor } from "./reasons.ts"

/** Features of a pair that are not 0. Stored as JSON, they outlive the leads and later versions. */
export type Evidence = Partial<Record<Feature, number>>

export interface Comparison {
  /** 0 to 1. */
  probability: number
  /** The most telling first. */
  reasons: Reason[]
  evidence: Evidence
}

const scratch = new Float64Array(FEATURES.length)

/** The probability, 0 to 1, that two leads are the same. */
export function score(a: Prepared, b: Prepared, rarity: TermRarity, weights: Weights = SHIPPED): number {
  return probabilityFrom(features(a, b, rarity, scratch), weights)
}

/**
 * As `score`, with what speaks for and against it. All bits sum up to the log-odds, unless they come to more than 90 % and
 * something speaks against that; reasons of less than a quarter of a bit are left out.
 */
export function compare(
  a: Prepared,
  b: Prepared,
  rarity: TermRarity,
  weights: Weights = SHIPPED,
): Comparison {
  const values = features(a, b, rarity, scratch)
  const evidence: Evidence = {}
  for (const [i, name] of FEATURES.entries())
    if (values[i] !== 0) evidence[name] = Math.round(values[i]! * 1_000) / 1_000
  return {
    probability: probabilityFrom(values, weights),
    reasons: reasonsFor(a, b, values, weights, rarity),
    evidence,
  }
}

export function valuesOf(evidence: Evidence): Float64Array {
  return Float64Array.from(FEATURES, (name) => evidence[name] ?? 0)
}
