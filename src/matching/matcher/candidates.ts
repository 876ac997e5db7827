import { CANDIDATES_MAX, keyWeight, type Probe, STANDING_LEAST } from "../keys.ts"

/** Gathers who shares keys with a lead; T is how the caller names leads. */
export class CandidateWeights<T extends number | string> {
  readonly #standing = new Map<T, number>()
  readonly #self: T

  constructor(self: T) {
    this.#self = self
  }

  /** `members` of the probe's key, read up to KEY_MAX + 1 of them. */
  add(probe: Probe, members: readonly T[]): void {
    const weight = keyWeight(probe, members.length)
    if (weight === 0) return
    for (const one of members)
      if (one !== this.#self) this.#standing.set(one, (this.#standing.get(one) ?? 0) + weight)
  }

  /** At most CANDIDATES_MAX leads, the most promising first. */
  best(): T[] {
    const promising: [T, number][] = []
    for (const one of this.#standing) if (one[1] >= STANDING_LEAST) promising.push(one)
    return promising
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, CANDIDATES_MAX)
      .map(([one]) => one)
  }
}
