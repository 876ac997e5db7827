// Small numbers by keys, without an object for each.

const BITS = (1n << 53n) - 1n

const NONE: readonly number[] = []

/** Numbers by a hash of their key, in rising order. Most keys have one, which stands there by itself. */
export class NumberLists {
  readonly #all = new Map<number, number | number[]>()
  /** Another one in each run: nobody can send texts that are taken for each other. */
  readonly #seed = crypto.getRandomValues(new BigUint64Array(1))[0]!

  /** A collision among a million keys happens in one run of ten thousand. */
  #hash(key: string): number {
    return Number(Bun.hash.wyhash(key, this.#seed) & BITS)
  }

  get(key: string): readonly number[] {
    const numbers = this.#all.get(this.#hash(key))
    return typeof numbers === "object" ? numbers : numbers === undefined ? NONE : [numbers]
  }

  first(key: string): number | undefined {
    const numbers = this.#all.get(this.#hash(key))
    return typeof numbers === "object" ? numbers[0] : numbers
  }

  last(key: string): number | undefined {
    const numbers = this.#all.get(this.#hash(key))
    return typeof numbers === "object" ? numbers.at(-1) : numbers
  }

  /** False where it was there. */
  add(key: string, one: number): boolean {
    const hash = this.#hash(key)
    const numbers = this.#all.get(hash)
    if (numbers === undefined) this.#all.set(hash, one)
    else {
      const list = typeof numbers === "number" ? [numbers] : numbers
      const at = place(list, one)
      if (list[at] === one) return false
      if (at === list.length) list.push(one)
      else list.splice(at, 0, one)
      this.#all.set(hash, list)
    }
    return true
  }

  /** False where it was not there. */
  remove(key: string, one: number): boolean {
    const hash = this.#hash(key)
    const numbers = this.#all.get(hash)
    if (numbers === one) return this.#all.delete(hash)
    if (typeof numbers !== "object") return false
    const at = place(numbers, one)
    if (numbers[at] !== one) return false
    numbers.splice(at, 1)
    if (numbers.length === 0) this.#all.delete(hash)
    return true
  }
}

/** Where a number stands, or would, in a list in rising order. */
function place(list: readonly number[], one: number): number {
  if (list.length === 0 || list.at(-1)! < one) return list.length
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (list[middle]! < one) from = middle + 1
    else to = middle
  }
  return from
}
