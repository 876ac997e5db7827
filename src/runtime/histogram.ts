/** How often a value fell under each of some bounds. */
export interface Histogram {
  /** Upper bounds, rising. */
  readonly bounds: readonly number[]
  observe(value: number): void
  read(): Observed
  /** Adds what another histogram of the same bounds has read. */
  add(observed: Observed): void
}

/** For each bound how many values were at most that; then their sum and how many there were. */
export interface Observed {
  upTo: number[]
  sum: number
  count: number
}

export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let sum = 0

  function observe(value: number): void {
    let at = 0
    while (at < bounds.length && value > bounds[at]!) at++
    counts[at]!++
    sum += value
  }

  function read(): Observed {
    let count = 0
    const running = counts.map((more) => {
      count += more
      return count
    })
    return { upTo: running.slice(0, -1), sum, count }
  }

  function add(other: Observed): void {
    const running = [...other.upTo, other.count]
    running.forEach((value, i) => {
      counts[i]! += value - (running[i - 1] ?? 0)
    })
    sum += other.sum
  }

  return { bounds, observe, read, add }
}
