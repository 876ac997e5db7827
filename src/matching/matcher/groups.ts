export interface Link<T> {
  a: T
  b: T
  probability: number
}

export interface Group<T> {
  members: T[]
  /** The mean over all pairs of members; pairs that are not listed count as 0. */
  probability: number
}

/** Members of a group at most. */
export const GROUP_MAX = 20

interface Cluster<T> {
  members: T[]
  /** Sum of probabilities inside. */
  inside: number
  /** Sum of probabilities to each other cluster. */
  to: Map<Cluster<T>, number>
}

/**
 * Groups of things that are the same by average linkage: two groups become one while the mean probability over all
 * pairs between them is at least `least`, the most probable first. A chain of pairs is therefore no group: pairs that
 * are not listed count as 0.
 */
export function groups<T>(links: readonly Link<T>[], least = 0.5): Group<T>[] {
  const steps = groupSteps(links, least)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Links after which it pauses: less than a millisecond's work. */
const PAUSE = 500

/** As `groups`, in short steps: of links that all hang together it takes long. */
export function* groupSteps<T>(links: readonly Link<T>[], least: number): Generator<void, Group<T>[]> {
  let looked = 0
  const clusters = new Map<T, Cluster<T>>()
  const clusterOf = (one: T) =>
    clusters.getOrInsertComputed(one, () => ({ members: [one], inside: 0, to: new Map() }))
  for (const { a, b, probability } of links) {
    if (++looked % PAUSE === 0) yield
    if (a === b) continue
    const [left, right] = [clusterOf(a), clusterOf(b)]
    const best = Math.max(probability, left.to.get(right) ?? 0)
    left.to.set(right, best)
    right.to.set(left, best)
  }
  const alive = new Set(clusters.values())
  const queue = new Queue<T>()
  for (const one of alive)
    for (const [other, sum] of one.to) {
      if (++looked % PAUSE === 0) yield
      queue.push({ one, other, mean: sum, size: 2 })
    }
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (++looked % PAUSE === 0) yield
    const { one, other, size, mean } = next
    if (mean < least) break
    if (!alive.has(one) || !alive.has(other)) continue
    if (size !== one.members.length + other.members.length || size > GROUP_MAX) continue
    alive.delete(other)
    join(one, other)
    for (const [near, sum] of one.to) {
      if (++looked % PAUSE === 0) yield
      const both = one.members.length + near.members.length
      queue.push({ one, other: near, mean: sum / (one.members.length * near.members.length), size: both })
    }
  }
  return [...alive]
    .filter(({ members }) => members.length > 1)
    .map(({ members, inside }) => ({
      members,
      probability: inside / ((members.length * (members.length - 1)) / 2),
    }))
    .sort((x, y) => y.probability - x.probability)
}

function join<T>(one: Cluster<T>, other: Cluster<T>): void {
  one.inside += other.inside + (one.to.get(other) ?? 0)
  one.members.push(...other.members)
  one.to.delete(other)
  for (const [near, sum] of other.to) {
    near.to.delete(other)
    if (near === one) continue
    const both = sum + (one.to.get(near) ?? 0)
    one.to.set(near, both)
    near.to.set(one, both)
  }
}

interface Offer<T> {
  one: Cluster<T>
  other: Cluster<T>
  mean: number
  /** Members of both when it was offered: an offer for clusters that have grown since is void. */
  size: number
}

/** A binary heap, the greatest mean first. */
class Queue<T> {
  readonly #heap: Offer<T>[] = []

  push(offer: Offer<T>): void {
    const heap = this.#heap
    let at = heap.push(offer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (heap[parent]!.mean >= heap[at]!.mean) return
      ;[heap[parent], heap[at]] = [heap[at]!, heap[parent]!]
      at = parent
    }
  }

  pop(): Offer<T> | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (top === undefined || heap.length === 0) return top
    heap[0] = last!
    for (let at = 0; ; ) {
      let most = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && heap[child]!.mean > heap[most]!.mean) most = child
      if (most === at) return top
      ;[heap[most], heap[at]] = [heap[at]!, heap[most]!]
      at = most
    }
  }
}
