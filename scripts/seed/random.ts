/** Repeatable random numbers: the same seed gives the same row on every machine. */
export interface Random {
  /** A number from 0 up to but not including 1. */
  float(): number
  /** A whole number from 0 up to but not including `n`. */
  below(n: number): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True in about `share` (0 to 1) of the calls. */
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
}

/** The sfc32 generator (PractRand, C. Doty-Humphrey): 128 bits of state, quick in 32-bit integers. */
export function createRandom(seed: number): Random {
  let a = 0x9e3779b9
  let b = seed | 0
  let c = Math.floor(seed / 2 ** 32) | 0
  let counter = 1

  function float(): number {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return (t >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 15; i++) float()

  const below = (n: number) => Math.floor(float() * n)
  return {
    float,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => float() < share,
    pick: (items) => items[below(items.length)]!,
  }
}

/** A picker in which the item of rank r (from 0) comes with a weight of 1 / (r + flat): Zipf-like. */
export function zipf<T>(items: readonly T[], flat: number): (random: Random) => T {
  const weights = items.map((_, rank) => 1 / (rank + flat))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const slots: T[] = []
  let reached = 0
  items.forEach((item, rank) => {
    reached += weights[rank]!
    while (slots.length < Math.round((reached / total) * 4096)) slots.push(item)
  })
  return (random) => random.pick(slots)
}
