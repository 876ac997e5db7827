// Measures how the time of a piece of work grows with the size of its input.

/** So many times the input takes at most so many times the time: quadratic work would take 16 times as long. */
const TIMES = 4
const MOST = 2.5 * 2.5
const ROUNDS = 5
const ATTEMPTS = 6

function best(work: () => void, rounds: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/**
 * How many times as long four times the input takes. Work too short to tell is taken for linear: quadratic work of the
 * same size takes a hundred times as long. The least of several runs counts, and of several attempts the best, so that
 * a busy machine does not matter.
 */
export function growth(make: (size: number) => () => void, size: number, floor = 1.5): number {
  const [small, large] = [make(size), make(size * TIMES)]
  if (best(large, 1) < floor) return 1
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < ATTEMPTS && least > MOST; i++)
    least = Math.min(least, best(large, ROUNDS) / best(small, ROUNDS))
  return least
}

/** True for a growth that quadratic work does not have. */
export const isLinear = (times: number) => times <= MOST
