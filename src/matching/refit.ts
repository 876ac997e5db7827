import { bitsSum, probabilityOf, type Weights } from "./weights.ts"

export interface TrainingExample {
  values: Float64Array
  isSame: boolean
  /** Its weight, 1 by default. */
  weight?: number
}

const ROUNDS = 30
/** Times that a step which makes things worse is halved. */
const HALVES = 12

/**
 * Weights drawn from `prior` towards what the examples say: logistic regression with a normal prior around the given
 * weights, whose standard deviation in bits is `spread`. Newton's method; exact and the same for the same input.
 */
export function refit(
  prior: Weights,
  examples: readonly TrainingExample[],
  spread: number | ((feature: number) => number) = 0.7,
): Weights {
  const n = prior.length
  const weights = prior.slice()
  const precision = Float64Array.from({ length: n }, (_, i) => {
    const width = typeof spread === "number" ? spread : spread(i)
    return 1 / (width * width)
  })
  const costOf = (some: Weights) => {
    let cost = 0
    for (let i = 0; i < n; i++) cost += (precision[i]! * (some[i]! - prior[i]!) ** 2) / 2
    for (const { values, isSame, weight = 1 } of examples) {
      const bits = bitsSum(values, some)
      cost += weight * Math.LN2 * surprise(isSame ? bits : -bits)
    }
    return cost
  }
  let cost = costOf(weights)
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(n)
    const curvature = Array.from({ length: n }, () => new Float64Array(n))
    for (let i = 0; i < n; i++) {
      gradient[i] = precision[i]! * (prior[i]! - weights[i]!)
      curvature[i]![i] = precision[i]!
    }
    for (const example of examples) addExample(example, weights, gradient, curvature)
    const step = solve(curvature, gradient)
    let most = 0
    for (let i = 0; i < n; i++) most = Math.max(most, Math.abs(step[i]!))
    if (most < 1e-4) break
    // Where all examples surprise, a whole step goes too far and the next one back: shorter ones do not.
    let scale = Math.min(1, 4 / most)
    for (let half = 0; half < HALVES; half++, scale /= 2) {
      const next = weights.map((weight, i) => weight + scale * step[i]!)
      const after = costOf(next)
      if (after > cost && half < HALVES - 1) continue
      weights.set(next)
      cost = after
      break
    }
  }
  return weights
}

/** Bits by which something surprises of which so many bits said that it is so. */
function surprise(bits: number): number {
  return bits < -50 ? -bits : Math.log2(1 + 2 ** -bits)
}

const used = new Int32Array(256)

function addExample(
  { values, isSame, weight = 1 }: TrainingExample,
  weights: Weights,
  gradient: Float64Array,
  curvature: readonly Float64Array[],
): void {
  const probability = probabilityOf(bitsSum(values, weights))
  const error = weight * Math.LN2 * ((isSame ? 1 : 0) - probability)
  const bend = weight * Math.LN2 * Math.LN2 * probability * (1 - probability)
  let count = 0
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) used[count++] = i
  for (let at = 0; at < count; at++) {
    const i = used[at]!
    gradient[i]! += error * values[i]!
    const row = curvature[i]!
    const scaled = bend * values[i]!
    for (let other = 0; other < count; other++) row[used[other]!]! += scaled * values[used[other]!]!
  }
}

/** The solution of a symmetric, positive system (Cholesky); `matrix` is used up. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length
  for (let i = 0; i < n; i++) {
    const row = matrix[i]!
    for (let j = 0; j <= i; j++) {
      const other = matrix[j]!
      let sum = row[j]!
      for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!
      row[j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / other[j]!
    }
  }
  const out = right.slice()
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) out[i]! -= matrix[i]![k]! * out[k]!
    out[i]! /= matrix[i]![i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) out[i]! -= matrix[k]![i]! * out[k]!
    out[i]! /= matrix[i]![i]!
  }
  return out
}
