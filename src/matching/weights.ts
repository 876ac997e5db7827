import shipped from "./data/weights.json"
import { FEATURES, type Feature } from "./levels.ts"

/** Bits (log2 of odds) for each feature, in the order of FEATURES. */
export type Weights = Float64Array

export function weightsFrom(table: Partial<Record<Feature, number>>): Weights {
  return Float64Array.from(FEATURES, (name) => table[name] ?? 0)
}

/** By name, rounded, as they are shown and kept. */
export function weightTable(weights: Weights): Record<Feature, number> {
  return Object.fromEntries(FEATURES.map((name, i) => [name, Math.round(weights[i]! * 100) / 100])) as Record<
    Feature,
    number
  >
}

export const SHIPPED: Weights = weightsFrom(shipped)

/** Weights as they were kept; features that came later have the shipped ones, as all have where none were kept. */
export function keptWeights(table: Partial<Record<Feature, number>> | null): Weights {
  return table ? weightsFrom({ ...shipped, ...table }) : SHIPPED
}

export function bitsSum(values: Float64Array, weights: Weights): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += values[i]! * weights[i]!
  return sum
}

/** The probability that so many bits stand for. */
export function probabilityOf(bits: number): number {
  return 1 / (1 + 2 ** -bits)
}
