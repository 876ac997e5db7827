/** How often a value fell under each of some bounds. */
export interface Histogram {
  /** Upper bounds, rising. */
  readonly bounds: readonly number[]
  observe(value: number): void
  /** For each bound how many values were at most that; then their sum and how many there were. */
  read(): { upTo: number[]; sum: number; count: number }
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

  function read() {
    let count = 0
    const running = counts.map((more) => {
      count += more
      return count
    })
    return { upTo: running.slice(0, -1), sum, count }
  }

  return { bounds, observe, read }
}
