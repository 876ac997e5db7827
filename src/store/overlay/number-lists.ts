// Many small numbers by many keys, without an object for each.

/** Number for a key: a collision among a million keys happens in one run of ten thousand. */
export type KeyHash = number

const BITS = (1n << 53n) - 1n

/** Makes a number of a text, another one in each run: nobody can send texts that are taken for each other. */
export function keyHashing(): (text: string) => KeyHash {
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0]!
  return (text) => Number(Bun.hash.wyhash(text, seed) & BITS)
}

const NONE: readonly number[] = []

/** Numbers by key, in rising order. Most keys have one, which stands there by itself. */
export class NumberLists {
  readonly #all = new Map<KeyHash, number | number[]>()

  get(key: KeyHash): readonly number[] {
    const found = this.#all.get(key)
    return found === undefined ? NONE : typeof found === "number" ? [found] : found
  }

  add(key: KeyHash, one: number): void {
    const found = this.#all.get(key)
    if (found === undefined) this.#all.set(key, one)
    else {
      const list = typeof found === "number" ? [found] : found
      const at = place(list, one)
      if (list[at] === one) return
      if (at === list.length) list.push(one)
      else list.splice(at, 0, one)
      this.#all.set(key, list)
    }
  }

  remove(key: KeyHash, one: number): void {
    const found = this.#all.get(key)
    if (found === one) this.#all.delete(key)
    if (typeof found !== "object") return
    const at = place(found, one)
    if (found[at] === one) found.splice(at, 1)
    if (found.length === 0) this.#all.delete(key)
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

/** A list of numbers that grows, 8 bytes each. */
export class Numbers {
  #all = new Float64Array(1024)
  length = 0

  at(index: number): number {
    return this.#all[index]!
  }

  set(index: number, one: number): void {
    if (index >= this.#all.length) {
      const more = new Float64Array(2 * Math.max(index, this.#all.length))
      more.set(this.#all)
      this.#all = more
    }
    this.#all[index] = one
    if (index >= this.length) this.length = index + 1
  }
}
