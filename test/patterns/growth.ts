// Measures how the work of a function grows with the size of its input, by CPU time that other programs cannot add to.

/** Each size is so many times the one before. */
const TIMES = 4
/**
 * One input may take so many times as long as `TIMES` inputs of a quarter of its size: two and a half times as long for
 * each doubling. Linear work takes as long for both, quadratic work `TIMES` times as long for the one.
 */
const MOST = 2.5 ** 2 / TIMES
/** Sizes at which, and rounds of each in which, work has to grow too fast before it counts as more than linear. */
const LEVELS = 3
const ROUNDS = 6
/** CPU milliseconds of a round at least, since the system counts them in ticks. */
const ROUND_MS = 24
/** CPU milliseconds of one input past which larger ones would only take longer. */
const LONG_MS = 40
/** So many times as long, of work that is long, is exponential: one round is enough. */
const EXPONENTIAL = 100

type Make = (size: number) => (() => unknown) | Promise<() => unknown>

/** CPU milliseconds that this thread spends on running a function a number of times. */
async function spent(work: () => unknown, times: number): Promise<number> {
  const start = process.threadCpuUsage()
  for (let i = 0; i < times; i++) await work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}

/** Runs a function until it has taken long enough to be measured, which also compiles it; returns the number of runs. */
async function runsOf(work: () => unknown): Promise<number> {
  let runs = 1
  for (let done = 0, taken = 0; ; done = runs, runs *= 2) {
    taken += await spent(work, runs - done)
    if (taken >= ROUND_MS) return runs
  }
}

/**
 * True when one large input takes about as long as several small ones of the same size together. Both are measured in
 * turns, so that they meet the same caches and clock rates, and only what grows too fast at every size in every round
 * is more than linear.
 */
export async function growsLinearly(make: Make, size: number): Promise<boolean> {
  for (let level = 0, small = await make(size); level < LEVELS; level++) {
    const large = await make(size * TIMES ** (level + 1))
    const runs = await runsOf(large)
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS; round++) {
      const parts = await spent(small, runs * TIMES)
      const whole = await spent(large, runs)
      if (whole <= MOST * parts) return true
      least = Math.min(least, whole / runs)
      if (least > LONG_MS && whole > EXPONENTIAL * parts) return false
    }
    if (least > LONG_MS) return false
    small = large
  }
  return false
}

/** Milliseconds that quadratic work on the larger input takes at least, and linear work of the same size does not. */
const FLOOR_MS = 1.5
/** Runs of which one may be without interruption by other programs. */
const TRIES = 5

/** Like `growsLinearly`, for many functions that are nearly all so fast that running them once shows it. */
export async function isLinear(make: (size: number) => () => unknown, size: number): Promise<boolean> {
  const large = make(size * TIMES)
  for (let i = 0; i < TRIES; i++) {
    const start = performance.now()
    large()
    const taken = performance.now() - start
    if (taken < FLOOR_MS) return true
    if (taken > LONG_MS) break
  }
  return growsLinearly(make, size)
}
