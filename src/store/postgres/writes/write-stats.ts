import { createHistogram, type Histogram } from "../../../core/histogram.ts"

const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** How the write queue does. */
export interface WriteStats {
  /** How many writes committed together, and the seconds that it took. */
  readonly sizes: Histogram
  readonly seconds: Histogram
  /** Returns what ends the group: with the error of the database that kept it from being written, if there was one. */
  begin(): (size: number, failure: unknown) => void
  /** The error of the last group. */
  failure(): unknown
  /** Milliseconds since the oldest group under way began; 0 when there is none. */
  underWay(): number
}

export function createWriteStats(): WriteStats {
  const sizes = createHistogram(SIZES)
  const seconds = createHistogram(SECONDS)
  const underWay = new Set<{ began: number }>()
  let last: unknown
  return {
    sizes,
    seconds,
    begin() {
      const group = { began: performance.now() }
      underWay.add(group)
      return (size, failure) => {
        underWay.delete(group)
        last = failure
        if (failure !== undefined) return
        sizes.observe(size)
        seconds.observe((performance.now() - group.began) / 1000)
      }
    },
    failure: () => last,
    underWay() {
      const [oldest] = underWay
      return oldest ? performance.now() - oldest.began : 0
    },
  }
}
