import { bitsSum, probabilityOf, type Weights } from "./weights.ts"

export interface TrainingExample {
  values: Float64Array
  isSame: boolean
  /** Its weight, 1 by default. */
  weight?: number
}

const ROUNDS = 30

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
    const scale = Math.min(1, 4 / Math.max(most, 1e-9))
    for (let i = 0; i < n; i++) weights[i]! += scale * step[i]!
    if (most < 1e-4) break
  }
  return weights
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
