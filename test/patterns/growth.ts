// Measures how the time of a piece of work grows with the size of its input.

/** Four times the input takes at most so many times as long, two and a half for each doubling; quadratic work takes 16. */
const TIMES = 4
const MOST = 2.5 * 2.5
const ROUNDS = 3
const ATTEMPTS = 6
/** Milliseconds that quadratic work on the larger input takes at least, and linear work of the same size does not. */
const FLOOR = 1.5

/** The milliseconds of the fastest of several runs: other work on the machine only adds to them. */
function best(work: () => void, rounds: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/** Like `best`, for work that ends later. */
async function bestOf(work: () => unknown, rounds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    await work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/** True when four times the input takes nothing like quadratic time: in the best of several attempts. */
export function isLinear(make: (size: number) => () => void, size: number, floor = FLOOR): boolean {
  const [small, large] = [make(size), make(size * TIMES)]
  if (best(large, 1) < floor) return true
  for (let i = 0; i < ATTEMPTS; i++) if (best(large, ROUNDS) <= MOST * best(small, ROUNDS)) return true
  return false
}

/** Like `isLinear`, for work that ends later. */
export async function growsLinearly(
  make: (size: number) => (() => unknown) | Promise<() => unknown>,
  size: number,
): Promise<boolean> {
  const [small, large] = [await make(size), await make(size * TIMES)]
  await small()
  for (let i = 0; i < ATTEMPTS; i++)
    if ((await bestOf(large, ROUNDS)) <= MOST * (await bestOf(small, ROUNDS))) return true
  return false
}
