/** How many things are under way for each of those who share a bound. Who has none takes no room. */
export class Tally<Key> {
  readonly #counts = new Map<Key, number>()

  /** How many it has. */
  of(key: Key): number {
    return this.#counts.get(key) ?? 0
  }

  /** How many all have together. */
  total(): number {
    let sum = 0
    for (const count of this.#counts.values()) sum += count
    return sum
  }

  enter(key: Key): void {
    this.#counts.set(key, this.of(key) + 1)
  }

  leave(key: Key): void {
    const left = this.of(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}
